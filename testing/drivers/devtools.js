import { OWN_PATH } from '../own_files.js';
import { LEAVE } from '../page_script.js';

/** @import { Answer } from '../headers.js' */
/** @import { Kind, InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */

/**
 * A session of Chromium's DevTools protocol with one page.
 * @typedef {object} Session
 * @property {(method: string, params?: object) => Promise<any>} send
 * @property {(event: string, listener: (event: any) => void) => void} on
 * @property {() => Promise<void>} detach
 */

/** @type {Record<string, Kind>} */
const KINDS = { Document: 'document', Script: 'script' };

/**
 * Answers are taken when they have come: with the browser's own cookies, credentials, proxies and redirects.
 * @param {Session} session of its own
 * @param {InstrumentedSite} site
 * @param {Leave} leave
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function interceptByDevtools(session, site, leave) {
  session.on('Fetch.requestPaused', (event) => {
    pass(session, site, event).catch((error) => {
      // A request that the page gave up, or a page that has closed.
      if (!/Invalid InterceptionId|closed|detached|not found/i.test(error.message)) {
        site.note(`${event.request.url} has no probes: ${error.message}`);
        session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {});
      }
    });
  });
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === LEAVE) leave(payload);
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: LEAVE });
  await allowLocalServers(session);
  // What the page loaded before, without probes, must not be used again.
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (site.blockServiceWorkers) await session.send('Network.setBypassServiceWorker', { bypass: true });
  await session.send('Fetch.enable', {
    patterns: [
      { urlPattern: `*${OWN_PATH}*`, requestStage: 'Request' },
      ...Object.keys(KINDS).map((resourceType) => ({ resourceType, requestStage: 'Response' })),
    ],
  });
  return () => session.detach().catch(() => {});
}

/**
 * A page whose answer was changed counts as one from the internet, which may not ask servers of this machine, such as an app's own API:
 * https://wicg.github.io/local-network-access/. The page was allowed to before.
 * @param {Session} session
 */
async function allowLocalServers(session) {
  const { targetInfo } = await session.send('Target.getTargetInfo');
  for (const name of ['local-network-access', 'local-network', 'loopback-network']) {
    const { browserContextId } = targetInfo;
    const permission = { permission: { name }, setting: 'granted', browserContextId };
    // Browsers have one name of it or the other, and older ones none.
    await session.send('Browser.setPermission', permission).catch(() => {});
  }
}

/** @param {Session} session @param {InstrumentedSite} site @param {any} event */
async function pass(session, site, event) {
  const { requestId, request, resourceType, responseStatusCode, responseErrorReason } = event;
  const own = site.ownAnswer(request.url);
  if (own) return fulfill(session, requestId, await own);
  const kind = KINDS[resourceType];
  const head = {
    status: responseStatusCode ?? 0,
    headers: (event.responseHeaders ?? []).map(
      (/** @type {{name: string, value: string}} */ { name, value }) => [name, value],
    ),
  };
  const isWanted = kind && !responseErrorReason && site.wants(kind, head);
  if (!isWanted) return session.send('Fetch.continueRequest', { requestId });
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
  const answer = { ...head, body: Buffer.from(body, base64Encoded ? 'base64' : 'utf8') };
  return fulfill(session, requestId, await site.change(kind, request.url, answer));
}

/** @param {Session} session @param {string} requestId @param {Answer} answer */
function fulfill(session, requestId, { status, headers, body }) {
  return session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: headers.map(([name, value]) => ({ name, value })),
    body: body.toString('base64'),
  });
}
