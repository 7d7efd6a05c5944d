import { cellsOf, LATE, LOST, STOP, TICK, WAKE } from './cells.js';
import { startWorker } from './load.js';

/**
 * The page's side of the worker that ticks.
 */
export class Ticker {
  #cells;
  #worker;

  /** @param {Int32Array} cells @param {Worker} worker */
  constructor(cells, worker) {
    this.#cells = cells;
    this.#worker = worker;
  }

  /**
   * @param {URL} url of polyprof-worker.js
   * @param {object} start
   * @param {WebAssembly.Module} start.module
   * @param {WebAssembly.Memory} start.memory
   * @param {import('../wasm/core.js').Core} start.core
   * @param {Int8Array} start.flags
   * @param {'flag' | 'shadow'} start.mode
   * @returns {Promise<Ticker>} rejects with NotSupportedError
   */
  static async start(url, { module, memory, core, flags, mode }) {
    const cells = cellsOf(memory).fill(0);
    const worker = await startWorker(url, {
      module,
      memory,
      seat: core.seat(),
      flags,
      timeOrigin: performance.timeOrigin,
      mode,
    });
    return new Ticker(cells, worker);
  }

  /** What to call, from the event loop, when the worker filled a session's buffer. @param {() => void} listener */
  set onfull(listener) {
    this.#worker.onmessage = listener;
  }

  /** The latest tick that the worker told. */
  get tick() {
    return Atomics.load(this.#cells, TICK);
  }

  /** Ticks so far that it slept through. */
  get late() {
    return Atomics.load(this.#cells, LATE);
  }

  /** Ticks so far that it could not record. */
  get lost() {
    return Atomics.load(this.#cells, LOST);
  }

  /** The set of sessions changed. */
  wake() {
    Atomics.add(this.#cells, WAKE, 1);
    Atomics.notify(this.#cells, WAKE);
  }

  /** @returns {Promise<void>} when the worker is gone */
  async stop() {
    const gone = new Promise((resolve) => {
      this.#worker.onmessage = ({ data }) => data === 'stopped' && resolve(undefined);
      this.#worker.onerror = resolve;
    });
    Atomics.store(this.#cells, WAKE, STOP);
    Atomics.notify(this.#cells, WAKE);
    await gone;
    this.#worker.terminate();
  }
}
