import { setUp } from '../../../dist/polyprof-runtime.mjs';

/* global __webpack_public_path__, __POLYPROF_FOLDER__, __POLYPROF_INSTALL__ */

// Bundles for Node have neither.
const base = globalThis.document?.baseURI ?? globalThis.location?.href;
// An app may say itself where its files are, as those of single-spa do, but only after this module has run. So the address is made
// each time that it is asked for.
const folder = { toString: () => new URL(__webpack_public_path__ + __POLYPROF_FOLDER__, base).href };
if (base) setUp(/** @type {any} */ (folder), JSON.parse(__POLYPROF_INSTALL__));
