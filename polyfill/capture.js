import { LATE, setFlags, TICK } from './cells.js';
import { SKIPPED_FRAMES, stackText } from './stack_text.js';
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
 * between the tick and now, and all ticks since the flag went up belong to one stack. Ticks for which the worker woke too late
 * to raise it go to the nearer of two looks: all to the later one would favour what runs when the machine has time for the
 * worker again, which is the page's idling.
 */
export class Capture {
  #hook;
  #core;
  #onFull;
  /** Ticks up to this one are recorded. */
  #seen;
  #looking = false;
  /** @type {Map<string, number>} text → what `Core.stackOfText` said */
  #stacks = new Map();
  /** @type {Look[]} */
  #waiting = [];
  #lost = 0;
  /** LATE at the last look. */
  #late = 0;
  /** @type {Look | undefined} */
  #previous;

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {number} firstTick ticks up to this one are not ours
   * @param {() => void} onFull called inside a probe: must not run page code
   */
  constructor(hook, core, firstTick, onFull) {
    this.#hook = hook;
    this.#core = core;
    this.#seen = firstTick;
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

  /** Ticks thrown away because something went wrong inside a look. */
  get lost() {
    return this.#lost;
  }

  /**
   * The hot path. Runs inside the page's own calls: nothing may escape.
   * @param {number} point
   * @param {boolean} [byClock] also ticks that the worker has not told yet
   * @param {number} [furtherFrames] that are ours too, when it is not a probe that looks
   */
  look(point, byClock = false, furtherFrames = 0) {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const cells = this.#hook.f;
      setFlags(cells, 0);
      const last = byClock
        ? this.#core.tickAt(performance.now())
        : Math.min(Atomics.load(cells, TICK), this.#core.tickAt(performance.now() + CLOCK_SKEW_MS));
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
    this.#stacks.clear();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) this.#attribute(look);
  }

  /** Gives the earlier half of the ticks that nobody watched to the look before. @param {Look} look */
  #share(look) {
    const late = Atomics.load(this.#hook.f, LATE);
    const unwatched = Math.min(late - this.#late, look.last - look.after);
    this.#late = late;
    if (this.#previous && unwatched > 1) {
      const middle = look.after + (unwatched >> 1);
      this.#attribute({ ...this.#previous, after: look.after, last: middle });
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
   * Two points of one function have different call positions, so the text alone is key enough.
   * @param {Look} look @returns {number}
   */
  #stackOf({ text, point, skip }) {
    if (text === '') return 0;
    let stack = this.#stacks.get(text);
    if (stack === undefined) {
      stack = this.#core.stackOfText(text, point, skip);
      if (stack >= 0) {
        if (this.#stacks.size >= MAX_TEXTS) this.#stacks.clear();
        this.#stacks.set(text, stack);
      }
    }
    return stack;
  }

  /** @param {number} after @param {number} last @param {number} stack */
  #record(after, last, stack) {
    if (this.#core.record(after, last, stack) > 0) this.#onFull();
  }
}
