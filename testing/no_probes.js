import { addSkipped, skippedText } from '../instrumenter/skipped.js';

/** @typedef {{probed: number, skipped: import('../instrumenter/skipped.js').Skipped}} Functions with probes, and without */

/**
 * Why nothing that a page ran has probes, as far as one can tell.
 *
 * @param {object} site
 * @param {Functions[]} site.functions
 * @param {number} site.scriptsLeftOut by `include` and `exclude`
 * @param {string} site.takeSmall of `TAKE_SMALL`
 * @param {string} [serviceWorker] that answered for the page; empty: none
 * @returns {string}
 */
export function whyNoProbes({ functions, scriptsLeftOut, takeSmall }, serviceWorker) {
  if (functions.some(({ probed }) => probed > 0))
    return 'none of the scripts with probes has run in the page';
  const reasons = skippedText(addSkipped(functions.map(({ skipped }) => skipped)), takeSmall);
  if (reasons) return `no function of the page has probes: ${reasons}`;
  return `no script of the page has probes: ${whyNoScript(scriptsLeftOut, serviceWorker)}`;
}

/** @param {number} leftOut @param {string} [serviceWorker] */
function whyNoScript(leftOut, serviceWorker) {
  if (serviceWorker) return `its service worker, ${serviceWorker}, answers for it`;
  if (leftOut > 0) return `include or exclude leaves ${leftOut === 1 ? 'its script' : `all ${leftOut}`} out`;
  return 'it has none that runs and can be read (TypeScript and JSX have to be built)';
}
