import { contentTypeOf } from '../pages/site_texts.js';

/** @import { CountingCopies } from './counting_copy.js' */
/** @import { Session } from './visit.js' */

/** @typedef {{name: string, value: string}} HeaderField */

/** Media types of scripts, as the HTML standard has them. */
const JAVASCRIPT = /^(text|application)\/(x-)?(java|ecma)script\b/;

/** What a page loads; scripts of workers have no type of their own. @type {Record<string, 'document' | 'script' | 'worker'>} */
const KINDS = { Document: 'document', Script: 'script', Other: 'worker' };

/**
 * Gives pages, their frames and workers counting copies of what they ask for. The browser's own session also sees what workers ask for whose
 * scripts no page's session sees.
 * @param {import('./chromium.js').Chromium} browser
 * @param {CountingCopies} copies
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function answerWithCopies(browser, copies) {
  /** @type {Session} */
  const session = (method, params) => browser.send(method, params);
  browser.on('Fetch.requestPaused', (request) => void answer(request, session, copies));
  const patterns = Object.keys(KINDS).map((resourceType) => ({ resourceType, requestStage: 'Response' }));
  await session('Fetch.enable', { patterns });
  return () => session('Fetch.disable');
}

/**
 * Gives the page a counting copy of what it has asked for, if that is a script or a page.
 * @param {any} request that is paused @param {Session} session @param {CountingCopies} copies
 */
async function answer(request, session, copies) {
  const { requestId, responseHeaders: headers = [] } = request;
  try {
    const copy = await copyOf(request, session, copies);
    if (copy === null) return await session('Fetch.continueRequest', { requestId });
    await session('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [
        ...headers.filter((/** @type {HeaderField} */ field) => !isOfTheBody(field)),
        {
          name: 'content-type',
          value: contentTypeOf(mediaType(headers) || 'text/javascript', copy.charset),
        },
      ],
      body: copy.body.toString('base64'),
    });
  } catch (error) {
    // The page may be gone before it has its answer.
    copies.notes.push(`${request.request.url}: ${/** @type {Error} */ (error).message}`);
    session('Fetch.continueRequest', { requestId }).catch(() => {});
  }
}

/** @param {any} request @param {Session} session @param {CountingCopies} copies @returns {Promise<{body: Buffer, charset: string | null} | null>} null: it is none of what is counted */
async function copyOf(request, session, copies) {
  const { requestId, resourceType, responseStatusCode, responseHeaders: headers = [] } = request;
  const { url } = request.request;
  const kind = KINDS[resourceType];
  const type = mediaType(headers);
  if (responseStatusCode !== 200 || (kind === 'document' && type !== 'text/html')) return null;
  if (kind === 'worker' && !JAVASCRIPT.test(type)) return null;
  const { body, base64Encoded } = await session('Fetch.getResponseBody', { requestId });
  const bytes = Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  const { text, write } = copies.texts.read(bytes, kind, contentType(headers));
  return write(await (kind === 'document' ? copies.page(url, text) : copies.script(url, text)));
}

/** @param {HeaderField[]} headers @returns {string} */
function contentType(headers) {
  return headers.find(({ name }) => /^content-type$/i.test(name))?.value ?? '';
}

/** @param {HeaderField[]} headers @returns {string} without parameters */
function mediaType(headers) {
  return contentType(headers)
    .replace(/\s*;.*$/s, '')
    .toLowerCase();
}

/** What the copy has not, and a policy that would take a new window. @param {HeaderField} field */
function isOfTheBody({ name }) {
  return /^(content-(length|encoding|type)|cross-origin-opener-policy)$/i.test(name);
}
