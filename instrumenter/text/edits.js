import MagicString from 'magic-string';

/**
 * @typedef {{at: number, end: number, rank: number, text: string}} Edit `at` to `end` (offsets) becomes `text`;
 *   at one offset, lower ranks come first
 */

/** Rank of what stands right after a block's `{` or directives. */
const OPENING = -Number.MAX_SAFE_INTEGER;

/**
 * The insertions into one file, and where each place of the input ends up.
 *
 * Text is put around nodes, which nest. At one offset, what ends comes before what starts; of two that end, the inner one comes
 * first, and of two that start, the outer one. `order` says which is which: surrounding nodes have the smaller one. None of the
 * texts has a line terminator, so lines never move.
 */
export class Edits {
  /** Added to all offsets: where the script starts in its file. */
  base = 0;
  /** @type {Edit[]} */
  #edits = [];
  /** Code units added by all edits before the one of this index. @type {number[]} */
  #shifts = [];

  /** Sorted once sealed. @returns {Edit[]} */
  get all() {
    return this.#edits;
  }

  get isEmpty() {
    return this.#edits.length === 0;
  }

  /** @param {number} offset @param {number} order @param {string} text before what starts there */
  before(offset, order, text) {
    this.#add(offset, offset, order, text);
  }

  /** @param {number} offset @param {number} order @param {string} text after what ends there */
  after(offset, order, text) {
    this.#add(offset, offset, -order, text);
  }

  /** @param {number} offset @param {string} text at the start of a block's inside; in an empty block it comes before what is at its end */
  opening(offset, text) {
    this.#add(offset, offset, OPENING, text);
  }

  /** @param {number} start @param {number} end @param {number} order @param {string} text in place of the range */
  replace(start, end, order, text) {
    this.#add(start, end, order, text);
  }

  /** @param {number} start @param {number} end @param {number} rank @param {string} text */
  #add(start, end, rank, text) {
    this.#edits.push({ at: start + this.base, end: end + this.base, rank, text });
  }

  /** Call it once, when all edits are there. */
  seal() {
    this.#edits.sort((a, b) => a.at - b.at || a.rank - b.rank);
    let shift = 0;
    this.#shifts = [0];
    for (const { at, end, text } of this.#edits) this.#shifts.push((shift += text.length - (end - at)));
  }

  /** @param {number} offset @param {number} order of the node that starts there @returns {number} offset in the output */
  startOf(offset, order) {
    return offset + this.#shiftBefore(offset, order - 0.5);
  }

  /** @param {number} offset @param {number} order of the node that ends there @returns {number} offset in the output */
  endOf(offset, order) {
    return offset + this.#shiftBefore(offset, -order);
  }

  /** @param {number} offset @returns {number} offset in the output, before anything that was put there */
  lineStart(offset) {
    return offset + this.#shiftBefore(offset, -Infinity);
  }

  /** @param {number} offset @param {number} rank the last one that counts @returns {number} */
  #shiftBefore(offset, rank) {
    let low = 0;
    let high = this.#edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const edit = this.#edits[middle];
      if (edit.at < offset || (edit.at === offset && edit.rank <= rank)) low = middle + 1;
      else high = middle;
    }
    return this.#shifts[low];
  }

  /** @param {string} code @returns {string} the edited file */
  applyTo(code) {
    const output = new MagicString(code);
    for (const { at, end, text } of this.#edits) {
      if (at === end) output.appendLeft(at, text);
      else output.update(at, end, text);
    }
    return output.toString();
  }
}
