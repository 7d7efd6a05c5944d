/** Runs of ticks. More than that are settled by what is near. */
const MAX_ENTRIES = 64;

/** At most so many looks keep credit. When there are as many, further looks get none: the older ones have more of it left. */
const MAX_CREDITORS = 1024;

/**
 * @typedef {import('../sampling/attribution.js').Look} Look
 * @typedef {import('./seen.js').Seen} Seen
 * @typedef {{after: number, last: number, look: Seen | false}} Entry ticks in (after, last], and what ran at them if that is known
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
  /** What the latest recorded ticks went to. @type {Seen | false | undefined} */
  #recorded;
  /** Ticks so far that were not located. */
  unlocated = 0;

  /** @param {(look: Look) => void} record called in the order of ticks */
  constructor(record) {
    this.#record = record;
  }

  /** @param {number} after @param {number} last @param {Seen | false} look what ran at these ticks, if that is known */
  add(after, last, look) {
    if (!look) this.unlocated += last - after;
    while (!look && after < last && this.#creditors.length > 0) {
      const creditor = this.#creditors[0];
      const taken = Math.min(creditor.ticks, last - after);
      this.#entries.push({ after, last: after + taken, look: creditor.look });
      after += taken;
      creditor.ticks -= taken;
      if (creditor.ticks === 0) this.#creditors.shift();
    }
    // Neighbours that are not located, or both idle, are one run.
    const previous = this.#entries.at(-1);
    if (previous?.look === look) previous.last = last;
    else if (after < last) this.#entries.push({ after, last, look });
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
    this.#creditors.length = 0;
    return this.#flush(0);
  }

  /** @param {number} most entries that may wait @returns {number} ticks with nothing near, which happens if none may */
  #flush(most = MAX_ENTRIES) {
    let lost = 0;
    while (this.#entries.length > most || this.#entries[0]?.look) {
      const { after, last, look } = /** @type {Entry} */ (this.#entries.shift());
      this.#recorded = look || this.#recorded || this.#entries.find(({ look }) => look)?.look;
      if (this.#recorded) this.#record({ ...this.#recorded, after, last });
      else lost += last - after;
    }
    return lost;
  }
}
