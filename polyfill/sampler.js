import { Capture } from './capture.js';
import { adoptHook, notSupported } from './hook.js';
import { loadCore } from './load.js';
import { Shadow } from './shadow.js';
import { Tables } from './tables.js';
import { Ticker } from './ticker.js';
import { createMemory, ProbePoint } from '../wasm/core.js';

/** Longest delay that timers take. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * What all sessions of a realm share while any of them runs: the worker that ticks, the core, the armed probes.
 * It is made by the first session and gone after the last.
 */
export class Sampler {
  #core;
  #ticker;
  #capture;
  #tables;
  /** @type {Map<number, () => void>} open sessions → what to call when full */
  #sessions = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #fillTimer;

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {Ticker} ticker
   * @param {'flag' | 'shadow'} mode
   */
  constructor(hook, core, ticker, mode) {
    this.#core = core;
    this.#ticker = ticker;
    this.mode = mode;
    const onFull = () => setTimeout(() => this.#announceFull());
    this.#capture =
      mode === 'shadow'
        ? new Shadow(/** @type {Int32Array} */ (hook.d))
        : new Capture(hook, core, ticker, onFull);
    ticker.onfull = onFull;
    this.#tables = new Tables(hook, core, () => this.#capture.tablesChanged());
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
      const ticker = await Ticker.start(url, { module, memory, core, flags: hook.f, mode });
      return new Sampler(hook, core, ticker, mode);
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
      truncatedStacks: counters.truncatedStacks + this.#capture.cut,
      lateTicks: this.#ticker.late,
      lostTicks: this.#capture.lost + this.#ticker.lost,
      unplacedScripts: this.#tables.unplaced,
    };
  }

  /** @returns {Promise<void>} when the worker is gone */
  async stop() {
    clearTimeout(this.#fillTimer);
    this.#tables.stop();
    this.#capture.disarm();
    await this.#ticker.stop();
    this.#core.destroy();
  }

  /** The set of sessions changed: the worker plans anew, and so does the timer for a buffer that fills while the page idles. */
  #replan() {
    this.#ticker.wake();
    clearTimeout(this.#fillTimer);
    const now = performance.now();
    const tick = this.#core.tickAt(now);
    const fills = this.#core.fillsAtTick(tick);
    if (fills === 2 ** 31 - 1 || this.mode === 'shadow') return;
    const delay = Math.min(Math.max(fills - tick, 1), LONGEST_TIMEOUT_MS);
    this.#fillTimer = setTimeout(() => {
      this.#capture.lookFromRoot();
      this.#replan();
    }, delay);
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

/**
 * Scripts with flag probes run in any page, those with shadow probes are sampled wherever memory is shared; in a page that has both
 * kinds, only the latter are seen.
 * @param {import('./hook.js').Hook} hook @returns {'flag' | 'shadow'}
 */
function modeOf(hook) {
  return hook.d && hook.m ? 'shadow' : 'flag';
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

/** @throws {DOMException} NotSupportedError, when this page can't be sampled */
export function requireIsolation() {
  if (!globalThis.crossOriginIsolated) {
    throw notSupported(
      'this page is not cross-origin isolated: serve it with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp',
    );
  }
  if (typeof SharedArrayBuffer !== 'function') {
    throw notSupported(
      'this browser gives the page no SharedArrayBuffer although it is cross-origin isolated',
    );
  }
}
