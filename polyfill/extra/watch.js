import { Watching } from './watching.js';
import { notSupported } from '../hook/hook.js';
import { hasShadowProbes } from '../sampling/mode.js';
import { base as ownBase } from '../loading/base.js';

/**
 * @typedef {typeof import('../loading/load.js').startWorker} StartWorker
 * @typedef {object} WatchOptions
 * @property {number} threshold ms without the page's thread coming back to its event loop; at least 50
 * @property {string | URL | ((report: object) => void)} report where to POST reports, also while the page is stuck; or what to call,
 *   when it no longer is
 * @property {number} [sampleInterval] ms, 10 by default
 * @property {number} [maxPerMinute] stalls that are reported, 6 by default
 */

const MIN_THRESHOLD_MS = 50;

/**
 * A worker of its own asks the page's thread for a sign of life, some times per threshold, and samples it until it answers. It has a core of
 * its own, in the memory where the shadow stack is, so that profilers come and go without it.
 *
 * @param {WatchOptions} options
 * @param {URL} base the folder of our files
 * @param {StartWorker} startWorker the page's, which has its permission for scripts' addresses
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
  const realm = shadowHook();
  const url = isCallback ? undefined : new URL(report, document.baseURI).href;

  ownBase.url = base;
  const settings = { threshold, sampleInterval, maxPerMinute, url };
  const onReport = isCallback ? report : () => {};
  const watching = new Watching(realm, startWorker, settings, onReport);
  await watching.begin();
  return { stop: () => watching.stop() };
}

/** @param {string} name @param {unknown} value @param {number} least */
function positive(name, value, least) {
  if (typeof value !== 'number' || !(value >= least && value < Infinity)) {
    throw new RangeError(`polyprof.watch: ${name} must be a number of at least ${least}`);
  }
}

/** @returns {import('./watching.js').ShadowHook} @throws {DOMException} NotSupportedError */
function shadowHook() {
  const hook = /** @type {import('../hook/hook.js').Hook | undefined} */ (
    /** @type {any} */ (globalThis).__polyprof__
  );
  if (!globalThis.document) throw notSupported('watch() is of a page: call it there, not in a worker');
  if (!globalThis.crossOriginIsolated) {
    throw notSupported(
      'watch() needs a page that is cross-origin isolated: serve it with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    );
  }
  if (
    !(hook?.d instanceof Int32Array && hook.m instanceof WebAssembly.Memory && Array.isArray(hook.s)) ||
    !hook.s.some(hasShadowProbes)
  ) {
    throw notSupported(
      'watch() needs scripts with shadow probes, and to be called after one of them ran: instrument with --probe shadow',
    );
  }
  return { hook, memory: hook.m, cells: hook.d };
}
