import { comesTrue } from '../sampling/comes_true.js';
import { loadCore } from '../loading/load.js';
import { ownUrl } from '../loading/base.js';
import { Tables } from '../sampling/tables.js';
import { ROLL_CALL_MS } from '../sampling/ticker.js';
import { NOTHING_ON_SHADOW } from '../../wasm/boundary.js';
import { timeNow, timeOrigin } from '../../wasm/clock.js';

/** @typedef {{hook: import('../hook/hook.js').Hook, memory: WebAssembly.Memory, cells: Int32Array}} ShadowHook `cells`: the shadow stack */

/** The worker asks five times a second and is in the core for microseconds: who is silent for that long is gone. */
const PATIENCE_MS = 3000;

/** But a report of very deep stacks takes it seconds on a slow device, and so does what it sends before it ends. */
const REPORT_PATIENCE_MS = 30_000;

/** Roll calls without another try, when the files of a worker's successor could not be loaded. */
const CALLS_AFTER_FAILURE = 60;

/**
 * The page's side of `watch`: the worker that asks, its core, and another pair of them when the worker is gone, which nothing tells: page
 * code can end it, and so can the browser.
 */
export class Watching {
  #realm;
  #startWorker;
  #settings;
  #onReport;
  /** Signs of life so far, and as of the last roll call. */
  #heard = 0;
  #heardBefore = 0;
  /** It said that it reports, and has said nothing since. */
  #isReporting = false;
  /** Roll calls that are left out. */
  #leaveOut = 0;
  /** Workers that were found to be gone. */
  #lost = 0;
  /** @type {Worker | undefined} */
  #worker;
  /** @type {import('../../wasm/core.js').Core | undefined} */
  #core;
  /** @type {Tables | undefined} */
  #tables;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #rollCall;
  /** A worker is missed, or being replaced. @type {Promise<void> | undefined} */
  #calling;
  /** @type {Promise<void> | undefined} */
  #stopped;
  #hasEnded = false;
  /** Nobody waits for a hidden page, and a frozen one is not stuck. */
  #onVisibility = () => this.#worker?.postMessage(document.hidden ? 'pause' : 'resume');

  /**
   * @param {ShadowHook} realm
   * @param {import('./watch.js').StartWorker} startWorker
   * @param {{threshold: number, sampleInterval: number, maxPerMinute: number, url?: string}} settings of the worker
   * @param {(report: object) => void} onReport without `url`
   */
  constructor(realm, startWorker, settings, onReport) {
    this.#realm = realm;
    this.#startWorker = startWorker;
    this.#settings = settings;
    this.#onReport = onReport;
  }

  /** @returns {Promise<void>} rejects with NotSupportedError */
  async begin() {
    await this.#start();
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#rollCall = setInterval(() => {
      if (this.#leaveOut > 0) return void this.#leaveOut--;
      const isThere = this.#heard > this.#heardBefore || document.hidden;
      this.#heardBefore = this.#heard;
      if (!isThere) this.#call();
    }, ROLL_CALL_MS);
  }

  #call() {
    this.#calling ??= this.#miss().finally(() => (this.#calling = undefined));
  }

  stop() {
    return (this.#stopped ??= this.#stop());
  }

  async #start() {
    const { hook, memory } = this.#realm;
    const wasm = ownUrl('polyprof.wasm');
    const { module, core } = await loadCore(wasm, memory, timeNow(), true);
    /** @type {Worker | undefined} */
    let worker;
    const onTable = () => worker?.postMessage({ hidden: tables.hidden });
    const tables = new Tables(hook, core, onTable, () => {});
    try {
      await tables.settled();
      worker = await this.#startWorker(ownUrl('polyprof-watch.js'), {
        ...this.#settings,
        module,
        memory,
        seat: core.seat(),
        timeOrigin: timeOrigin(),
        page: location.href,
        hidden: tables.hidden,
        lostWorkers: this.#lost,
      });
    } catch (error) {
      tables.stop();
      core.destroy();
      throw error;
    }
    this.#core = core;
    this.#tables = tables;
    this.#worker = worker;
    this.#hasEnded = this.#isReporting = false;
    worker.onmessage = ({ data }) => this.#hear(data);
    this.#onVisibility();
    // It may be another one since the worker was told.
    onTable();
  }

  /** @param {string} message */
  #hear(message) {
    this.#heard++;
    this.#isReporting = message === 'reporting';
    if (this.#isReporting) return;
    if (message === 'ping') {
      // What an uncaught exception left on the shadow stack: here, at the root of a task, nothing runs.
      this.#realm.cells[0] = NOTHING_ON_SHADOW;
      this.#worker?.postMessage({ page: location.href });
    } else if (message === 'stopped') {
      this.#hasEnded = true;
      // By itself: its core is full.
      if (!this.#stopped) this.#call();
    } else {
      this.#onReport(JSON.parse(message));
    }
  }

  /** Waits for the worker a little longer, and then replaces it. */
  async #miss() {
    const heard = this.#heard;
    const isThere = () => this.#heard > heard || document.hidden || this.#stopped !== undefined;
    if (this.#worker) {
      if (!this.#hasEnded && (await this.#comesTrue(isThere))) return;
      this.#lost++;
      await this.#clear();
    }
    await this.#start().catch(() => (this.#leaveOut = CALLS_AFTER_FAILURE));
  }

  /** Of a worker that did not say that it ends, the core stays: it may run on for a while, and may have died with the core's lock in its hands. */
  async #clear() {
    const core = this.#core;
    this.#worker?.terminate();
    this.#tables?.stop();
    this.#worker = undefined;
    if (!core) return;
    if (this.#hasEnded) core.destroy();
    else if (!(await comesTrue(() => !core.isBusy, PATIENCE_MS))) core.breakLock();
  }

  async #stop() {
    document.removeEventListener('visibilitychange', this.#onVisibility);
    clearInterval(this.#rollCall);
    await this.#calling;
    if (!this.#worker) return;
    this.#worker.postMessage('stop');
    await this.#comesTrue(() => this.#hasEnded);
    await this.#clear();
  }

  /** @param {() => boolean} isTrue @returns {Promise<boolean>} false: not as soon as the worker could make it so */
  async #comesTrue(isTrue) {
    if (await comesTrue(isTrue, PATIENCE_MS)) return true;
    return this.#isReporting && comesTrue(isTrue, REPORT_PATIENCE_MS);
  }
}
