/**
 * What counting scripts reported, from any number of pages.
 *
 * @typedef {[source: string, name: string, shape: string, nsPerCall: number, calls: number, starts: number]} CountRow `nsPerCall`:
 *   guessed; `starts`: 1 in a page's first report of a function, and else 0
 */
export class Counts {
  /** @type {Map<string, CountRow>} */
  #rows = new Map();

  /** @param {unknown} text of a report, JSON @returns {boolean} was it one? */
  add(text) {
    let rows;
    try {
      rows = JSON.parse(String(text));
    } catch {
      return false;
    }
    if (!Array.isArray(rows) || !rows.every(isRow)) return false;
    for (const row of rows) {
      const key = row.slice(0, 3).join('\n');
      const known = this.#rows.get(key);
      if (!known) this.#rows.set(key, row);
      else {
        known[4] += row[4];
        known[5] += row[5];
      }
    }
    return true;
  }

  /** @param {import('../budget/function_keys.js').FunctionKey} key @returns {boolean} it was called */
  has({ source, name, shape }) {
    return this.#rows.has([source, name, shape].join('\n'));
  }

  get size() {
    return this.#rows.size;
  }

  /**
   * @param {'measured' | 'estimated'} selfTime
   * @param {(row: CountRow) => number} selfUsOf
   * @param {number} [busyUs] default: the sum
   * @returns {import('../budget/calibration.js').Calibration}
   */
  calibration(selfTime, selfUsOf, busyUs) {
    /** @type {import('../budget/calibration.js').Calibration['sources']} */
    const sources = {};
    let sum = 0;
    for (const row of this.#rows.values()) {
      const [source, name, shape, , calls, starts] = row;
      const selfUs = Math.round(selfUsOf(row));
      sum += selfUs;
      if (!Object.hasOwn(sources, source)) sources[source] = [];
      sources[source].push(starts > 1 ? [name, shape, calls, selfUs, starts] : [name, shape, calls, selfUs]);
    }
    return { version: 1, selfTime, busyMs: Math.max(busyUs ?? sum, 1) / 1000, sources };
  }
}

/** @param {any} row */
function isRow(row) {
  return (
    Array.isArray(row) &&
    row.length === 6 &&
    row.slice(0, 3).every((part) => typeof part === 'string') &&
    row[3] >= 0 &&
    row[4] > 0 &&
    row[5] >= 0
  );
}
