import { setUp } from './api.js';

// `dist/polyprof.js`, a classic script.
const script = /** @type {HTMLScriptElement | null} */ (globalThis.document?.currentScript ?? null);
setUp(new URL(script?.src || globalThis.location.href));
