import { define } from '../define.js';
import { fetch } from '../loading/fetch.js';
import { loadExtra } from '../loading/load_extra.js';
import { settings } from '../settings.js';
import { textFrom } from '../capture/stack_text.js';
import { CoreError } from '../../wasm/boundary.js';
import { clock } from '../../wasm/clock.js';
import { BUSY } from '../../wasm/status.js';

/**
 * So many tables may be asked for now; below zero, so many wait. Of some thousand requests at a time Chromium refuses many, also of the page's.
 */
let free = 64;

/** @type {(() => void)[]} */
const waiting = [];

/**
 * Fetches the function tables of the realm's instrumented scripts: of those there are, and of those that load while a session runs.
 */
export class Tables {
  #hook;
  #core;
  #onChange;
  #onScript;
  /** Scripts that the core knows; it has a row for each. */
  #rows = 0;
  /** @type {Set<Promise<void>>} */
  #loading = new Set();
  /** Instrumented scripts whose stack text does not tell where they are. */
  unplaced = 0;
  #stopped = false;
  /** Addresses of scripts whose functions the page may not see. @type {Set<string>} */
  hidden = new Set();
  /** Takes them out of a trace. @type {typeof import('../extra/hidden_scripts.js').withoutHidden} */
  #withoutHidden = () => {
    throw new CoreError('encode', BUSY);
  };
  #push;
  #previous;

  /**
   * @param {import('../hook/hook.js').Hook} hook
   * @param {import('../../wasm/core.js').Core} core
   * @param {() => void} onChange when tables came or failed, of many not after each, and when something is hidden
   * @param {(script: import('../hook/hook.js').ScriptEntry) => void} onScript for each script that is in the hook's list, or now comes into it; must not throw
   */
  constructor(hook, core, onChange, onScript) {
    this.#hook = hook;
    this.#core = core;
    this.#onScript = onScript;
    this.#onChange = onChange;
    hook.s.forEach((entry) => this.#add(entry));
    // Others may listen too, and stop in any order: each passes on to the one before.
    this.#previous = hook.s.push;
    this.#push = (/** @type {import('../hook/hook.js').ScriptEntry} */ entry) => {
      const length = this.#previous.call(hook.s, entry);
      if (!this.#stopped) this.#add(entry);
      return length;
    };
    this.#listen(this.#push);
  }

  /** Resolves when no table is on its way; rejects with a NotSupportedError if nobody can tell what the page may see. */
  async settled() {
    while (this.#loading.size) await Promise.all(this.#loading);
  }

  stop() {
    this.#stopped = true;
    if (this.#hook.s.push === this.#push) this.#listen(this.#previous);
  }

  /** A list that the page froze gets no further script. @param {(entry: import('../hook/hook.js').ScriptEntry) => number} push */
  #listen(push) {
    define(this.#hook.s, 'push', push);
  }

  /** What is not there yet will not be waited for. */
  giveUp() {
    for (let row = this.#rows; row--;) this.#core.failTable(row);
    this.#onChange();
  }

  /** Runs inside the page's script when that loads during a session: must not throw. @param {import('../hook/hook.js').ScriptEntry} entry */
  #add(entry) {
    this.#onScript(entry);
    try {
      const [scriptId, tableName, stackText, firstFunctionId] = entry;
      // The script's own frame alone: to say where in it the next one is, V8 would read the script again as a whole.
      const row = this.#core.registerScript(textFrom(stackText, 1), scriptId, firstFunctionId);
      if (row < this.#rows) return;
      this.#rows = row + 1;
      const loading = this.#load(row, tableName).then(() => {
        this.#loading.delete(loading);
        // All that waits is read anew then: with thousands of modules not for each of them, but for the last one, the last but one, two, four, and so on.
        if (!(this.#loading.size & (this.#loading.size - 1))) this.#onChange();
      });
      loading.catch(() => {}); // settled() tells
      this.#loading.add(loading);
    } catch {
      // Its frames then appear as the engine gives them, and alone they don't tell that something ran.
      this.unplaced++;
    }
  }

  /** @param {number} row of the script @param {string} tableName rejects where nobody can tell whether the page may see the script */
  async #load(row, tableName) {
    const address = this.#core.scriptUrl(row);
    this.#hideIfForeign(address);
    if (--free < 0)
      await new Promise((/** @type {(value?: undefined) => void} */ resolve) => waiting.push(resolve));
    let isServed = false;
    try {
      const response = await fetch(new URL(tableName, address), { priority: 'low' });
      if (!(isServed = response.ok)) throw response;
      this.#core.loadTable(row, new Uint8Array(await response.arrayBuffer()));
    } catch {
      this.#core.failTable(row);
    } finally {
      free++;
      waiting.shift()?.();
    }
    this.#hideIfForeign(address);
    if (this.hidden.has(address) && !(await loadExtra()).isHidden(address, isServed))
      this.hidden.delete(address);
  }

  /**
   * Of another origin, or redirected there: hidden until it is known to be shared. So is everything in documents without an address of their own,
   * such as `srcdoc` frames.
   * @param {string} address
   */
  #hideIfForeign(address) {
    if (
      settings.unknown !== 'show' &&
      (!address.startsWith(`${location.origin}/`) ||
        clock
          .getEntriesByName(address, 'resource')
          .some((/** @type {any} */ { requestStart }) => !requestStart))
    ) {
      this.hidden.add(address);
      this.#onChange();
      // Before anybody knows: the page may be closed meanwhile.
      loadExtra().then(
        (extra) => (this.#withoutHidden = extra.withoutHidden),
        () => {},
      );
    }
  }

  /** @param {Uint8Array} json a ProfilerTrace @returns {Uint8Array} what of it the page may see @throws {CoreError} BUSY: nobody can tell yet */
  shown(json) {
    return this.hidden.size ? this.#withoutHidden(json, this.hidden, settings.unknown === 'mark') : json;
  }
}
