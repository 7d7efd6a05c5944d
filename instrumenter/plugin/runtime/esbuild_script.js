import { setUp } from '../../../dist/polyprof-runtime.mjs';

/* global __POLYPROF_FOLDER__ */

setUp(new URL(__POLYPROF_FOLDER__, globalThis.document?.currentScript?.src || location.href));
