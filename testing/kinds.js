/**
 * @typedef {'document' | 'script' | 'frame' | 'worker'} Kind of what is asked for. `document`: of a page or of a frame; `frame`: of a frame whose scripts get no probes;
 *   `worker`: what runs in workers, or may
 */

/** https://fetch.spec.whatwg.org/#destination-table @type {Record<string, Kind>} */
const BY_DESTINATION = {
  document: 'document',
  iframe: 'document',
  frame: 'document',
  object: 'document',
  embed: 'document',
  script: 'script',
  worker: 'worker',
  sharedworker: 'worker',
};

/** @param {string | string[] | undefined} destination header `Sec-Fetch-Dest` of a request @returns {Kind | null} null: none of these */
export function kindFor(destination) {
  return BY_DESTINATION[String(destination)] ?? null;
}
