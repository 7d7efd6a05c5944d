import { version } from '../version.js';

/** The folder of polyprof.js, or whatever `install({ baseUrl })` says: where all our other files are. @type {{url: URL | undefined}} */
export const base = { url: undefined };

/**
 * Browsers keep files whose server says nothing of their age: one that an earlier release has left there would not fit.
 * @param {string} name of a file of ours
 * @returns {URL}
 */
export const ownUrl = (name) => new URL(`${name}?` + version, base.url);
