import { Attribution } from './attribution.js';
import { Capture } from './capture.js';
import { adoptHook, overwritesOf } from './hook.js';
import { loadCore } from './load.js';
import { allowed, modeOf } from './mode.js';
import { SelfTimed } from './self_timed.js';
import { Shadow } from './shadow.js';
import { Tables } from './tables.js';
import { Ticker } from './ticker.js';
import { createMemory, ProbePoint } from '../wasm/core.js';
import { BUSY } from '../wasm/status.js';

/** @typedef {import('./mode.js').Mode} Mode */

/**
 * What all sessions of a realm share while any of them runs: the worker that ticks, the core, the armed probes.
 * It is made by the first session and gone after the last.
 */
export class Sampler {
  #hook;
  #core;
  #ticker;
  #attribution;
  #capture;
  #tables;
  /** @type {Map<number, () => void>} open sessions → what to call when full */
  #sessions = new Map();
  /** Sessions that are to be closed as of then, ms, once the core is free. @type {Map<number, number>} */
  #unclosed = new Map();
  /** Ticks of closed sessions that no worker watched. */
  #workerless = 0;
  #isRetired = false;

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {Mode} mode
   * @param {Ticker | undefined} ticker not if self-timed
   * @param {() => void} onGone no further session is to share this sampler: it lost its worker
   */
  constructor(hook, core, mode, ticker, onGone) {
    this.#hook = hook;
    this.#core = core;
    this.#ticker = ticker;
    this.mode = mode;
    const onFull = () => setTimeout(() => this.#announceFull());
    if (ticker) ticker.onfull = onFull;
    this.#attribution = new Attribution(core, onFull);
    this.#tables = new Tables(hook, core, () => this.#attribution.tablesChanged());
    this.#capture = this.#captureOf(hook);
    this.#capture.arm();
    if (ticker) {
      ticker.ongone = () => {
        this.#retire();
        onGone();
      };
    }
  }

  /**
   * @param {URL} base the folder of polyprof.wasm and polyprof-worker.js
   * @param {() => void} onGone see the constructor
   * @returns {Promise<Sampler>} rejects with NotSupportedError
   */
  static async start(base, onGone) {
    const hook = adoptHook();
    // Scripts with other probes that arrive meanwhile don't change it.
    const mode = modeOf(hook);
    const memory = hook.m ?? createMemory();
    const { module, core } = await loadCore(
      new URL('polyprof.wasm', base),
      memory,
      performance.now(),
      allowed.jitter,
    );
    try {
      const url = new URL('polyprof-worker.js', base);
      const start = { module, memory, core, flags: hook.f, mode };
      const ticker = mode === 'self-timed' ? undefined : await Ticker.start(url, start);
      return new Sampler(hook, core, mode, ticker, onGone);
    } catch (error) {
      core.destroy();
      throw error;
    }
  }

  /**
   * @param {import('./options.js').ProfilerOptions} options
   * @param {() => void} onFull called from the event loop
   * @returns {Promise<number>} session, sampling once the tables that are known now are there
   */
  async open({ sampleInterval, maxBufferSize }, onFull) {
    await this.#tables.settled();
    const session = await this.#whenFree(() =>
      this.#core.openSession(sampleInterval, maxBufferSize, performance.now()),
    );
    this.#sessions.set(session, onFull);
    this.#replan();
    return session;
  }

  /**
   * Ends a session's sampling now: call it synchronously from the page's call, `furtherFrames` frames away from a probe's distance.
   * @param {number} session
   * @param {number} [furtherFrames]
   */
  close(session, furtherFrames = 0) {
    // First, so that the look sees all ticks that are the session's.
    this.#unclosed.set(session, performance.now());
    this.#capture.look(ProbePoint.ENTER, furtherFrames);
    this.#workerless = Math.max(this.#workerless, this.#unwatched());
    try {
      this.#closeNow(session);
    } catch {
      // Somebody is in the core; `trace` waits.
    }
    this.#replan();
  }

  /** @param {number} session that was closed or became full @returns {Promise<object>} its ProfilerTrace */
  async trace(session) {
    await this.#tables.settled();
    const json = await this.#whenFree(() => {
      this.#closeNow(session);
      return this.#core.encodeTrace(session);
    });
    return JSON.parse(new TextDecoder().decode(json));
  }

  /** Without waiting for anything: the page is going away. @param {number} session @returns {Uint8Array} its ProfilerTrace as JSON */
  traceNow(session) {
    this.#tables.giveUp();
    this.#closeNow(session);
    return this.#core.encodeTrace(session);
  }

  /** @param {number} session */
  release(session) {
    this.#sessions.delete(session);
    try {
      this.#core.releaseSession(session);
    } catch {
      // The core is about to go as a whole.
    }
  }

  /** What was lost so far, by reason; see docs/counters.md. @returns {Record<string, number>} */
  counters() {
    const counters = this.#core.counters();
    return {
      ...counters,
      truncatedStacks: counters.truncatedStacks + this.#attribution.cut,
      lateTicks: this.#ticker?.late ?? 0,
      unlocatedTicks: this.#capture.unlocated,
      lostTicks: this.#attribution.lost + (this.#ticker?.lost ?? 0),
      workerlessTicks: Math.max(this.#workerless, this.#unwatched()),
      overwrittenHooks: overwritesOf(this.#hook),
      unplacedScripts: this.#tables.unplaced,
    };
  }

  /** @returns {Promise<void>} when the worker is gone */
  async stop() {
    this.#tables.stop();
    this.#retire();
    await this.#ticker?.stop();
    this.#core.destroy();
  }

  /** Another sampler may arm the probes then. */
  #retire() {
    if (!this.#isRetired) this.#capture.disarm();
    this.#isRetired = true;
  }

  /** Ticks of open sessions that no worker watched. */
  #unwatched() {
    if (!this.#ticker || this.#core.longestWaitTicks() === 0) return 0;
    const tick = this.#core.tickAt(performance.now());
    return tick - this.#ticker.watched(tick);
  }

  /** @param {number} session @throws {CoreError} BUSY */
  #closeNow(session) {
    const closed = this.#unclosed.get(session);
    if (closed === undefined) return;
    this.#core.closeSession(session, closed);
    this.#unclosed.delete(session);
  }

  /** The worker is in the core for microseconds, unless the machine stops it there, or it died there. @template T @param {() => T} call @returns {Promise<T>} */
  async #whenFree(call) {
    try {
      return call();
    } catch (error) {
      if (/** @type {any} */ (error).status !== BUSY || !this.#ticker) throw error;
      await this.#ticker.settled();
      return call();
    }
  }

  /** @param {import('./hook.js').Hook} hook */
  #captureOf(hook) {
    if (this.mode === 'shadow') return new Shadow(/** @type {Int32Array} */ (hook.d));
    if (this.#ticker) return new Capture(hook, this.#core, this.#ticker, this.#attribution);
    return new SelfTimed(hook, this.#core, this.#attribution);
  }

  /** The set of sessions changed. */
  #replan() {
    this.#ticker?.wake();
    this.#capture.replan();
  }

  #announceFull() {
    for (const [session, onFull] of this.#sessions) {
      if (!this.#core.isFull(session)) continue;
      this.#sessions.delete(session);
      onFull();
    }
    this.#replan();
  }
}

/** @typedef {{sampler: Promise<Sampler>, users: number}} Shared */

/** @type {Shared | undefined} */
let running;
/** @type {Promise<unknown>} */
let ended = Promise.resolve();

/**
 * @param {URL} base
 * @returns {Shared} the realm's one sampler; give it back with `releaseSampler`, also when it rejects
 */
export function acquireSampler(base) {
  if (!running) {
    /** @type {Shared} */
    const shared = { users: 0, sampler: ended.then(() => Sampler.start(base, () => unshare(shared))) };
    running = shared;
  }
  running.users++;
  return running;
}

/** @param {Shared} shared */
export function releaseSampler(shared) {
  if (--shared.users > 0) return;
  unshare(shared);
  const stopped = shared.sampler.then((sampler) => sampler.stop()).catch(() => {});
  ended = Promise.all([ended, stopped]);
}

/** @param {Shared} shared */
function unshare(shared) {
  if (running === shared) running = undefined;
}
