import { COUNTS_BINDING } from '../budget/count_probe.js';
import { countByWeight } from '../budget/unseen.js';
import { startChromium } from './chromium.js';
import { CountingCopies } from './counting_copy.js';
import { Counts } from './counts.js';
import { selfTime } from './self_time.js';

/** @typedef {import('./chromium.js').Chromium} Chromium */

/** Of the profiling visit, us. Twice of UNSEEN_US in budget/choose.js. */
const INTERVAL_US = 200;

/** A workload that cannot be run: the message says why. */
export class WorkloadError extends Error {}

/**
 * @typedef {object} Workload
 * @property {string} url
 * @property {string} [run] an expression that is evaluated in the loaded page; the workload ends when what it gives is settled
 * @property {number} seconds without `run`: how long the page is left alone
 */

/**
 * Visits a page twice: once with counting scripts, once as it is under the browser's own CPU profiler, which sees it at its true speed.
 * @param {string} program of Chromium
 * @param {Workload} workload
 * @param {{root: string, site: string, onStep?: (what: string) => void}} options
 * @returns {Promise<{calibration: import('../budget/calibration.js').Calibration, notes: string[]}>}
 */
export async function calibratePage(program, workload, { root, site, onStep = () => {} }) {
  const copies = new CountingCopies(root, site);
  const counts = new Counts();
  const browser = await startChromium(program);
  try {
    onStep('counting calls');
    await visit(browser, workload, {
      async prepare(session) {
        await session('Runtime.addBinding', { name: COUNTS_BINDING });
        await session('Page.setBypassCSP', { enabled: true });
        await session('Network.setCacheDisabled', { cacheDisabled: true });
        const patterns = ['Document', 'Script'].map((resourceType) => ({
          resourceType,
          requestStage: 'Response',
        }));
        await session('Fetch.enable', { patterns });
      },
      onEvent: {
        'Runtime.bindingCalled': ({ name, payload }) => void (name === COUNTS_BINDING && counts.add(payload)),
        'Fetch.requestPaused': (request, session) => void answer(request, session, copies),
      },
      finish: (session) =>
        session('Runtime.evaluate', { expression: 'globalThis.__polyprof_calibration__?.report()' }),
    });
    if (counts.size === 0) {
      const nothing = `no script of ${workload.url} that can have probes has run`;
      throw new WorkloadError([nothing, ...copies.notes.slice(0, 1)].join(': '));
    }

    onStep('profiling');
    const { profile } = await visit(browser, workload, {
      async prepare(session) {
        await session('Profiler.enable');
        await session('Profiler.setSamplingInterval', { interval: INTERVAL_US });
        await session('Profiler.start');
      },
      onEvent: {},
      finish: (session) => session('Profiler.stop'),
    });
    const { busyUs, selfUs } = selfTime(profile, copies.functions);
    const unseen = [...copies.functions.values()].flat().filter(({ key }) => !counts.has(key));
    const calibration = { ...calibrationOf(counts, busyUs, selfUs), unseen: countByWeight(unseen) };
    return { calibration, notes: copies.notes };
  } finally {
    await browser.close();
  }
}

/**
 * @param {Counts} counts @param {number} busyUs
 * @param {ReturnType<typeof selfTime>['selfUs']} selfUs
 */
function calibrationOf(counts, busyUs, selfUs) {
  /** @type {Map<string, number>} */
  const byKey = new Map();
  for (const [{ key }, us] of selfUs) {
    const text = [key.source, key.name, key.shape].join('\n');
    byKey.set(text, (byKey.get(text) ?? 0) + us);
  }
  return counts.calibration('measured', (row) => byKey.get(row.slice(0, 3).join('\n')) ?? 0, busyUs);
}

/** @typedef {(method: string, params?: object) => Promise<any>} Session */

/**
 * @param {Chromium} browser
 * @param {Workload} workload
 * @param {object} steps
 * @param {(session: Session) => Promise<void>} steps.prepare before the page is loaded
 * @param {Record<string, (params: any, session: Session) => void>} steps.onEvent
 * @param {(session: Session) => Promise<any>} steps.finish after the workload
 * @returns {Promise<any>} what `finish` gave
 */
async function visit(browser, { url, run, seconds }, { prepare, onEvent, finish }) {
  const { browserContextId } = await browser.send('Target.createBrowserContext');
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  /** @type {Session} */
  const session = (method, params) => browser.send(method, params, sessionId);
  for (const [method, listener] of Object.entries(onEvent)) {
    browser.on(method, (params, from) => void (from === sessionId && listener(params, session)));
  }
  const loaded = new Promise((resolve) => {
    browser.on('Page.loadEventFired', (_, from) => void (from === sessionId && resolve(undefined)));
  });
  for (const domain of ['Page', 'Runtime', 'Network']) await session(`${domain}.enable`);
  await prepare(session);
  const { errorText } = await session('Page.navigate', { url });
  if (errorText) throw new WorkloadError(`${url} cannot be loaded: ${errorText}`);
  await loaded;
  if (run === undefined) await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  else {
    const { exceptionDetails } = await session('Runtime.evaluate', {
      expression: `(async () => (${run}\n))().then(() => {})`,
      awaitPromise: true,
    });
    if (exceptionDetails) {
      const { exception, text } = exceptionDetails;
      throw new WorkloadError(`--run failed in the page: ${exception?.description ?? text}`);
    }
  }
  const result = await finish(session);
  await browser.send('Target.disposeBrowserContext', { browserContextId });
  return result;
}

/** @typedef {{name: string, value: string}} HeaderField */

/** @param {any} request that is paused @param {Session} session @param {CountingCopies} copies */
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
        { name: 'content-type', value: `${mediaType(headers) || 'text/javascript'}; charset=utf-8` },
      ],
      body: Buffer.from(copy).toString('base64'),
    });
  } catch (error) {
    // The page may be gone before it has its answer.
    copies.notes.push(`${request.request.url}: ${/** @type {Error} */ (error).message}`);
    session('Fetch.continueRequest', { requestId }).catch(() => {});
  }
}

/** @param {any} request @param {Session} session @param {CountingCopies} copies @returns {Promise<string | null>} null: it is none of what is counted */
async function copyOf(request, session, copies) {
  const { requestId, resourceType, responseStatusCode, responseHeaders: headers = [] } = request;
  const { url } = request.request;
  const isPage = resourceType === 'Document';
  if (responseStatusCode !== 200 || (isPage && mediaType(headers) !== 'text/html')) return null;
  const { body, base64Encoded } = await session('Fetch.getResponseBody', { requestId });
  const bytes = Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  const text = copies.texts.read(bytes, isPage ? 'document' : 'script', contentType(headers));
  return isPage ? copies.page(url, text) : copies.script(url, text);
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
