import { isNextBefore, ofPrevious } from './late_ticks.js';
import { isCut } from '../capture/stack_text.js';
import { ProbePoint } from '../../wasm/core.js';
import { PENDING_TABLE } from '../../wasm/status.js';

/** Of the texts that are remembered. Most repeat; a page whose texts don't would fill the memory. */
const MAX_CHARACTERS = 10e6;

/** Looks kept while a function table is on its way. */
const MAX_WAITING = 4096;

/**
 * @typedef {import('../capture/seen.js').Seen} Seen
 * @typedef {Seen & {after: number, last: number, now?: number}} Look what was seen, and the ticks in (after, last] that it stands for; with
 *   `now`, ms, for none, but it is a sample that was forced then
 */

/**
 * From looks at the stack to recorded samples: each text becomes a stack once, and waits for the function tables that it needs.
 */
export class Attribution {
  #core;
  #onFull;
  /** By text, and by point: what `Core.stackOfText` said. @type {Map<string, number[]>} */
  #stacks = new Map();
  /** Their texts' lengths together. */
  #characters = 0;
  /** @type {Look[]} */
  #waiting = [];
  /** Ticks thrown away because something went wrong, or their tables never came. */
  lost = 0;
  /** Different stacks that are deeper than the engine tells. @type {Set<number>} */
  cut = new Set();

  /**
   * @param {import('../../wasm/core.js').Core} core
   * @param {() => void} onFull called inside a probe: must not run page code
   */
  constructor(core, onFull) {
    this.#core = core;
    this.#onFull = onFull;
  }

  /**
   * @param {Look} look
   * @param {number} [stack] of it. At a leave the function itself ran: if its stack has nothing that we know, we cannot read it
   */
  add(look, stack = this.#stackOf(look) || (look.point === ProbePoint.LEAVE ? -1 : 0)) {
    if (stack >= 0) {
      const { after, last, now } = look;
      const full =
        now === undefined ? this.#core.record(after, last, stack) : this.#core.forceSample(now, stack);
      if (full > 0) this.#onFull();
    } else if (stack === -PENDING_TABLE && this.#waiting.length < MAX_WAITING) {
      this.#waiting.push(look);
    } else {
      this.lost += look.last - look.after;
    }
  }

  /**
   * Ticks passed between two looks that nobody watched: charges the earlier ones to what the previous look saw (or what ran after it), and leaves the later ones to this look.
   * @param {number} late
   * @param {Look} previous
   * @param {Look} look
   */
  addLate(late, previous, look) {
    const before = { ...previous, after: look.after };
    const ran = this.#stackOf(before);
    const runs = this.#stackOf(look);
    before.point = before.point === ProbePoint.LEAVE ? ProbePoint.ENTER : ProbePoint.LEAVE;
    let stack = this.#stackOf(before);
    if (!isNextBefore(ran, stack, runs)) {
      before.point = previous.point;
      stack = ran;
    }
    before.last = look.after += ofPrevious(late, stack, runs);
    this.add(before, stack);
  }

  /** More tables are there, or known to be missing: what waited for them is attributed now. */
  tablesChanged() {
    this.#forget();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) this.add(look);
  }

  #forget() {
    this.#stacks.clear();
    this.#characters = 0;
  }

  /** @param {Seen} seen @returns {number} as `Core.stackOfText`; -1: nobody can tell */
  #stackOf({ text, point, skip }) {
    // Of what runs there is a text, unless the page takes it away.
    if (text === '') return skip > 0 ? -1 : 0;
    let stacks = this.#stacks.get(text);
    if (!stacks) {
      if (this.#characters > MAX_CHARACTERS) this.#forget();
      this.#characters += text.length;
      this.#stacks.set(text, (stacks = []));
    }
    // Not a failure: there may be memory again.
    if (!(stacks[point] >= 0)) {
      stacks[point] = this.#core.stackOfText(text, point, skip);
      if (stacks[point] >= 0 && isCut(text)) this.cut.add(stacks[point]);
    }
    return stacks[point];
  }
}
