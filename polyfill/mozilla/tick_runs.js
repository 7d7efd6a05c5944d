/**
 * A number for each tick, as runs of ticks that have the same one: hours without a change take no more room than one tick.
 */
export class TickRuns {
  /** Last tick of each run, ascending. @type {number[]} */
  #lasts = [];
  /** @type {number[]} by run */
  #values = [];

  /**
   * Ticks that have a number keep it; those that are passed over have 0.
   * @param {number} after @param {number} last ticks in (after, last]
   * @param {number} value
   */
  add(after, last, value) {
    const end = this.#lasts.at(-1) ?? -Infinity;
    if (last <= after || last <= end) return;
    if (after > end) this.#push(after, 0);
    this.#push(last, value);
  }

  /** @param {number} last @param {number} value */
  #push(last, value) {
    const run = this.#lasts.length - 1;
    if (this.#values[run] === value) {
      this.#lasts[run] = last;
    } else {
      this.#lasts.push(last);
      this.#values.push(value);
    }
  }

  /** @param {number} tick @returns {number} 0 if nobody gave it one */
  at(tick) {
    return this.#values[this.#runOf(tick)] ?? 0;
  }

  /** Nobody will ask about ticks before. @param {number} tick */
  forgetBefore(tick) {
    const run = this.#runOf(tick);
    this.#lasts.splice(0, run);
    this.#values.splice(0, run);
  }

  /** @param {number} tick @returns {number} how many runs end before it */
  #runOf(tick) {
    let from = 0;
    for (let to = this.#lasts.length; from < to;) {
      const middle = (from + to) >> 1;
      if (this.#lasts[middle] < tick) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
