import { DraftProfiler, startDraftProfiler } from './draft_profiler.js';
import { convertOptions } from './options.js';
import { allowed } from './mode.js';
import { base, Profiler } from './profiler.js';

/** The browser's own, as it was when the polyfill loaded. */
const NativeProfiler = /** @type {any} */ (globalThis).Profiler;

/**
 * Installs `performance.profile` and, where there is none, `Profiler`. Called once when the polyfill loads; call it again to change
 * an option.
 *
 * @param {object} [options]
 * @param {boolean} [options.force] ours also where the browser has its own: for comparisons, and for Chromium without the
 *   `Document-Policy: js-profiling` header
 * @param {boolean} [options.worker] false: sample without a worker, also where memory is shared; for pages whose policy allows no worker
 * @param {boolean} [options.jitter] false: samples exactly an interval apart, in step with whatever the page does as periodically
 * @param {string | URL} [options.baseUrl] folder of polyprof.wasm and polyprof-worker.js, if not that of this script
 */
export function install({ force = false, worker = true, jitter = true, baseUrl } = {}) {
  if (baseUrl !== undefined) base.url = new URL(baseUrl, globalThis.location?.href);
  allowed.worker = worker;
  allowed.jitter = jitter;
  if (force || NativeProfiler === undefined) define(globalThis, 'Profiler', Profiler, false);
  const native = force ? undefined : NativeProfiler;
  define(Performance.prototype, 'profile', profileMethod(native), true);
}

/**
 * The draft's `performance.profile(options)`. Errors of the options reject the promise.
 * @param {any} Native the browser's `Profiler`, if it is to be used
 */
function profileMethod(Native) {
  return {
    async profile(/** @type {any} */ init) {
      const options = convertOptions(init, "Failed to execute 'profile' on 'Performance'", {
        bufferSizeRequired: false,
      });
      return (Native && startNative(Native, options)) || startDraftProfiler(options);
    },
  }.profile;
}

/**
 * The constructor is there in every Chromium, but throws NotAllowedError without the header: only trying tells.
 * @param {any} Native
 * @param {import('./options.js').ProfilerOptions} options
 */
function startNative(Native, options) {
  try {
    return new DraftProfiler(new Native(options));
  } catch (error) {
    if (/** @type {any} */ (error)?.name === 'NotAllowedError') return undefined;
    throw error;
  }
}

/** A page may have frozen what we want to extend: then it keeps what it has. @param {object} target @param {string} name @param {unknown} value @param {boolean} enumerable */
function define(target, name, value, enumerable) {
  Reflect.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}
