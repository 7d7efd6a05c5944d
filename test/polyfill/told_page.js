import { FlagCapture } from '../../polyfill/capture/flag_capture.js';
import { Attribution } from '../../polyfill/sampling/attribution.js';
import { ProbePoint } from '../../wasm/core.js';

/**
 * A page whose worker tells only what the test says. Its only function is `busy`: before its ENTER nothing runs, and nothing after its LEAVE.
 */
export function page() {
  const hook = /** @type {any} */ ({ f: new Int8Array(64), e() {}, l() {}, r() {} });
  const ticker = { tick: 0, late: 0, watched: () => 0, unwoken: () => 0 };
  let now = 0;
  /** Ticks of the busy function, and of nothing. */
  const ticks = { busy: 0, idle: 0 };
  const core = {
    tickAt: () => now,
    longestWaitTicks: () => 1,
    nextTick: (/** @type {number} */ tick) => tick + 1,
    stackOfText: (/** @type {string} */ _, /** @type {number} */ point) => Number(point !== ProbePoint.ENTER),
    record: (/** @type {number} */ after, /** @type {number} */ last, /** @type {number} */ stack) => {
      ticks[stack === 0 ? 'idle' : 'busy'] += last - after;
      return 0;
    },
  };
  const attribution = new Attribution(/** @type {any} */ (core), () => {});
  const capture = new FlagCapture(hook, /** @type {any} */ (core), /** @type {any} */ (ticker), attribution);
  /** @param {number} tick told @param {number} late of all ticks @param {number} [point] where a probe looks; none: nothing runs */
  const look = (tick, late, point) => {
    now = tick;
    Object.assign(ticker, { tick, late, watched: () => tick });
    hook.f.fill(1);
    if (point === undefined) capture.pause();
    else capture.look(point);
  };
  /** @param {number} tick now's, the worker still sleeps @param {number} point who ends a session */
  const end = (tick, point) => {
    now = tick;
    Object.assign(ticker, { watched: () => tick, unwoken: () => tick - ticker.tick });
    capture.look(point);
    return capture.unwoken;
  };
  /**
   * Checks that see a flag, if one is up.
   * @param {number} tick now's, the worker still sleeps @param {number} point @param {number} checks @param {boolean} [isSilent] the worker, for long
   */
  const check = (tick, point, checks, isSilent = false) => {
    now = tick;
    Object.assign(ticker, { watched: () => (isSilent ? ticker.tick : tick) });
    let looks = 0;
    for (; looks < checks && hook.f[0] === 1; looks++) capture.look(point);
    return looks;
  };
  const ticksOf = () => {
    capture.settle();
    return ticks;
  };
  return { look, end, check, ticksOf, ticks, attribution, hook, capture };
}
