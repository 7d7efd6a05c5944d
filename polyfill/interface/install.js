import { base } from '../loading/base.js';
import { define } from '../define.js';
import { startDraftProfiler } from './draft_profiler.js';
import { convertDraftOptions } from './options.js';
import { settings } from '../settings.js';
import { checkPolicy, isDenied } from './policy.js';
import { Profiler } from './profiler.js';

const { polyprof, Profiler: present } = /** @type {any} */ (globalThis);

/** Else it is something of the page's own, which stays. */
const isFree = !present || present.prototype instanceof EventTarget;

/** The browser's own `Profiler`, as it was when the polyfill loaded, or another version of it before. */
export const native = polyprof?.version ? polyprof.native : isFree ? present : undefined;

/**
 * @typedef {object} InstallOptions
 * @property {boolean | 'denied'} [force] ours also where the browser has its own; `'denied'`: only where that may not be used, as in
 *   Chromium without the `Document-Policy: js-profiling` header
 * @property {import('./policy.js').Policy} [policy] who may profile: `'self'`, not frames with a page of another origin around
 *   them; `'allow'`, all; `'deny'`, none
 * @property {boolean} [worker] false: start no worker: sample without one, also where memory is shared, and pack traces here; for pages whose policy
 *   allows none, and the default in workers of Firefox. true: with one also there, where some hang when they start another one
 * @property {boolean} [jitter] false: samples exactly an interval apart, in step with whatever the page does as periodically
 * @property {boolean} [idleFrame] true: stack 0 of each trace is that of a frame `(idle)`, for clients that charge samples without
 *   stack to stack 0
 * @property {'elide' | 'mark' | 'show'} [unknown] what traces have in the place of functions that they must not or cannot show: nothing,
 *   or one frame `unknown` for a run of them; `'show'`: also functions of scripts that other origins don't share, for tests
 * @property {boolean} [pauseWhenHidden] false: sample also while the page is hidden
 * @property {string | URL} [baseUrl] folder of polyprof.wasm and polyprof-worker.js, if not that of this script
 */

/**
 * Installs `performance.profile` and, where there is none, `Profiler`. Called once when the polyfill loads; call it again to change
 * an option: those that are not given stay as they are.
 *
 * @param {InstallOptions} [options]
 */
export function install({ baseUrl, ...options } = {}) {
  const { policy = 'self' } = options;
  if (!/^(self|allow|deny)$/.test(policy)) {
    throw new TypeError("policy must be 'self', 'allow' or 'deny'");
  }
  if (baseUrl !== undefined)
    base.url = new URL(baseUrl, globalThis.document?.baseURI ?? globalThis.location?.href);
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) /** @type {any} */ (settings)[name] = value;
  }
  const { force } = settings;
  const used = force === true || (force && isDenied(native)) ? undefined : native;
  if (isFree || force) define(globalThis, 'Profiler', used ?? Profiler);
  define(Performance.prototype, 'profile', profileMethod(used), true);
}

/**
 * The draft's `performance.profile(options)`. Errors of the options reject the promise.
 * @param {any} Native the browser's `Profiler`, if it is to be used
 */
function profileMethod(Native) {
  const { prototype } = Performance;
  return {
    async profile(/** @type {any} */ init) {
      Reflect.get(prototype, 'timeOrigin', this); // throws if this is no Performance
      const options = convertDraftOptions(init);
      checkPolicy(settings.policy, 'SecurityError');
      // The constructor is there in every Chromium, but throws without the header: only trying tells.
      return startDraftProfiler(options, Native && !isDenied(Native) ? Native : undefined);
    },
  }.profile;
}
