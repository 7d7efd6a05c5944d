import { setTimeout as pass } from 'node:timers/promises';
import { allowLocalServers } from '../serving/local_servers.js';
import { WorkloadError } from './workload_error.js';

/**
 * @typedef {(method: string, params?: object) => Promise<any>} Session
 * @typedef {'page' | 'iframe' | 'worker'} TargetKind frames of other sites and workers have sessions of their own
 */

/**
 * @typedef {object} Workload
 * @property {string} url
 * @property {string} [run] an expression that is evaluated in the loaded page; the workload ends when what it gives is settled
 * @property {number} seconds without `run`: how long the page is left alone
 * @property {number} [loadLimitMs] how long it may take to load
 */

/** Large pages that a dev server makes as they are asked for load within it. */
const LOAD_LIMIT_MS = 120_000;

/** What a page may wait for before it has loaded, as far as one can tell. */
const LOADED_FIRST = /^(Document|Font|Image|Script|Stylesheet)$/;

/** How long frames and workers may take to tell what they did: workers may wait for ever. */
const FINISH_LIMIT_MS = 5000;

/**
 * Opens a page in a new window that shares nothing with others, and does there what the workload is.
 * @template T
 * @param {import('./chromium.js').Chromium} browser
 * @param {Workload} workload
 * @param {object} steps
 * @param {(session: Session, kind: TargetKind) => Promise<void>} steps.prepare before the page, or a frame or a worker of it, runs
 * @param {Record<string, (params: any, session: Session) => void>} steps.onEvent
 * @param {(session: Session) => Promise<T>} steps.finish after the workload
 * @returns {Promise<{results: T[], silent: number}>} what `finish` gave, of the page first; `silent`: how many frames and workers there
 *   were of which nothing is known, since they had ended before or do not answer
 * @throws {WorkloadError}
 */
export async function visit(browser, workload, { prepare, onEvent, finish }) {
  const { browserContextId } = await browser.send('Target.createBrowserContext');
  await allowLocalServers(browser, browserContextId);
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  /** With the page and what belongs to it. @type {Map<string | undefined, {session: Session, end: () => void, ended: Promise<void>}>} */
  const sessions = new Map();
  const open = (/** @type {string} */ id) => {
    /** @type {Session} */
    const session = (method, params) => browser.send(method, params, id);
    let end = () => {};
    const ended = /** @type {Promise<void>} */ (new Promise((resolve) => (end = resolve)));
    sessions.set(id, { session, end, ended });
    return session;
  };
  /** @param {string} method @param {(params: any, session: Session) => void} listener */
  const listen = (method, listener) =>
    browser.on(method, (params, from) => {
      const known = sessions.get(from);
      if (known) listener(params, known.session);
    });
  const page = open(sessionId);
  let others = 0;
  for (const [method, listener] of Object.entries(onEvent)) listen(method, listener);
  listen('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    others++;
    const session = open(sessionId);
    // It may be gone by then.
    start(session, targetInfo.type, prepare).catch(() => {});
  });
  listen('Target.detachedFromTarget', ({ sessionId }) => {
    sessions.get(sessionId)?.end();
    sessions.delete(sessionId);
  });
  listen('Page.javascriptDialogOpening', answerDialogue);
  const crashed = new Promise((resolve) => {
    listen('Inspector.targetCrashed', (_, session) => void (session === page && resolve(undefined)));
  });
  const over = new AbortController();
  const steps = async () => {
    await start(page, 'page', prepare);
    await load(page, listen, workload, over.signal);
    await work(page, workload, over.signal);
    const finished = [...sessions.values()].map(async ({ session, ended }) =>
      session === page ? [await finish(page)] : withinLimit(finish(session), ended, over.signal),
    );
    const results = (await Promise.all(finished)).flat();
    return { results, silent: 1 + others - results.length };
  };
  // Of a page that is gone nothing is answered.
  const result = await Promise.race([
    steps(),
    crashed.then(() => fail(`${workload.url} has crashed`)),
    browser.gone.then(() => fail('the browser has ended')),
  ]).finally(() => over.abort());
  sessions.clear();
  await browser.send('Target.disposeBrowserContext', { browserContextId });
  return result;
}

/** @param {Session} session @param {TargetKind} kind @param {(session: Session, kind: TargetKind) => Promise<void>} prepare */
async function start(session, kind, prepare) {
  const domains = kind === 'worker' ? ['Runtime'] : ['Page', 'Runtime', 'Network', 'Inspector'];
  for (const domain of domains) await session(`${domain}.enable`);
  await session('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'iframe' }, { type: 'worker' }],
  });
  await prepare(session, kind);
  if (kind !== 'page') await session('Runtime.runIfWaitingForDebugger');
}

/**
 * @template T @param {Promise<T>} result @param {Promise<void>} ended @param {AbortSignal} over
 * @returns {Promise<T[]>} none: it takes too long, has ended or failed
 */
async function withinLimit(result, ended, over) {
  const none = () => /** @type {T[]} */ ([]);
  const settled = result.then((value) => [value], none);
  const late = pass(FINISH_LIMIT_MS, undefined, { signal: over });
  return Promise.race([settled, late.then(none), ended.then(none)]);
}

/** @param {unknown} _ @param {Session} session with a page that waits for an answer, as nobody else is there to give one */
function answerDialogue(_, session) {
  session('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
}

/**
 * @param {Session} session
 * @param {(method: string, listener: (params: any) => void) => void} listen
 * @param {Workload} workload
 * @param {AbortSignal} over aborted when the visit is: no timer is to outlive it
 */
async function load(session, listen, { url, loadLimitMs = LOAD_LIMIT_MS }, over) {
  /** What it has asked for and not got, by request. @type {Map<string, string>} */
  const waiting = new Map();
  listen('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (LOADED_FIRST.test(type)) waiting.set(requestId, request.url);
  });
  for (const end of ['Finished', 'Failed'])
    listen(`Network.loading${end}`, ({ requestId }) => waiting.delete(requestId));
  const loaded = new Promise((resolve) => listen('Page.loadEventFired', resolve));
  const navigated = session('Page.navigate', { url }).then(({ errorText }) => {
    if (errorText) throw new WorkloadError(`${url} cannot be loaded: ${errorText}`);
  });
  const late = pass(loadLimitMs, undefined, { signal: over }).then(() => {
    const [first] = waiting.values();
    fail(`${url} has not loaded within ${loadLimitMs / 1000} s${first ? `: it waits for ${first}` : ''}`);
  });
  await Promise.race([Promise.all([navigated, loaded]), late]);
}

/** @param {Session} session @param {Workload} workload @param {AbortSignal} over */
async function work(session, { run, seconds }, over) {
  if (run === undefined) {
    await pass(seconds * 1000, undefined, { signal: over });
    return;
  }
  const { exceptionDetails } = await session('Runtime.evaluate', {
    expression: `(async () => (${run}\n))().then(() => {})`,
    awaitPromise: true,
  }).catch(({ message }) => fail(`--run failed in the page: ${message}`));
  if (exceptionDetails) {
    const { exception, text } = exceptionDetails;
    fail(`--run failed in the page: ${exception?.description ?? text}`);
  }
}

/** @param {string} message @returns {never} */
function fail(message) {
  throw new WorkloadError(message);
}
