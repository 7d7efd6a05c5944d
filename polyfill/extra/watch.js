import { notSupported } from '../hook.js';
import { loadCore } from '../load.js';
import { base as ownBase } from '../session.js';
import { Tables } from '../tables.js';

/**
 * @typedef {object} WatchOptions
 * @property {number} threshold ms without the page's thread coming back to its event loop; at least 50
 * @property {string | URL | ((report: object) => void)} report where to POST reports, also while the page is stuck; or what to call,
 *   when it no longer is
 * @property {number} [sampleInterval] ms, 10 by default
 * @property {number} [maxPerMinute] stalls that are reported, 6 by default
 */

const MIN_THRESHOLD_MS = 50;

/** Index of the first free cell of the shadow stack when nothing runs (runtime/shadow_stack.h). */
const EMPTY = 1;

/** The worker is in the core for microseconds: who does not answer in that time is gone. */
const END_MS = 3000;

/**
 * A worker of its own asks the page's thread for a sign of life, some times per threshold, and samples it until it answers. It has a core of
 * its own, in the memory where the shadow stack is, so that profilers come and go without it.
 *
 * @param {WatchOptions} options
 * @param {URL} base the folder of our files
 * @param {typeof import('../load.js').startWorker} startWorker the page's, which has its permission for scripts' addresses
 * @returns {Promise<{stop(): Promise<void>}>}
 */
export async function watch(options, base, startWorker) {
  const { threshold, report, sampleInterval = 10, maxPerMinute = 6 } = options ?? {};
  const isCallback = typeof report === 'function';
  if (!isCallback && typeof report !== 'string' && !(report instanceof URL)) {
    throw new TypeError('polyprof.watch: report must be an address or a function');
  }
  positive('threshold', threshold, MIN_THRESHOLD_MS);
  positive('sampleInterval', sampleInterval, 1);
  positive('maxPerMinute', maxPerMinute, 1);
  const { hook, memory, cells } = shadowHook();

  ownBase.url = base;
  const { module, core } = await loadCore(new URL('polyprof.wasm', base), memory, performance.now(), true);
  /** @type {Worker | undefined} */
  let worker;
  const tables = new Tables(hook, core, () => worker?.postMessage({ hidden: tables.hidden }));
  try {
    await tables.settled();
    worker = await startWorker(new URL('polyprof-watch.js', base), {
      module,
      memory,
      seat: core.seat(),
      timeOrigin: performance.timeOrigin,
      page: location.href,
      threshold,
      sampleInterval,
      maxPerMinute,
      hidden: tables.hidden,
      url: isCallback ? undefined : new URL(report, location.href).href,
    });
  } catch (error) {
    tables.stop();
    core.destroy();
    throw error;
  }

  /** @type {(value?: unknown) => void} */
  let onStopped = () => {};
  worker.onmessage = ({ data }) => {
    if (data === 'ping') {
      // What an uncaught exception left on the shadow stack: here, at the root of a task, nothing runs.
      cells[0] = EMPTY;
      worker.postMessage('pong');
    } else if (data === 'stopped') {
      onStopped();
    } else if (isCallback) {
      report(JSON.parse(data));
    }
  };
  // Nobody waits for a hidden page, and a frozen one is not stuck.
  const onVisibility = () => worker?.postMessage(document.hidden ? 'pause' : 'resume');
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();

  /** @type {Promise<void> | undefined} */
  let stopped;
  async function stop() {
    document.removeEventListener('visibilitychange', onVisibility);
    tables.stop();
    const answered = await new Promise((resolve) => {
      onStopped = () => resolve(true);
      worker?.postMessage('stop');
      setTimeout(resolve, END_MS);
    });
    worker?.terminate();
    if (answered) core.destroy();
  }
  return { stop: () => (stopped ??= stop()) };
}

/** @param {string} name @param {unknown} value @param {number} least */
function positive(name, value, least) {
  if (typeof value !== 'number' || !(value >= least && value < Infinity)) {
    throw new RangeError(`polyprof.watch: ${name} must be a number of at least ${least}`);
  }
}

/** @throws {DOMException} NotSupportedError */
function shadowHook() {
  const hook = /** @type {import('../hook.js').Hook | undefined} */ (
    /** @type {any} */ (globalThis).__polyprof__
  );
  if (!globalThis.crossOriginIsolated) {
    throw notSupported(
      'watch() needs a page that is cross-origin isolated: serve it with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    );
  }
  if (!(hook?.d instanceof Int32Array && hook.m instanceof WebAssembly.Memory && Array.isArray(hook.s))) {
    throw notSupported(
      'watch() needs scripts with shadow probes, and to be called after one of them ran: instrument with --probe shadow',
    );
  }
  return { hook, memory: hook.m, cells: hook.d };
}
