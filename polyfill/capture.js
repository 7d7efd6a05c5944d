import { Flags } from './flags.js';
import { releaseHook } from './hook.js';
import { isCut, SKIPPED_FRAMES, stackText } from './stack_text.js';
import { ProbePoint, Status } from '../wasm/core.js';

/** Frames between a probed function and `stackText`: `Capture.look` and the hook's `e`, `l` or `r`. */
const SKIP = SKIPPED_FRAMES + 2;

/**
 * How far the worker's clock may be ahead of the page's. The page's scripts can write to the cells too: a tick of a farther
 * future is garbage.
 */
const CLOCK_SKEW_MS = 2;

/** Different texts remembered. Most repeat; a page whose texts don't would fill the memory. */
const MAX_TEXTS = 8192;

/** Looks kept while a function table is on its way. */
const MAX_WAITING = 4096;

/** A point says who ran before it; whom would a point have to name that says who runs after it? By `ProbePoint`. */
const OTHER_SIDE = [ProbePoint.LEAVE, ProbePoint.ENTER, ProbePoint.LEAVE];

/**
 * @typedef {object} Look what was seen, and the ticks in (after, last] that it stands for
 * @property {string} text of the stack; empty when nothing ran
 * @property {number} point one of `ProbePoint`
 * @property {number} skip leading frames of the text that are ours
 * @property {number} after
 * @property {number} last
 */

/**
 * The main thread's side of the flag probe: a raised flag was seen, find out what ran at the tick.
 *
 * Every transition between probed functions has a check, and the flag stays raised until the first one: so nothing changed
 * between the tick and now, and all ticks since the flag went up belong to one stack, also those that are due by now but that the
 * worker has not told yet. Ticks for which it woke too late to raise the flag lie between two looks: the earlier half goes to what
 * ran after the first, the later half to what ran before the second. All to either one would favour what runs when the
 * machine has time for the worker again, which is the page's idling.
 */
export class Capture {
  #hook;
  #flags;
  #core;
  #ticker;
  #onFull;
  /** Ticks up to this one are recorded. */
  #seen;
  #looking = false;
  /** By point: text → what `Core.stackOfText` said. @type {Map<string, number>[]} */
  #stacks = [new Map(), new Map(), new Map()];
  /** @type {Look[]} */
  #waiting = [];
  #lost = 0;
  #cut = 0;
  /** `Ticker.late` at the last look. */
  #late = 0;
  /** @type {Look | undefined} */
  #previous;

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {import('./ticker.js').Ticker} ticker
   * @param {() => void} onFull called inside a probe: must not run page code
   */
  constructor(hook, core, ticker, onFull) {
    this.#hook = hook;
    this.#flags = new Flags(hook.f);
    this.#core = core;
    this.#ticker = ticker;
    this.#seen = core.tickAt(performance.now());
    this.#onFull = onFull;
  }

  /**
   * Arms the probes. Blocks, not expressions: a call in tail position would lose its frame in JSC, and SKIP would be off by one.
   */
  arm() {
    this.#hook.e = () => {
      this.look(ProbePoint.ENTER);
    };
    this.#hook.l = () => {
      this.look(ProbePoint.LEAVE);
    };
    this.#hook.r = () => {
      this.look(ProbePoint.RESUME);
    };
  }

  disarm() {
    releaseHook(this.#hook);
  }

  /** Different stacks that are deeper than the engine tells. */
  get cut() {
    return this.#cut;
  }

  /** Ticks thrown away because something went wrong inside a look. */
  get lost() {
    return this.#lost;
  }

  /**
   * The hot path. Runs inside the page's own calls: nothing may escape.
   * @param {number} point
   * @param {number} [furtherFrames] that are ours too, when it is not a probe that looks
   */
  look(point, furtherFrames = 0) {
    if (this.#looking) return;
    this.#looking = true;
    try {
      this.#flags.lower();
      const last = this.#latestTick();
      const after = this.#seen;
      if (last <= after) return;
      this.#seen = last;
      this.#share({ text: stackText(), point, skip: SKIP + furtherFrames, after, last });
    } catch {
      this.#lost++;
    } finally {
      this.#looking = false;
    }
  }

  /** @returns {number} as the clocks of the page and of the worker tell */
  #latestTick() {
    const now = performance.now();
    const told = Math.min(this.#ticker.tick, this.#core.tickAt(now + CLOCK_SKEW_MS));
    return Math.max(told, this.#core.tickAt(now));
  }

  /**
   * Records pending ticks as idle: called at the root of a task of our own, where nothing was running before.
   */
  lookFromRoot() {
    const last = this.#core.tickAt(performance.now());
    const after = this.#seen;
    if (last <= after) return;
    this.#seen = last;
    this.#share({ text: '', point: ProbePoint.ENTER, skip: 0, after, last });
  }

  /** More tables are there, or known to be missing: what they were waited for is attributed now. */
  tablesChanged() {
    for (const stacks of this.#stacks) stacks.clear();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) this.#attribute(look);
  }

  /** Gives the earlier half of the ticks that nobody watched to what ran after the look before. @param {Look} look */
  #share(look) {
    const late = this.#ticker.late;
    const unwatched = Math.min(late - this.#late, look.last - look.after);
    this.#late = late;
    if (this.#previous && unwatched > 1) {
      const middle = look.after + (unwatched >> 1);
      this.#attribute({
        ...this.#previous,
        point: OTHER_SIDE[this.#previous.point],
        after: look.after,
        last: middle,
      });
      look.after = middle;
    }
    this.#previous = look;
    this.#attribute(look);
  }

  /** @param {Look} look */
  #attribute(look) {
    const stack = this.#stackOf(look);
    if (stack >= 0) {
      this.#record(look.after, look.last, stack);
    } else if (stack === -Status.PENDING_TABLE && this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(look);
    } else {
      this.#lost += look.last - look.after;
    }
  }

  /**
   * @param {Look} look @returns {number}
   */
  #stackOf({ text, point, skip }) {
    if (text === '') return 0;
    const stacks = this.#stacks[point];
    let stack = stacks.get(text);
    if (stack === undefined) {
      stack = this.#core.stackOfText(text, point, skip);
      if (stack >= 0) {
        if (stacks.size >= MAX_TEXTS) stacks.clear();
        stacks.set(text, stack);
        if (isCut(text)) this.#cut++;
      }
    }
    return stack;
  }

  /** @param {number} after @param {number} last @param {number} stack */
  #record(after, last, stack) {
    if (this.#core.record(after, last, stack) > 0) this.#onFull();
  }
}
