import { OWN_PATH } from '../own_files.js';
import { LEAVE } from '../in_page/page_globals.js';

/** @import { Answer, Headers } from '../headers.js' */
/** @import { Kind } from '../kinds.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */

/**
 * For browsers that let requests be answered, but not answers be changed.
 *
 * @typedef {object} Request of a page
 * @property {string} url
 * @property {string} method
 * @property {Kind | null} kind null: none of them
 *
 * @property {boolean} canRedirect the browser follows a redirect that it is answered, and lets the next request be answered, too
 *
 * @callback Load
 * @param {{followRedirects: boolean}} how
 * @returns {Promise<Answer>} of the server
 */

/**
 * @param {InstrumentedSite} site @param {Request} request @param {Load} load
 * @returns {Promise<Answer | null>} null: the browser is to ask by itself
 */
export async function answerTo(site, { url, method, kind, canRedirect }, load) {
  if (!/^https?:/.test(url)) return null;
  if (new URL(url).pathname.startsWith(OWN_PATH)) return site.ownAnswer(url);
  if (!kind) return null;
  const sends = method !== 'GET';
  let answer;
  try {
    answer = await load({ followRedirects: kind === 'script' });
  } catch (error) {
    const reason = reasonOf(error);
    site.note(`${url} has no probes: it could not be fetched by Node (${reason})`);
    // From an isolated page Firefox never comes to one that it asks for by itself.
    const asksItself = !sends || (error instanceof NotSent && !site.isIsolating);
    return asksItself ? null : failed(reason);
  }
  const target = redirectOf(answer);
  if (target !== undefined) {
    const goesOn = canRedirect || (sends && answer.status > 303);
    return site.isolated(goesOn ? answer : redirection(new URL(target, url).href, answer.headers));
  }
  if (site.wants(kind, answer)) return site.change(kind, url, answer);
  return sends || site.isShown(kind, answer) ? site.unchanged(answer) : null;
}

/** What `load` throws if the server has been asked for nothing yet. */
export class NotSent extends Error {}

/** The browser must not ask by itself: the server would get twice what a form sends. @param {string} reason @returns {Answer} */
function failed(reason) {
  return {
    status: 502,
    headers: [['content-type', 'text/plain; charset=utf-8']],
    body: Buffer.from(`the form could not be passed on: ${reason}\n`),
  };
}

/** In one line: Playwright's messages have all that was sent in them. @param {unknown} error @returns {string} */
export function reasonOf(error) {
  const { message, cause } = /** @type {Error & {cause?: Error}} */ (error);
  return (cause?.message ?? message).replace(/\n.*/s, '');
}

/** @param {Answer} answer */
function redirectOf({ status, headers }) {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  return headers.find(([name]) => /^location$/i.test(name))?.[1];
}

/**
 * Elsewhere the second request of a redirect cannot be answered: the page goes there by itself.
 * @param {string} target @param {Headers} headers @returns {Answer}
 */
function redirection(target, headers) {
  const address = JSON.stringify(target).replaceAll('<', '\\u003c');
  return {
    status: 200,
    headers: [
      ...headers.filter(([name]) => /^set-cookie$/i.test(name)),
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
    ],
    body: Buffer.from(`<!doctype html><script>location.replace(${address})</script>`),
  };
}

/** Functions of ours that pages call; a page cannot have one twice. @type {WeakMap<object, {leave: Leave}>} */
const exposed = new WeakMap();

/** @param {any} page of Playwright or Puppeteer @param {Leave} leave */
export async function exposeLeave(page, leave) {
  const known = exposed.get(page);
  if (known) {
    known.leave = leave;
    return;
  }
  const current = { leave };
  exposed.set(page, current);
  await page.exposeFunction(LEAVE, (/** @type {string} */ json) => current.leave(json));
}
