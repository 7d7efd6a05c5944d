/**
 * `dist/polyprof-chooser.js`: stands in a page before scripts that are there twice, and has their twins with probes in its attributes.
 * In a session that was chosen it writes the twins, and then the start of a comment, whose end is in the page after the plain scripts.
 * In all others it does nothing: the page is as without it.
 *
 * A session is what `sessionStorage` takes for one. `?polyprof=probed` or `plain` (the parameter's name is in the attribute) chooses
 * for the page and what follows. Where nothing can be stored each page is a session.
 */

const KEY = '__polyprofVariant__';

/** @typedef {'probed' | 'plain' | null} Variant */

/** @param {unknown} text @returns {Variant} */
const variantIn = (text) => (text === 'probed' || text === 'plain' ? text : null);

/** @param {string} parameter @param {number} rate @returns {Variant} */
function choose(parameter, rate) {
  let variant = variantIn(new URLSearchParams(location.search).get(parameter));
  try {
    variant ??= variantIn(sessionStorage.getItem(KEY));
    variant ??= Math.random() < rate ? 'probed' : 'plain';
    sessionStorage.setItem(KEY, variant);
  } catch {
    variant ??= Math.random() < rate ? 'probed' : 'plain';
  }
  return variant;
}

const realm = /** @type {{[KEY]?: Variant}} */ (globalThis);
const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const { rate, parameter, probed } = script.dataset;
// One choice for all choosers of a page.
const variant = (realm[KEY] ??= choose(String(parameter), Number(rate)));
if (variant === 'probed') {
  const nonce = script.nonce ? ` nonce="${script.nonce}"` : '';
  // Its attributes may not have `<script` in them: a policy would take its nonce for stolen.
  const tags = decodeURIComponent(String(probed));
  document.write(`${tags.replace(/<(script|link)\b/g, `$&${nonce}`)}<!--`);
}
