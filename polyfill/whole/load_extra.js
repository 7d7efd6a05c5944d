import * as extra from '../extra/index.js';

/** In place of polyfill/loading/load_extra.js where all is in one file. */
export const loadExtra = () => Promise.resolve(extra);
