import { Attribution as Plain } from '../sampling/attribution.js';
import { stackError, textOf } from '../capture/stack_text.js';
import { TickRuns } from './tick_runs.js';
import { timeNow } from '../../wasm/clock.js';
import { ProbePoint } from '../../wasm/probe_point.js';

/** @import { Look, Seen } from '../sampling/attribution.js' */

/** @typedef {{line: number, column: number}} Site place of a call, both from 1 */

/** Of the texts of different looks that are kept. Most repeat; a page whose looks don't would fill the memory. */
export const MAX_CHARACTERS = 10e6;

/** Of a session of the core: as many samples as there is memory for. */
export const ENDLESS = 0xffffffff;

/** Of one that takes samples by force alone. */
const NEVER_MS = 2 ** 31 - 1;

/** Samples' times are rounded; a tick is never so near to the next one. */
const ROUNDING_MS = 0.01;

/** Where a line of an engine's text says a place. */
const PLACE = /:(\d+):(\d+)$/;

/** What follows did not run: it waits, or has made what runs. */
const ASYNC = /^[^@]*\*/;

/**
 * In place of polyfill/sampling/attribution.js, in the file of this API: stacks have the places of definitions, and what an engine said of those of calls
 * is kept for each tick.
 */
export class Attribution extends Plain {
  #core;
  /** @type {Seen[]} */
  #looks = [];
  /** Their texts' lengths together. */
  #characters = 0;
  /** Index into `#looks`, by point and skipped frames, and by text. @type {Record<string, Map<string, number>>} */
  #indices = {};
  /** Index into `#looks`, from 1; 0: nothing ran, or nobody knows. */
  #byTick = new TickRuns();
  #forced = 0;
  /** Session that is open for a question, or could not be released after one; -1: none. */
  #asked = -1;
  /** By index into `#looks`, with the function tables that are there. @type {(Site[] | undefined)[]} */
  #sites = [];
  /** How often there were more function tables than before. */
  tableChanges = 0;

  /** @param {import('../../wasm/core.js').Core} core @param {() => void} onFull */
  constructor(core, onFull) {
    super(core, onFull);
    this.#core = core;
  }

  /** @override @param {Look} look @param {number} [stack] */
  add(look, stack) {
    const { text, point, skip, after, last, now } = look;
    // A forced sample that waits for its function table would be one that was due, to those who see it later.
    if (now !== undefined && this.#core.stackOfText(text, point, skip) < 0) return;
    super.add(look, stack);
    const index = text === '' ? 0 : this.#keep(look);
    if (now === undefined) this.#byTick.add(after, last, index);
    else this.#forced = index;
  }

  /** @override */
  tablesChanged() {
    super.tablesChanged();
    this.#sites = [];
    this.tableChanges++;
  }

  /** @param {Look} look @returns {number} */
  #keep({ text, point, skip }) {
    const indices = (this.#indices[`${point} ${skip}`] ??= new Map());
    const known = indices.get(text);
    if (known !== undefined) return known;
    if (this.#characters + text.length > MAX_CHARACTERS) return 0;
    this.#characters += text.length;
    const index = this.#looks.push({ text, point, skip });
    indices.set(text, index);
    return index;
  }

  /** Of what runs now: equal for equal stacks, unless the engine's text tells more of them than a trace does. @param {import('../sampling/mode.js').Mode} mode @returns {string | number} */
  stackKey(mode) {
    return mode === 'shadow' ? this.#core.stackOfShadow() : textOf(stackError());
  }

  /** @param {number} timestamp of a sample @returns {Site[] | undefined} where each function of its stack was, leaf first; undefined: nobody knows */
  sitesAt(timestamp) {
    return this.#sitesOf(this.#byTick.at(this.#core.tickAt(timestamp + ROUNDING_MS)));
  }

  /** Nobody will ask about samples before. @param {number} time ms since the time origin */
  forgetBefore(time) {
    this.#byTick.forgetBefore(this.#core.tickAt(time));
  }

  /**
   * A session of the core that takes nothing but what is forced during the call.
   * @template T @param {(session: number) => T} call @returns {T}
   */
  withSession(call) {
    this.#releaseAsked();
    this.#asked = this.#core.openSession(NEVER_MS, ENDLESS, timeNow());
    try {
      return call(this.#asked);
    } finally {
      this.#releaseAsked();
    }
  }

  #releaseAsked() {
    if (this.#asked < 0) return;
    this.#core.releaseSession(this.#asked);
    this.#asked = -1;
  }

  /** Of the sample that was forced last. @returns {Site[] | undefined} as `sitesAt` */
  sitesOfForced() {
    return this.#sitesOf(this.#forced);
  }

  /** @param {number} index @returns {Site[] | undefined} */
  #sitesOf(index) {
    if (!index) return undefined;
    return (this.#sites[index] ??= this.#calls(this.#looks[index - 1]));
  }

  /** Of the frames that are in a trace, which the core knows from each line by itself. @param {Seen} seen @returns {Site[]} */
  #calls({ text, point, skip }) {
    const lines = text.split('\n').filter((line) => PLACE.test(line));
    const end = lines.findIndex((line) => ASYNC.test(line));
    const running = lines.slice(skip, end < 0 ? undefined : end);
    return running
      .slice(point === ProbePoint.LEAVE ? 0 : 1)
      .filter((line) => this.#core.stackOfText(line, ProbePoint.LEAVE, 0) > 0)
      .map((line) => {
        const [, at, column] = /** @type {RegExpExecArray} */ (PLACE.exec(line));
        return { line: Number(at), column: Number(column) };
      });
  }
}
