import { OWN_PATH } from '../own_files.js';
import { LEAVE } from '../in_page/page_globals.js';
import { mayHaveBrokenOff } from './broken_off.js';
import { onInnerSessions } from './inner_sessions.js';
import { allowLocalServers } from './local_servers.js';
import { tellOfWindows } from './opened_windows.js';
import { leaveOutSpeculation, withoutRules } from './speculation.js';

/** @import { Answer, Headers } from '../headers.js' */
/** @import { Kind } from '../kinds.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */

/**
 * A session of Chromium's DevTools protocol with a page, a frame or the browser. In this folder sessions are these.
 * @typedef {object} DevtoolsSession
 * @property {(method: string, params?: object) => Promise<any>} send
 * @property {(event: string, listener: (event: any) => void) => void} on
 * @property {() => Promise<void>} detach
 */

/** What a page loads; scripts of workers have no type of their own. @type {Record<string, Kind>} */
const KINDS = { Document: 'document', Script: 'script', Other: 'worker' };

const OWN_FILES = { urlPattern: `*${OWN_PATH}*`, requestStage: 'Request' };

/** What a frame of another site loads. @type {Record<string, Kind>} */
const KINDS_IN_FRAMES = { Document: 'frame', Other: 'worker' };

/**
 * Answers are taken when they have come: with the browser's own cookies, credentials, proxies and redirects.
 * @param {{session: DevtoolsSession, browser?: DevtoolsSession, permitting: DevtoolsSession}} sessions of its own, with the page and with the browser, and one that permits
 * @param {InstrumentedSite} site
 * @param {Leave} leave
 * @returns {Promise<() => Promise<void>>} ends it. An isolated document stays so, and what belongs to it is answered until the page shows another
 */
export async function interceptByDevtools({ session, browser, permitting }, site, leave) {
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const detach = async () => {
    await Promise.allSettled([session.detach(), browser?.detach()]);
  };
  session.on('Fetch.requestPaused', async (event) => {
    const isNewPage = event.resourceType === 'Document' && event.frameId === targetInfo.targetId;
    if (site.isOver && isNewPage) return goOn(session, event).then(detach, detach);
    if (isNewPage) await allowLocalServers(permitting, targetInfo.browserContextId, originOf(event));
    return pass(session, site, KINDS, event);
  });
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === LEAVE) leave(payload);
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: LEAVE });
  await allowLocalServers(permitting, targetInfo.browserContextId);
  // What the page loaded before, without probes, must not be used again.
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (site.blockServiceWorkers) await session.send('Network.setBypassServiceWorker', { bypass: true });
  await leaveOutSpeculation(session, site);
  if (site.isIsolating) {
    tellOfWindows(session, site);
    await isolateFrames(session, site);
  }
  if (browser) await interceptInnerWorkers(browser, site);
  await session.send('Fetch.enable', { patterns: [OWN_FILES, ...patternsOf(KINDS)] });
  return async () => {
    site.isOver = true;
    if (!site.isIsolating) await detach();
  };
}

/**
 * Frames of other sites, and in them.
 * @param {DevtoolsSession} session with what has them @param {InstrumentedSite} site
 */
function isolateFrames(session, site) {
  return onInnerSessions(session, async (frame) => {
    frame.on('Fetch.requestPaused', (event) => pass(frame, site, KINDS_IN_FRAMES, event));
    await frame.send('Fetch.enable', { patterns: [OWN_FILES, ...patternsOf(KINDS_IN_FRAMES)] });
    await isolateFrames(frame, site);
  });
}

/**
 * Scripts of workers that workers start, which no page's session sees, and what is ours in shared workers, which none of them sees either.
 * @param {DevtoolsSession} session with the browser
 * @param {InstrumentedSite} site
 */
async function interceptInnerWorkers(session, site) {
  session.on('Fetch.requestPaused', (event) => {
    const own = site.ownAnswerToWorker(event.request.url);
    const hasNoFrame = event.frameId === event.networkId;
    if (own) own.then((answer) => fulfill(session, event.requestId, answer)).catch(() => {});
    else if (hasNoFrame) pass(session, site, KINDS, event);
    else goOn(session, event).catch(() => {});
  });
  await session.send('Fetch.enable', { patterns: [OWN_FILES, ...patternsOf({ Other: 'worker' })] });
}

/** Answers to requests of these types. @param {Record<string, Kind>} kinds */
function patternsOf(kinds) {
  return Object.keys(kinds).map((resourceType) => ({ resourceType, requestStage: 'Response' }));
}

/** @param {any} event */
function originOf({ request }) {
  return new URL(request.url).origin;
}

/** @param {DevtoolsSession} session @param {any} event */
function goOn(session, { requestId }) {
  return session.send('Fetch.continueRequest', { requestId });
}

/** The body as it came, and what becomes of its connection. @param {DevtoolsSession} session @param {string} requestId @param {Answer} answer */
function goOnWith(session, requestId, { status, headers }) {
  const responseHeaders = devtoolsHeaders(headers);
  return session.send('Fetch.continueResponse', { requestId, responseCode: status, responseHeaders });
}

/** @param {DevtoolsSession} session @param {InstrumentedSite} site @param {Record<string, Kind>} kinds by type @param {any} event */
async function pass(session, site, kinds, event) {
  try {
    await answer(session, site, kinds[event.resourceType], event);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    // A request that the page gave up, or a page that has closed.
    if (/Invalid InterceptionId|closed|detached|not found/i.test(message)) return;
    site.note(`${event.request.url} has no probes: ${message}`);
    goOn(session, event).catch(() => {});
  }
}

/** @param {DevtoolsSession} session @param {InstrumentedSite} site @param {Kind | undefined} kind @param {any} event */
async function answer(session, site, kind, event) {
  const { requestId, request, responseStatusCode, responseErrorReason } = event;
  const own = site.ownAnswer(request.url);
  if (own) return fulfill(session, requestId, await own);
  const head = {
    status: responseStatusCode ?? 0,
    headers: (event.responseHeaders ?? []).map(
      (/** @type {{name: string, value: string}} */ { name, value }) => [name, value],
    ),
  };
  if (!kind || responseErrorReason) return goOn(session, event);
  const isWanted = site.wants(kind, head);
  if (!isWanted && !site.isShown(kind, head)) return goOn(session, event);
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
  const whole = { ...head, body: Buffer.from(body, base64Encoded ? 'base64' : 'utf8') };
  // Chromium takes no notice of headers that are changed while the body is on its way.
  if (!isWanted) return fulfill(session, requestId, site.unchanged(whole));
  const changed = withoutRules(await site.change(kind, request.url, whole));
  return mayHaveBrokenOff(kind, whole, changed)
    ? goOnWith(session, requestId, changed)
    : fulfill(session, requestId, changed);
}

/** @param {DevtoolsSession} session @param {string} requestId @param {Answer} answer */
function fulfill(session, requestId, { status, headers, body }) {
  return session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    responseHeaders: devtoolsHeaders(headers),
    body: body.toString('base64'),
  });
}

/** @param {Headers} headers */
function devtoolsHeaders(headers) {
  return headers.map(([name, value]) => ({ name, value }));
}
