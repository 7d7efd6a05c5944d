import { contentTypeOf } from '../instrumenter/pages/site_texts.js';

/**
 * Header fields of an answer, as pairs: some, such as Set-Cookie, are there more than once.
 * @typedef {[name: string, value: string][]} Headers
 *
 * @typedef {object} Answer of a server, to a request for `url`
 * @property {number} status
 * @property {Headers} headers
 * @property {Buffer} body without the encoding that it came in
 */

/** What is no longer true once a body was read and changed. */
const OF_THE_BODY =
  /^(content-(encoding|length|md5|digest)|digest|repr-digest|transfer-encoding|etag|last-modified)$/i;

/** Policies that forbid what a profile needs: changed scripts, a script, WebAssembly and a worker of ours. */
const POLICIES = /^content-security-policy(-report-only)?$/i;

const ISOLATION = /^cross-origin-(opener-policy|embedder-policy|resource-policy)(-report-only)?$/i;

/** @param {Headers} headers @param {string} name in lower case @returns {string | undefined} */
export function headerOf(headers, name) {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** @param {Headers} headers @returns {string} media type, in lower case and without parameters */
export function mediaType(headers) {
  const [type] = (headerOf(headers, 'content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}

/** Whether browsers may take a body for something else than its type says. @param {Headers} headers */
export function isSniffed(headers) {
  return !/^\s*nosniff\s*(,|$)/i.test(headerOf(headers, 'x-content-type-options') ?? '');
}

/** Headers of a body that was read, and is passed on. @param {Headers} headers @returns {Headers} */
export function headersOfRead(headers) {
  return headers.filter(([name]) => !OF_THE_BODY.test(name));
}

/**
 * Headers for a text that was changed.
 * @param {Headers} headers
 * @param {string | null} embedderPolicy the policy by which this page, or the page that loads it, becomes cross-origin isolated; null: headers stay as they were
 * @param {{untyped: string, charset: string | null}} type of one that says nothing; and what its encoding is to be called, null: browsers know
 * @returns {Headers}
 */
export function headersOfChanged(headers, embedderPolicy, { untyped, charset }) {
  const type = mediaType(headers) || untyped;
  return [
    ...isolated(headers, embedderPolicy).filter(
      ([name]) =>
        !OF_THE_BODY.test(name) && !POLICIES.test(name) && !/^(content-type|cache-control)$/i.test(name),
    ),
    ['content-type', contentTypeOf(type, charset)],
    // Another run must not get what was made for this one.
    ['cache-control', 'no-store'],
  ];
}

/**
 * Headers that isolate a page. `credentialless` lets a page be isolated and still have pictures, fonts and frames from servers that know nothing of this. What the
 * page says itself about that is kept.
 * @param {Headers} headers
 * @param {string | null} embedderPolicy null: as they were
 * @returns {Headers}
 */
export function isolated(headers, embedderPolicy) {
  if (embedderPolicy === null) return headers;
  const own = headerOf(headers, 'cross-origin-embedder-policy');
  const isIsolating = /^(require-corp|credentialless)\b/.test(own ?? '');
  return [
    ...headers.filter(([name]) => !ISOLATION.test(name)),
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-embedder-policy', isIsolating ? String(own) : embedderPolicy],
    ['cross-origin-resource-policy', 'cross-origin'],
  ];
}
