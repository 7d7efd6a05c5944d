import { Attribution } from './attribution.js';
import { Capture } from './capture.js';
import { adoptHook } from './hook.js';
import { loadCore } from './load.js';
import { modeOf } from './mode.js';
import { SelfTimed } from './self_timed.js';
import { Shadow } from './shadow.js';
import { Tables } from './tables.js';
import { Ticker } from './ticker.js';
import { createMemory, ProbePoint } from '../wasm/core.js';

/** @typedef {import('./mode.js').Mode} Mode */

/**
 * What all sessions of a realm share while any of them runs: the worker that ticks, the core, the armed probes.
 * It is made by the first session and gone after the last.
 */
export class Sampler {
  #core;
  #ticker;
  #attribution;
  #capture;
  #tables;
  /** @type {Map<number, () => void>} open sessions → what to call when full */
  #sessions = new Map();

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {Mode} mode
   * @param {Ticker} [ticker] not if self-timed
   */
  constructor(hook, core, mode, ticker) {
    this.#core = core;
    this.#ticker = ticker;
    this.mode = mode;
    const onFull = () => setTimeout(() => this.#announceFull());
    if (ticker) ticker.onfull = onFull;
    this.#attribution = new Attribution(core, onFull);
    this.#tables = new Tables(hook, core, () => this.#attribution.tablesChanged());
    this.#capture = this.#captureOf(hook);
    this.#capture.arm();
  }

  /**
   * @param {URL} base the folder of polyprof.wasm and polyprof-worker.js
   * @returns {Promise<Sampler>} rejects with NotSupportedError
   */
  static async start(base) {
    const hook = adoptHook();
    // Scripts with other probes that arrive meanwhile don't change it.
    const mode = modeOf(hook);
    const memory = hook.m ?? createMemory();
    const { module, core } = await loadCore(new URL('polyprof.wasm', base), memory, performance.now());
    try {
      const url = new URL('polyprof-worker.js', base);
      const start = { module, memory, core, flags: hook.f, mode };
      return new Sampler(
        hook,
        core,
        mode,
        mode === 'self-timed' ? undefined : await Ticker.start(url, start),
      );
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
    const session = this.#core.openSession(sampleInterval, maxBufferSize, performance.now());
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
    this.#capture.look(ProbePoint.ENTER, furtherFrames);
    this.#core.closeSession(session, performance.now());
    this.#replan();
  }

  /** @param {number} session that was closed or became full @returns {Promise<object>} its ProfilerTrace */
  async trace(session) {
    await this.#tables.settled();
    const json = new TextDecoder().decode(this.#core.encodeTrace(session));
    return JSON.parse(json);
  }

  /** @param {number} session */
  release(session) {
    this.#sessions.delete(session);
    this.#core.releaseSession(session);
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
      unplacedScripts: this.#tables.unplaced,
    };
  }

  /** @returns {Promise<void>} when the worker is gone */
  async stop() {
    this.#tables.stop();
    this.#capture.disarm();
    await this.#ticker?.stop();
    this.#core.destroy();
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

/** @type {Promise<Sampler> | undefined} */
let running;
/** @type {Promise<void>} */
let ended = Promise.resolve();
let users = 0;

/**
 * @param {URL} base
 * @returns {Promise<Sampler>} the realm's one sampler; give it back with `releaseSampler`, also when this rejects
 */
export function acquireSampler(base) {
  users++;
  running ??= ended.then(() => Sampler.start(base));
  return running;
}

export function releaseSampler() {
  if (--users > 0 || !running) return;
  const last = running;
  running = undefined;
  ended = last.then(
    (sampler) => sampler.stop(),
    () => {},
  );
}
