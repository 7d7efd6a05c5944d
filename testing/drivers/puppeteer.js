import { kindFor } from '../kinds.js';
import { OWN_PATH } from '../own_files.js';
import { Leaving } from './leaving.js';
import { answerTo, exposeLeave, NotSent } from './requests.js';
import { setCookies } from './set_cookies.js';

/** @import { Answer, Headers } from '../headers.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */
/** @import { Load, Request } from './requests.js' */

/**
 * A page that has once been isolated stays so: Firefox waits for ever for an answer of ours that leads from an isolated page to another,
 * or the other way round. @type {WeakMap<object, () => void>} what ends that, by page
 */
const isolated = new WeakMap();

/** @param {any} page @returns {boolean} it can be isolated: it is new, or it is isolated already */
export function canIsolate(page) {
  return isolated.has(page) || page.url() === 'about:blank';
}

/** Fields of a request that Node sets itself, or that would make an answer without a body. */
const NOT_SENT = /^(host|connection|content-length|accept-encoding|if-.*|sec-fetch-.*)$/i;

/**
 * Firefox, over WebDriver BiDi.
 * @param {any} page of Puppeteer @param {InstrumentedSite} site @param {Leave} leave
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function interceptByPuppeteer(page, site, leave) {
  const leaving = new Leaving(leave);
  const handler = async (/** @type {any} */ request) => {
    if (targetOf(request) === 'document') await leaving.over(site.record);
    if (saysItStarted(request)) leaving.started();
    const answer = await answerTo(site, requestOf(request), (how) => load(page, request, how));
    if (request.isInterceptResolutionHandled()) return undefined;
    return answer ? respond(request, answer) : request.continue(undefined, 0);
  };
  // Puppeteer decides when all promises of handlers have settled.
  const quiet = (/** @type {any} */ request) =>
    handler(request).catch((error) => {
      // What was asked for before is not ours.
      const isEarlier = /Interception is not enabled/.test(error.message);
      if (isEarlier || page.isClosed() || request.failure()) return;
      site.note(`${request.url()} has no probes: ${error.message}`);
    });
  // One is Puppeteer's own. A test that has more may have switched interception on, and needs it still.
  const isInUse = page.listenerCount('request') > 1;
  await exposeLeave(page, leaving.leave);
  page.on('request', quiet);
  await page.setRequestInterception(true);
  isolated.get(page)?.();
  if (site.isIsolating) isolated.set(page, () => page.off('request', quiet));
  return async () => {
    site.isOver = true;
    if (isInUse || site.isIsolating || page.isClosed()) return;
    page.off('request', quiet);
    await page.setRequestInterception(false);
  };
}

/** @param {any} request of Puppeteer @returns {string | undefined} what it is for */
function targetOf(request) {
  return request.headers()['sec-fetch-dest'];
}

/** A document says so; what it may say beside it is why it has not. @param {any} request */
function saysItStarted(request) {
  const { pathname, search } = new URL(request.url());
  return pathname.startsWith(`${OWN_PATH}started-`) && search === '';
}

/** Firefox tells of what these load, and does not wait for an answer. */
const NOT_HELD = new Set(['object', 'embed']);

/** @param {any} request of Puppeteer @returns {Request} */
function requestOf(request) {
  const target = targetOf(request);
  return {
    url: request.url(),
    method: request.method(),
    kind: target && NOT_HELD.has(target) ? null : kindFor(target),
    canRedirect: true,
  };
}

/**
 * Of what the server says, the browser is to get the cookies by itself.
 * @param {any} page @param {any} request @param {Parameters<Load>[0]} how @returns {Promise<Answer>}
 */
async function load(page, request, { followRedirects }) {
  const sent = Object.entries(request.headers()).filter(([name]) => !NOT_SENT.test(name));
  const method = request.method();
  const response = await fetch(request.url(), {
    method,
    body: method === 'POST' ? await bodyOf(page, request) : null,
    headers: /** @type {[string, string][]} */ (sent),
    redirect: followRedirects ? 'follow' : 'manual',
  });
  const headers = /** @type {Headers} */ ([...response.headers]);
  await setCookies(page, response.url, headers);
  return {
    status: response.status,
    headers: headers.filter(([name]) => name !== 'set-cookie'),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/**
 * What a form sends. Puppeteer itself gives no bytes that are no text (https://w3c.github.io/webdriver-bidi/#command-network-getData).
 * @param {any} page @param {any} request @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function bodyOf(page, request) {
  try {
    const { session } = page.mainFrame().browsingContext.userContext.browser;
    const { result } = await session.send('network.getData', { dataType: 'request', request: request.id });
    const { type, value } = result.bytes;
    return new Uint8Array(Buffer.from(value, type === 'base64' ? 'base64' : 'utf8'));
  } catch {
    throw new NotSent(
      'what its form sends is not to be had, perhaps since it is too large; with isolate: false (--no-isolate) the browser sends it by itself',
    );
  }
}

/** @param {any} request @param {Answer} answer */
function respond(request, { status, headers, body }) {
  // At once: with a priority Puppeteer does it later, and nobody could catch what it rejects with.
  return request.respond({ status, headers: Object.fromEntries(headers), body }).catch(whyNot);
}

/** @param {Error} error of an answer */
function whyNot(error) {
  if (!/no such request/.test(error.message)) throw error;
  throw new Error(
    'it was answered without us, perhaps by a service worker of an earlier visit: take a new browser context',
  );
}
