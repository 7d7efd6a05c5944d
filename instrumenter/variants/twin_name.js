const EXTENSION = /(\.[cm]?js)(?=[?#]|$)/i;
const TWIN = /\.probed(?=\.[cm]?js$)/i;

/**
 * Each script of a build with variants is there twice: as it is, and its twin with probes.
 * @param {string} name of a script, or its address
 * @returns {string} that of its twin: `a/index-x1.js` → `a/index-x1.probed.js`
 */
export function twinName(name) {
  return name.replace(EXTENSION, '.probed$1');
}

/** @param {string} name of a script @returns {string | null} of the script whose twin it is; null: it is none */
export function plainName(name) {
  return TWIN.test(name) ? name.replace(TWIN, '') : null;
}

/** Code: a function from the name of a script to that of its twin, around one that gives names. */
export const TWIN_OF_NAME = '(n=>i=>n(i).replace(/(\\.[cm]?js)(?=[?#]|$)/i,".probed$1"))';
