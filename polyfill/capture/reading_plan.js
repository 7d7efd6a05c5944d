import { Random } from './random.js';

/** Checks in a row that look at the clock. The first one ends the gap before, each further one locates an interval. */
export const WINDOW = 8;

/** The clock costs some 100 ns: what code of few checks can afford, about 1 % of its time ... */
const READS_PER_MS = 64;

/** ... what it may save for a burst of calls ... */
const MOST_SAVED = 1024;

/** ... and what code of many checks can afford, as a share of them. */
const SHARE_OF_CHECKS = 1 / 75;

const LONGEST_GAP = WINDOW / SHARE_OF_CHECKS - WINDOW;

/**
 * Which checks look at the clock: all of them in ordinary code, and windows of some neighbours with gaps between them in code of many short
 * calls. Decided before each, from the number of checks alone, never from what runs.
 */
export class ReadingPlan {
  /** Mean number of checks between windows. */
  #gap = 0;
  /** Reads that can be afforded before gaps must widen. */
  #saved = MOST_SAVED;
  /** Of the current period. */
  #start;
  #checks = 0;
  #random = new Random();

  /** @param {number} now ms */
  constructor(now) {
    this.#start = now;
  }

  /** One interval in so many lies between two checks that look. */
  get odds() {
    return this.#gap === 0 ? 1 : (this.#gap + WINDOW) / (WINDOW - 1);
  }

  /**
   * To be called by the last check of a window.
   * @param {number} now ms
   * @param {boolean} isCut the window began where nothing ran, and not by chance: as from any other moment, it is a part of a gap to the next one
   * @returns {number} how many checks then don't look
   */
  next(now, isCut) {
    this.#checks += WINDOW;
    this.#saved -= WINDOW;
    if (this.#saved < 0) this.#widen();
    this.#adapt(now);
    const random = this.#random.uniform();
    // Of a gap in which a moment falls, and so more often of a long one.
    const part = isCut ? Math.sqrt(0.25 + 2 * random) * this.#random.uniform() : 0.5 + random;
    const gap = Math.round(this.#gap * part);
    this.#checks += gap;
    return gap;
  }

  /** The gap is ended early. @param {number} now @param {number} checks that it had left */
  endGap(now, checks) {
    this.#checks -= checks;
    this.#adapt(now);
  }

  /** After a period: the next one will be alike. @param {number} now */
  #adapt(now) {
    const elapsed = now - this.#start;
    if (elapsed < 1) return;
    const checksPerMs = this.#checks / elapsed;
    const readsPerMs = Math.max(READS_PER_MS, checksPerMs * SHARE_OF_CHECKS);
    this.#saved = Math.min(Math.max(this.#saved, 0) + readsPerMs * elapsed, MOST_SAVED);
    if (this.#gap > 0) this.#gap = WINDOW * Math.max(checksPerMs / readsPerMs - 1, 0);
    this.#start = now;
    this.#checks = 0;
  }

  /** More calls than could be foreseen. */
  #widen() {
    this.#gap = Math.min(2 * this.#gap + WINDOW, LONGEST_GAP);
    this.#saved = READS_PER_MS;
  }
}
