import { WorkloadError } from './workload_error.js';

/** @typedef {(method: string, params?: object) => Promise<any>} Session */

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

/**
 * Opens a page in a new window that shares nothing with others, and does there what the workload is.
 * @param {import('./chromium.js').Chromium} browser
 * @param {Workload} workload
 * @param {object} steps
 * @param {(session: Session) => Promise<void>} steps.prepare before the page is loaded
 * @param {Record<string, (params: any, session: Session) => void>} steps.onEvent
 * @param {(session: Session) => Promise<any>} steps.finish after the workload
 * @returns {Promise<any>} what `finish` gave
 * @throws {WorkloadError}
 */
export async function visit(browser, workload, { prepare, onEvent, finish }) {
  const { browserContextId } = await browser.send('Target.createBrowserContext');
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  /** @type {Session} */
  const session = (method, params) => browser.send(method, params, sessionId);
  /** @param {string} method @param {(params: any, session: Session) => void} listener */
  const listen = (method, listener) =>
    browser.on(method, (params, from) => void (from === sessionId && listener(params, session)));
  for (const [method, listener] of Object.entries(onEvent)) listen(method, listener);
  listen('Page.javascriptDialogOpening', answerDialogue);
  const crashed = new Promise((resolve) => listen('Inspector.targetCrashed', resolve));
  const steps = async () => {
    for (const domain of ['Page', 'Runtime', 'Network', 'Inspector']) await session(`${domain}.enable`);
    await prepare(session);
    await load(session, listen, workload);
    await work(session, workload);
    return finish(session);
  };
  // Of a page that is gone nothing is answered.
  const result = await Promise.race([
    steps(),
    crashed.then(() => fail(`${workload.url} has crashed`)),
    browser.gone.then(() => fail('the browser has ended')),
  ]);
  await browser.send('Target.disposeBrowserContext', { browserContextId });
  return result;
}

/** @param {unknown} _ @param {Session} session with a page that waits for an answer, as nobody else is there to give one */
function answerDialogue(_, session) {
  session('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
}

/**
 * @param {Session} session
 * @param {(method: string, listener: (params: any) => void) => void} listen
 * @param {Workload} workload
 */
async function load(session, listen, { url, loadLimitMs = LOAD_LIMIT_MS }) {
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
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, loadLimitMs))).then(() => {
    const [first] = waiting.values();
    fail(`${url} has not loaded within ${loadLimitMs / 1000} s${first ? `: it waits for ${first}` : ''}`);
  });
  try {
    await Promise.race([Promise.all([navigated, loaded]), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Session} session @param {Workload} workload */
async function work(session, { run, seconds }) {
  if (run === undefined) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
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
