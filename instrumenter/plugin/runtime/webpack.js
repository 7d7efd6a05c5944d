import { setUp } from '../../../dist/polyprof-runtime.mjs';

/* global __webpack_public_path__, __POLYPROF_FOLDER__, __POLYPROF_INSTALL__ */

// Bundles for Node have neither.
const base = globalThis.document?.baseURI ?? globalThis.location?.href;
if (base)
  setUp(new URL(__webpack_public_path__ + __POLYPROF_FOLDER__, base), JSON.parse(__POLYPROF_INSTALL__));
