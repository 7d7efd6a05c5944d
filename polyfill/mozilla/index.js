import { base } from '../loading/base.js';

// `dist/polyprof-mozilla.mjs`, a module: an older API over the same core and worker, which are beside it.
base.url = new URL(import.meta.url);

export { Profiler } from './profiler.js';
