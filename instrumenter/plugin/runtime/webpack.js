import { setUp } from '../../../dist/polyprof-runtime.mjs';

/* global __webpack_public_path__, __POLYPROF_FOLDER__ */

setUp(new URL(__webpack_public_path__ + __POLYPROF_FOLDER__, globalThis.document?.baseURI ?? location.href));
