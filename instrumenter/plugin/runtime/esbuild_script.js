import { setUp } from '../../../dist/polyprof-runtime.mjs';

/* global __POLYPROF_FOLDER__, __POLYPROF_INSTALL__ */

// Bundles for Node have neither.
const base = globalThis.document?.currentScript?.src || globalThis.location?.href;
if (base) setUp(new URL(__POLYPROF_FOLDER__, base), JSON.parse(__POLYPROF_INSTALL__));
