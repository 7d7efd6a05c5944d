import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The files of `dist/` that pages load, as the build of this package makes them. */

/** What the polyfill loads for a session, and for pages that are stuck or close, from a folder of its own. */
export const SESSION_FILES = [
  'polyprof.wasm',
  'polyprof-worker.js',
  'polyprof-extra.js',
  'polyprof-gzip.js',
  'polyprof-self-timed.js',
  'polyprof-watch.js',
];

/** The polyfill for a script tag. */
export const POLYFILL_FILE = 'polyprof.js';

/** What chooses in pages whose scripts are there twice. */
export const CHOOSER_FILE = 'polyprof-chooser.js';

/** The files for pages that load the polyfill by script tags of their own. */
export const PAGE_FILES = [POLYFILL_FILE, ...SESSION_FILES, 'polyprof-beacon.js'];

/** @param {string} name of a file of `dist/` @returns {string} absolute path */
export function distPath(name) {
  return fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
}

/** @param {string} name of a file of `dist/` @returns {Buffer} what is in it */
export function distFile(name) {
  return readFileSync(distPath(name));
}
