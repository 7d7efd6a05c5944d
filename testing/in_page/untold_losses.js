/** Losses are counted on as long as one profiler begins before another one has ended: what of them was not told yet. */
export class UntoldLosses {
  /** @type {Record<string, number>} */
  #told = {};

  /** @param {Record<string, number>} losses so far @returns {Record<string, number>} those since the last call */
  since(losses) {
    const told = this.#told;
    this.#told = losses;
    return Object.fromEntries(
      Object.entries(losses).map(([reason, count]) => [reason, count - (told[reason] ?? 0)]),
    );
  }

  /** The next profiler counts anew. */
  forget() {
    this.#told = {};
  }
}
