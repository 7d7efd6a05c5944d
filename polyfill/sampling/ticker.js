import { cellsOf, LATE, LIFE, LOST, PAUSED, SAMPLING, SEEN, SINCE, STOP, TICK, WAKE } from './cells.js';
import { comesTrue } from './comes_true.js';
import { startWorker } from '../loading/load.js';
import { timeNow, timeOrigin } from '../../wasm/clock.js';

/** A worker that lives answers in microseconds, but a busy machine may keep it waiting. */
const PATIENCE_MS = 1500;

/** After `Worker.terminate()`, Chromium lets a script run on for 2 s. */
const END_MS = 3000;

/** How often a worker must give a sign of life. */
export const ROLL_CALL_MS = 1000;

/** So many ticks may be due without the worker's having announced them, although it is not late. */
const MOST_ON_THEIR_WAY = 2;

/** So many ticks the worker may be behind before nobody knows what ran at them. */
const GRACE_TICKS = 100;

/**
 * The page's side of the worker that ticks. It may be gone at any moment, without an event: page code can end it, and so can the browser.
 */
export class Ticker {
  #cells;
  #worker;
  #core;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #rollCall;
  /** @type {Promise<void> | undefined} */
  #burial;
  /** Whether the worker is to tell or record ticks, as of the last wake(). */
  #isOnDuty = false;
  /** What to call when the worker is found to be gone. */
  ongone = () => {};

  /** @param {Int32Array} cells @param {Worker} worker @param {import('../../wasm/core.js').Core} core */
  constructor(cells, worker, core) {
    this.#cells = cells;
    this.#worker = worker;
    this.#core = core;
    this.#callRoll();
  }

  #callRoll() {
    this.#rollCall = setInterval(() => this.settled(), ROLL_CALL_MS);
  }

  /**
   * @param {URL} url of polyprof-worker.js
   * @param {import('./mode.js').Mode} mode
   * @param {import('../../wasm/core.js').Core} core
   * @param {{module: WebAssembly.Module, memory: WebAssembly.Memory, flags: Int8Array}} parts that the worker shares
   * @param {boolean} [isLastTry] to have a worker whose clock is ours
   * @returns {Promise<Ticker>} rejects with NotSupportedError
   */
  static async start(url, mode, core, parts, isLastTry = false) {
    const cells = cellsOf(parts.memory);
    cells.fill(0, 0, LIFE);
    cells[SAMPLING] = Number(mode === 'shadow');
    const origin = timeOrigin();
    const worker = await startWorker(url, {
      ...parts,
      seat: core.seat(),
      timeOrigin: origin,
      life: Atomics.add(cells, LIFE, 1) + 1,
    });
    if (isLastTry || Math.abs(timeOrigin() - origin) < 1) return new Ticker(cells, worker, core);
    // The system's clock was set, and that moves WebKit's: whether before or after the worker looked nobody knows.
    worker.terminate();
    return this.start(url, mode, core, parts, true);
  }

  /** What to call, from the event loop, when the worker filled a session's buffer. @param {() => void} listener */
  set onfull(listener) {
    this.#worker.onmessage = listener;
  }

  /** The latest tick that the worker told. */
  get tick() {
    return Atomics.load(this.#cells, TICK);
  }

  /** @param {number} tick now's @returns {number} the latest tick up to that one that the worker watches or will tell */
  watched(tick) {
    const grace = this.#burial ? 0 : this.#core.longestWaitTicks() + GRACE_TICKS;
    return tick - this.tick > grace ? this.tick : tick;
  }

  /** The tick up to which everything is settled: the page knows what ran, or the worker has found that nobody can know it. */
  get since() {
    return Atomics.load(this.#cells, SINCE);
  }

  /** @param {number} tick that is known */
  set since(tick) {
    Atomics.store(this.#cells, SINCE, tick);
  }

  /** @param {number} tick now's @returns {number} ticks up to that one for which it has not woken up yet; some are always on their way */
  unwoken(tick) {
    const late = tick - Math.max(this.since, this.tick);
    return late > MOST_ON_THEIR_WAY ? late : 0;
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
    const isOnDuty = this.#core.longestWaitTicks() > 0 && Atomics.load(this.#cells, PAUSED) === 0;
    // A worker that is late to wake up is not to lose what runs meanwhile.
    if (isOnDuty && !this.#isOnDuty && this.#answers()) {
      this.since = this.#core.tickAt(timeNow());
    }
    this.#isOnDuty = isOnDuty;
    Atomics.add(this.#cells, WAKE, 1);
    Atomics.notify(this.#cells, WAKE);
  }

  /** The worker waits, and nobody asks whether it lives. */
  pause() {
    clearInterval(this.#rollCall);
    Atomics.store(this.#cells, PAUSED, 1);
    this.wake();
  }

  /** @param {number} tick now's */
  resume(tick) {
    this.since = tick;
    if (this.#burial) return;
    this.#callRoll();
    // The worker waits, so it does not tell; what it missed while paused is nobody's. It may not even have heard of the pause yet.
    Atomics.store(this.#cells, TICK, tick);
    Atomics.store(this.#cells, PAUSED, 0);
    this.wake();
  }

  /** The worker no longer tells, but samples. */
  letSample() {
    Atomics.store(this.#cells, SAMPLING, 1);
    this.wake();
  }

  get isGone() {
    return Boolean(this.#burial);
  }

  /** @returns {Promise<void>} when the worker heard us and is out of the core; or is gone, and `ongone` was called */
  async settled() {
    if (this.#burial) return this.#burial;
    this.wake();
    if (!(await comesTrue(() => this.#answers() && !this.#core.isBusy, PATIENCE_MS))) await this.#bury();
  }

  /** @returns {Promise<void>} when the worker is gone */
  async stop() {
    clearInterval(this.#rollCall);
    if (this.#burial) return this.#burial;
    Atomics.store(this.#cells, WAKE, STOP);
    Atomics.notify(this.#cells, WAKE);
    if (await comesTrue(() => this.#answers(), PATIENCE_MS)) this.#worker.terminate();
    else await this.#bury();
  }

  #answers() {
    return Atomics.load(this.#cells, SEEN) === Atomics.load(this.#cells, WAKE);
  }

  #bury() {
    this.#burial ??= this.#takeOver();
    return this.#burial;
  }

  /** It may have died with the lock of the core in its hands. The next worker gets the cells: what they say now is kept. */
  async #takeOver() {
    this.#worker.terminate();
    await comesTrue(() => !this.#core.isBusy, END_MS);
    this.#core.breakLock();
    this.#cells = this.#cells.slice();
    this.ongone();
  }
}
