/** Runs of ticks. More than that are settled by what is near. */
const MAX_ENTRIES = 64;

/** At most so many looks keep credit. When there are as many, further looks get none: the older ones have more of it left. */
const MAX_CREDITORS = 1024;

/**
 * @typedef {import('../sampling/attribution.js').Look} Look
 * @typedef {import('./seen.js').Seen} Seen
 * @typedef {{after: number, last: number, look?: Seen}} Entry ticks in (after, last], and what ran at them if that is known
 */

/**
 * Ticks in order, of which some are located and most may be not. Those that are not go to looks with credit: to each the nearest before it,
 * and what then is left of its credit, the next after it.
 */
export class Ledger {
  #record;
  /** Settled ones at the front are recorded and gone. @type {Entry[]} */
  #entries = [];
  /** With credit left. @type {{look: Seen, ticks: number}[]} */
  #creditors = [];
  /** @type {Seen | undefined} */
  #recorded;
  /** Ticks so far that were not located. */
  unlocated = 0;

  /** @param {(look: Look) => void} record called in the order of ticks */
  constructor(record) {
    this.#record = record;
  }

  /** @param {number} after @param {number} last */
  addUnlocated(after, last) {
    this.unlocated += last - after;
    while (after < last && this.#creditors.length > 0) {
      const creditor = this.#creditors[0];
      const taken = Math.min(creditor.ticks, last - after);
      this.#entries.push({ after, last: after + taken, look: creditor.look });
      after += taken;
      creditor.ticks -= taken;
      if (creditor.ticks === 0) this.#creditors.shift();
    }
    const previous = this.#entries.at(-1);
    if (after < last) {
      if (previous && !previous.look) previous.last = last;
      else this.#entries.push({ after, last });
    }
    this.#flush();
  }

  /** @param {Look} look */
  addLocated(look) {
    this.#entries.push({ ...look, look });
    this.#flush();
  }

  /** @param {Seen} look @param {number} ticks whole ones that it stands for */
  credit(look, ticks) {
    for (let i = this.#entries.length - 1; i >= 0 && ticks > 0; i--) {
      const entry = this.#entries[i];
      if (entry.look) continue;
      const taken = Math.min(ticks, entry.last - entry.after);
      ticks -= taken;
      const middle = entry.last - taken;
      if (middle === entry.after) {
        entry.look = look;
      } else {
        this.#entries.splice(i + 1, 0, { after: middle, last: entry.last, look });
        entry.last = middle;
      }
    }
    if (ticks > 0 && this.#creditors.length < MAX_CREDITORS) this.#creditors.push({ look, ticks });
    this.#flush();
  }

  /** Gives what is left to what is near. @returns {number} ticks with nothing near */
  settle() {
    let lost = 0;
    this.#creditors.length = 0;
    while (this.#entries.length > 0) {
      const near = this.#nearest();
      if (near) this.#entries[0].look = near;
      else lost += this.#entries[0].last - /** @type {Entry} */ (this.#entries.shift()).after;
      this.#flush();
    }
    return lost;
  }

  #flush() {
    if (this.#entries.length > MAX_ENTRIES) this.#entries[0].look ??= this.#nearest();
    while (this.#entries[0]?.look) {
      const { after, last, look } = /** @type {Required<Entry>} */ (this.#entries.shift());
      this.#recorded = look;
      this.#record({ ...look, after, last });
    }
  }

  /** To the first entry. */
  #nearest() {
    return this.#recorded ?? this.#entries.find(({ look }) => look)?.look;
  }
}
