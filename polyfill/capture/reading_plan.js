import { Random } from './random.js';

/**
 * Functions entered while all checks look at the clock, from one enter to another: what runs between any two of these checks is located. A function that is resumed counts as entered. For each of them there is
 * one check on enter and, all in all, one on leave.
 */
export const WINDOW = 4;

/** Checks of a window, all in all, but for the one that ended the gap before it. */
const LOOKS = 2 * WINDOW;

/** What code of few checks can afford: a read takes some 100 ns in loops, and with its check several times that in whole programs ... */
const READS_PER_MS = 64;

/** ... of which a session needs so many, and for each tick one that finds the clock advanced, since a sample tells one place ... */
const FEWEST_READS_PER_MS = 16;

/** ... what it may save for a burst of calls ... */
const MOST_SAVED = 1024;

/** ... and what code of many checks can afford: one of so many. */
const CHECKS_PER_READ = 75;

/** @param {number} checks half of them enters; one of so many is to look @returns {number} enters between windows, in the mean */
function gapOf(checks) {
  return Math.max(((LOOKS + 1) / 2) * checks - WINDOW, 0);
}

/**
 * Which checks look at the clock: all of them in code of few calls, and windows with gaps between them where a session needs no more. Both are so many enters long, which is decided before each
 * from the number of enters alone, never from what runs. Whatever runs is between two enters; so it is as likely to be in a window as anything else.
 */
export class ReadingPlan {
  /** Mean number of enters from a window to the next one. */
  #gap = 0;
  /** Reads that can be afforded before gaps must widen. */
  #saved = MOST_SAVED;
  /** Of the current period. */
  #start;
  #enters = 0;
  /** The smallest step of the clock that was seen, ms; 1 is what the coarsest ones have. */
  #step = 1;
  #random = new Random();

  /** @param {number} now ms */
  constructor(now) {
    this.#start = now;
  }

  /** One interval in so many is in a window. */
  get odds() {
    return 1 + this.#gap / WINDOW;
  }

  /**
   * To be called at the end of a window.
   * @param {number} now ms
   * @param {number} interval between ticks, ms
   * @returns {number} which enter from now on begins the next window; 0: this one does
   */
  next(now, interval) {
    this.#enters += WINDOW;
    this.#saved -= LOOKS;
    if (this.#saved < 0) {
      // More calls than could be foreseen.
      this.#gap = Math.min(2 * this.#gap + WINDOW, gapOf(CHECKS_PER_READ));
      this.#saved = READS_PER_MS;
    }
    const elapsed = now - this.#start;
    this.#step = Math.min(elapsed || 1, this.#step);
    if (elapsed >= 1) {
      // The next period will be alike.
      const checksPerMs = (2 * this.#enters) / elapsed;
      const readsPerMs = Math.max(
        Math.min(READS_PER_MS, FEWEST_READS_PER_MS + (checksPerMs * this.#step) / interval),
        checksPerMs / CHECKS_PER_READ,
      );
      this.#saved = Math.min(this.#saved + readsPerMs * elapsed, MOST_SAVED);
      if (this.#gap > 0) this.#gap = gapOf(checksPerMs / readsPerMs);
      this.#start = now;
      this.#enters = 0;
    }
    // As a wait: also where a gap was ended early, it is as far to the next window.
    const gap = Math.round(this.#random.wait(this.#gap));
    this.#enters += gap;
    return gap;
  }
}
