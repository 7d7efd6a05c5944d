import { areDown, COLD_BYTE, cool, COUNTDOWN, flagsOf, lower, raise, warm } from '../hook/flags.js';
import { armHook, releaseHook } from '../hook/hook.js';
import { IDLE, SKIPPED_FRAMES } from './seen.js';
import { isV8, stackError, textOf } from './stack_text.js';
import { timeNow } from '../../wasm/clock.js';
import { NEVER } from '../../wasm/boundary.js';
import { ProbePoint } from '../../wasm/core.js';

/** @import { Capture } from './capture.js' */

/** Frames between a probed function and `stackError`: `FlagCapture.look` and the hook's `e`, `l` or `r`. */
const SKIP = SKIPPED_FRAMES + 2;

/** How far the worker's clock may be ahead of the page's. A tick of a farther future is garbage. */
const CLOCK_SKEW_MS = 2;

/**
 * @typedef {Omit<import('../sampling/attribution.js').Look, 'text'> & {error: {stack?: string}, late: number}} Unread a look; `late`: ticks so far that
 *   nobody watched
 */

/** After a look that found ticks which were long overdue, the flag stays raised for so many checks, which read the clock themselves: some µs in code of short calls. */
const ALERT_CHECKS = 32;

/** Looks whose stacks are read together. */
const BATCH = 64;

/**
 * So many checks call for nothing after the first looks of a sampler. V8 gives up compiled code that gets to a call for the first time. Were it only ticks that make checks call, that would happen to one
 * function after the other, and each time to all code that it is inlined in. A call for nothing takes some ns. Not in JavaScriptCore, which then compiles the calls, too.
 */
const WARM_UP = 20_000;

/**
 * Whether a `FlagCapture` is looking at the stack. Not a private field: a build that compiles private fields for older browsers, also the polyfill's, reads them by a helper
 * function, which may have probes itself.
 */
let isLooking = false;

/** Checks that are still to call for nothing; no private field either. */
let coldChecks = 0;

/**
 * The main thread's side of the flag probe: a raised flag was seen, find out what ran at the tick.
 *
 * Every transition between probed functions has a check, and the flag stays raised until the first one: so nothing changed
 * between the tick and now, and all ticks since the flag went up belong to one stack, also those that are due by now but that the
 * worker has not told yet. Ticks for which it woke too late to raise the flag lie between two looks: the earlier half goes to what
 * the first saw, the later half to what the second sees; but if one of them is idle, all go to the other one, since it is a busy page that
 * leaves the machine no time for the worker.
 *
 * @implements {Capture}
 */
export class FlagCapture {
  #hook;
  #flags;
  #core;
  #ticker;
  #attribution;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #fillTimer;
  unwoken = 0;
  /** Every tick that a look sees is located. */
  unlocated = 0;
  /** Ticks so far that nobody watched, at the last look. */
  #late = 0;
  /** Checks that are still to look at the clock. */
  #alert = 0;
  /** @type {import('../sampling/attribution.js').Look | undefined} */
  #previous;
  /**
   * Looks whose stacks were not parsed yet, nor read, but in V8. Engines build the text of a stack only when it is read. Reading and parsing it takes as long as the look itself, but much less if
   * another one was read right before and everything is still in the processor's caches.
   * @type {Unread[]}
   */
  #unread = [];

  /**
   * @param {import('../hook/hook.js').Hook} hook
   * @param {import('../../wasm/core.js').Core} core
   * @param {import('../sampling/ticker.js').Ticker} ticker
   * @param {import('../sampling/attribution.js').Attribution} attribution
   */
  constructor(hook, core, ticker, attribution) {
    this.#hook = hook;
    this.#flags = flagsOf(hook.f);
    this.#core = core;
    this.#ticker = ticker;
    this.#attribution = attribution;
    ticker.since = core.tickAt(timeNow());
    coldChecks = isV8 ? WARM_UP : 0;
  }

  /**
   * Blocks, not expressions: a call in tail position would lose its frame in JSC, and SKIP would be off by one.
   */
  arm() {
    const { f } = this.#hook;
    const flags = this.#flags;
    const check = (/** @type {number} */ point) => (/** @type {number | void} */ furtherFrames) => {
      f[COUNTDOWN] = 1;
      if (f[0] !== COLD_BYTE) this.look(point, furtherFrames);
      else if (--coldChecks <= 0) cool(flags);
    };
    f[COUNTDOWN] = 1;
    armHook(this.#hook, {
      e: check(ProbePoint.ENTER),
      l: check(ProbePoint.LEAVE),
      r: check(ProbePoint.RESUME),
    });
  }

  disarm() {
    clearTimeout(this.#fillTimer);
    releaseHook(this.#hook);
  }

  /** What is pending ran nothing. */
  pause() {
    this.#lookFromRoot();
    this.disarm();
  }

  /** The ticker was resumed. */
  resume() {
    this.#late = this.#ticker.late + this.unwoken;
    this.#previous = undefined;
    this.arm();
  }

  /** The set of sessions changed: a buffer is to become full in time also while the page idles. */
  replan() {
    this.settle();
    clearTimeout(this.#fillTimer);
    const tick = this.#core.tickAt(timeNow());
    const fills = this.#core.fillsAtTick(tick);
    if (fills === NEVER) return;
    this.#fillTimer = setTimeout(() => {
      this.#lookFromRoot();
      this.replan();
    }, fills - tick);
  }

  /**
   * The hot path. Runs inside the page's own calls: nothing may escape.
   * @param {number} point
   * @param {number | void} [furtherFrames] that are ours too, when it is not a probe that looks
   */
  look(point, furtherFrames = 0) {
    if (isLooking) return;
    isLooking = true;
    try {
      // As the clocks of the page and of the worker tell.
      const now = timeNow();
      const tick = this.#core.tickAt(now);
      const watched = this.#ticker.watched(tick);
      this.#countUnwoken(watched);
      (coldChecks > 0 ? warm : lower)(this.#flags);
      const last = Math.max(Math.min(this.#ticker.tick, this.#core.tickAt(now + CLOCK_SKEW_MS)), watched);
      const after = this.#ticker.since;
      const due = this.#core.nextTick(after);
      if (watched < tick) {
        // Nobody knows whether there is a worker. If it comes back it is to find no flag, and to count what it slept through.
        this.#alert = 0;
      } else if (last > due + 1) {
        // Most often the page was idle, and wakes up: on a busy machine it takes the processor that the worker would need now.
        this.#alert = ALERT_CHECKS;
      }
      if (this.#alert-- > 0) raise(this.#flags);
      if (last < due) return;
      const error = stackError();
      // Until it is read, V8 keeps what the functions on the stack were called on from being collected: of a parser, all that it has parsed.
      if (isV8) textOf(error);
      this.#add({ error, point, skip: SKIP + furtherFrames, after, last });
      this.#ticker.since = last;
      if (this.#unread.length >= BATCH) this.settle();
    } catch {
      this.#attribution.lost++;
    } finally {
      isLooking = false;
    }
  }

  /**
   * If it is not a flag that makes us look: due ticks since the last look for which none went up.
   * @param {number} watched the latest tick that somebody watches
   */
  #countUnwoken(watched) {
    if (!areDown(this.#flags)) return;
    this.unwoken += Math.max(this.#ticker.unwoken(watched) - this.#core.longestWaitTicks(), 0);
  }

  /**
   * Records pending ticks as idle: called at the root of a task of our own, where nothing was running before.
   */
  #lookFromRoot() {
    const last = this.#ticker.watched(this.#core.tickAt(timeNow()));
    this.#countUnwoken(last);
    const after = this.#ticker.since;
    if (last <= after) return;
    this.#ticker.since = last;
    this.#add({ ...IDLE, error: {}, after, last });
    this.settle();
  }

  /** @param {Omit<Unread, 'late'>} look */
  #add(look) {
    this.#unread.push({ ...look, late: this.#ticker.late + this.unwoken });
  }

  settle() {
    const unread = this.#unread;
    this.#unread = [];
    for (const { error, ...look } of unread) {
      try {
        this.#share({ ...look, text: textOf(error) });
      } catch {
        this.#attribution.lost += look.last - look.after;
      }
    }
  }

  /** Gives some of the ticks that nobody watched to what the look before saw. @param {import('../sampling/attribution.js').Look & {late: number}} look */
  #share(look) {
    const unwatched = Math.min(look.late - this.#late, look.last - look.after);
    this.#late = look.late;
    if (unwatched > 0 && this.#previous) this.#attribution.addLate(unwatched, this.#previous, look);
    this.#previous = look;
    if (look.last > look.after) this.#attribution.add(look);
  }
}
