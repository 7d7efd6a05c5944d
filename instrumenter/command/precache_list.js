/**
 * Lists of what a service worker loads before it is asked for, as Workbox writes them into it: each address with a revision, by which browsers that
 * have the file know whether it is still the same.
 * https://developer.chrome.com/docs/workbox/modules/workbox-precaching
 */

/** Workbox writes null as the revision of a file with a digest in its name, since its content should never change. */
const REVISION = /(?<key>"?revision"?:\s*)(?:null|"[0-9a-f]{32}")/;
const URL = /"?url"?:\s*"(?<url>[^"\\]+)"/;
const ENTRY = new RegExp(
  `\\{\\s*(?:${REVISION.source}\\s*,\\s*${URL.source}|${anew(URL.source)}\\s*,\\s*${anew(REVISION.source)})`,
  'g',
);

/** The same pattern with other group names: a regular expression may use each name only once. @param {string} source */
function anew(source) {
  return source.replace(/\(\?<(\w+)>/, '(?<$1After>');
}

/** @param {string} script @returns {boolean} */
export function hasPrecacheList(script) {
  return script.includes('revision') && new RegExp(ENTRY).test(script);
}

/**
 * @param {string} script
 * @param {(url: string) => string | undefined} revisionOf what has changed; undefined: it has not
 * @returns {string}
 */
export function updatedPrecacheList(script, revisionOf) {
  return script.replace(ENTRY, (entry, ...more) => {
    const { url, urlAfter } = more.at(-1);
    const revision = revisionOf(url ?? urlAfter);
    if (revision === undefined) return entry;
    return entry.replace(new RegExp(REVISION), (_, key) => `${key}"${revision}"`);
  });
}
