import { setUp } from './interface/api.js';

// `dist/polyprof.js`, a classic script. In a worker only a stack tells where it came from: its location is that of the worker's own script.
const script = /** @type {HTMLScriptElement | null} */ (globalThis.document?.currentScript ?? null);
const address = script?.src || /\w+:\/\/.+?(?=:\d+:\d+)/.exec(String(new Error().stack))?.[0];
setUp(new URL(address ?? globalThis.location.href));
