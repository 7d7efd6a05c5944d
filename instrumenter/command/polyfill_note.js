import { readFileSync } from 'node:fs';
import { isPolyfill } from '../exclusions.js';
import { isPage } from '../variants/build_variants.js';

/** @typedef {import('./plan_files.js').FileJob} FileJob */

/** In a tag, in an import, or in a bundle that has the polyfill in it, which loads the core. */
const BRINGS_POLYFILL = /\bpolyprof\.(m?js|wasm)\b/;

/** @param {string} text of a page or script @returns {boolean} it loads the polyfill, or seems to */
export const bringsPolyfill = (text) => BRINGS_POLYFILL.test(text);

/**
 * Probes alone do nothing.
 * @param {FileJob[]} jobs the files of a site
 * @returns {string[]} a note, if the site has pages and nothing in it loads the polyfill
 */
export function noteOfPolyfill(jobs) {
  const pages = jobs.filter(({ name }) => isPage(name));
  const scripts = jobs.filter(({ name }) => /\.[cm]?js$/i.test(name) && !isPolyfill(name));
  const brings = (/** @type {FileJob} */ { input }) => bringsPolyfill(readFileSync(input, 'latin1'));
  if (pages.length === 0 || [...pages, ...scripts].some(brings)) return [];
  return [
    `no page loads the polyfill, so nothing samples yet: put <script src="polyprof.js"></script> before the scripts of ${pages[0].input}` +
      ' (--polyfill copies that file and what it loads into the output)',
  ];
}
