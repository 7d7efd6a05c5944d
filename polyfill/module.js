import { setUp } from './interface/api.js';

// `dist/polyprof.mjs`, a module.
const api = setUp(new URL(import.meta.url));

export const { version, install, forceSample, sendOnHide, watch } = api;
export default api;
