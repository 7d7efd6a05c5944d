import { kindFor } from '../kinds.js';
import { OWN_PATH } from '../own_files.js';
import { Leaving } from './leaving.js';
import { answerTo, exposeLeave } from './requests.js';
import { setCookies } from './set_cookies.js';

/** @import { Headers } from '../headers.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */

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

/** @param {Error} error of an answer */
function whyNot(error) {
  if (!/no such request/.test(error.message)) throw error;
  throw new Error(
    'it was answered without us, perhaps by a service worker of an earlier visit: take a new browser context',
  );
}

/**
 * Firefox, over WebDriver BiDi.
 * @param {any} page of Puppeteer @param {InstrumentedSite} site @param {Leave} leave
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function interceptByPuppeteer(page, site, leave) {
  const leaving = new Leaving(leave);
  const handler = async (/** @type {any} */ request) => {
    const headers = request.headers();
    const target = headers['sec-fetch-dest'];
    const kind = kindFor(target);
    if (target === 'document') await leaving.over(site.record);
    const { pathname, search } = new URL(request.url());
    // What it may say there is why it could not.
    if (pathname.startsWith(`${OWN_PATH}started-`) && search === '') leaving.started();
    const asked = { url: request.url(), method: request.method(), kind, canRedirect: true };
    const answer = await answerTo(site, asked, async (how) => {
      const fields = Object.entries(headers).filter(([name]) => !NOT_SENT.test(name));
      const response = await fetch(asked.url, {
        headers: /** @type {[string, string][]} */ (fields),
        redirect: how.followRedirects ? 'follow' : 'manual',
      });
      const all = /** @type {Headers} */ ([...response.headers]);
      await setCookies(page, response.url, all);
      return {
        status: response.status,
        headers: all.filter(([name]) => name !== 'set-cookie'),
        body: Buffer.from(await response.arrayBuffer()),
      };
    });
    if (request.isInterceptResolutionHandled()) return undefined;
    if (!answer) return request.continue(undefined, 0);
    const { status, headers: fields, body } = answer;
    // At once: with a priority Puppeteer does it later, and nobody could catch what it rejects with.
    return request.respond({ status, headers: Object.fromEntries(fields), body }).catch(whyNot);
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
