import { setUp } from './interface/api.js';

/* global INSTALL_OPTIONS */

// `polyprof-<hash>/polyprof.js` of Vite's builds.
// @ts-expect-error The plugin writes the options in place of the name (runtime_files.js).
setUp(new URL(import.meta.url), INSTALL_OPTIONS);
