import { Attribution } from './attribution.js';
import { FlagCapture } from '../capture/flag_capture.js';
import { adoptHook, armHookFast, forgetOverwrites, overwritesOf, releaseHook } from '../hook/hook.js';
import { ownUrl } from '../loading/base.js';
import { loadCore } from '../loading/load.js';
import { loadExtra } from '../loading/load_extra.js';
import { loadSelfTimed } from '../loading/load_self_timed.js';
import { hasShadowProbes, modeOf } from './mode.js';
import { settings } from '../settings.js';
import { awaitShadowProbes, ShadowCapture } from '../capture/shadow_capture.js';
import { SKIPPED_FRAMES } from '../capture/seen.js';
import { HAS_STARTS } from '../capture/place_of.js';
import { isJsc, isV8, stackError, textOf } from '../capture/stack_text.js';
import { Tables } from './tables.js';
import { Ticker } from './ticker.js';
import { createMemory, ProbePoint } from '../../wasm/core.js';
import { timeNow } from '../../wasm/clock.js';
import { BUSY } from '../../wasm/status.js';

/** @typedef {import('./mode.js').Mode} Mode */

/**
 * What all sessions of a realm share while any of them runs: the worker that ticks, the core, the armed probes.
 * It is made by the first session and gone after the last.
 */
export class Sampler {
  #hook;
  #core;
  #ticker;
  /** In the file of `polyprof/mozilla`, that of polyfill/mozilla/attribution.js. */
  attribution;
  #capture;
  #tables;
  /** Scripts whose probes our mode does not sample. */
  #unsampled = 0;
  /** @type {Map<number, () => void>} open sessions → what to call when full */
  #sessions = new Map();
  /** Sessions that are to be closed as of then, ms, once the core is free. @type {Map<number, number>} */
  #unclosed = new Map();
  /** Traces that were read without waiting: whoever asks again gets the same. @type {Map<number, Uint8Array>} */
  #read = new Map();
  /** Ticks of closed sessions that no worker watched. */
  #workerless = 0;
  /** Ticks of sessions that ended before the worker woke up for them, and that it will not record. */
  #slept = 0;
  /** Likewise, and it may still come. */
  #awaited = 0;
  #isRetired = false;
  #isPaused = false;
  /** Ticks that the worker had not woken up for when the page was hidden: it will find it hidden, or shown again. */
  #unseen = 0;
  #onFull = () => void setTimeout(() => this.#announceFull());
  // Some workers have a `document` that is none.
  #onVisibility = () => this.#pause(globalThis.document?.hidden === true && settings.pauseWhenHidden);

  /**
   * @param {import('../hook/hook.js').Hook} hook
   * @param {import('../../wasm/core.js').Core} core
   * @param {Mode} mode
   * @param {Ticker | undefined} ticker not if self-timed
   * @param {() => void} onGone no further session is to share this sampler: it lost its worker
   * @param {typeof import('../capture/self_timed_capture.js').default} [SelfTimedCapture] if self-timed
   */
  constructor(hook, core, mode, ticker, onGone, SelfTimedCapture) {
    this.#hook = hook;
    this.#core = core;
    this.#ticker = ticker;
    this.mode = mode;
    this.attribution = new Attribution(core, this.#onFull);
    this.#capture = this.#captureOf(hook, SelfTimedCapture);
    // Before anything is armed: the page's own may throw.
    globalThis.document?.addEventListener?.('visibilitychange', this.#onVisibility);
    forgetOverwrites();
    this.#capture.arm();
    const onChange = () => this.attribution.tablesChanged();
    this.#tables = new Tables(hook, core, onChange, (script) => this.#meet(script));
    this.#onVisibility();
    if (ticker) {
      ticker.onfull = this.#onFull;
      ticker.ongone = () => {
        this.#retire();
        onGone();
      };
    }
  }

  /**
   * @param {() => void} onGone see the constructor
   * @returns {Promise<Sampler>} rejects with NotSupportedError
   */
  static async start(onGone) {
    const hook = adoptHook();
    const mode = modeOf(hook);
    if (mode === 'flag') awaitShadowProbes(hook);
    const memory = hook.m ?? createMemory();
    const { module, core } = await loadCore(
      ownUrl('polyprof.wasm'),
      memory,
      timeNow(),
      settings.jitter,
      isJsc,
      settings.unknown === 'mark',
      mode === 'self-timed',
      isV8 && HAS_STARTS,
    );
    let ticker;
    try {
      const url = ownUrl('polyprof-worker.js');
      const parts = { module, memory, flags: hook.f };
      ticker = mode === 'self-timed' ? undefined : await Ticker.start(url, mode, core, parts);
      const selfTimed = ticker ? undefined : await loadSelfTimed();
      return new Sampler(hook, core, mode, ticker, onGone, selfTimed?.default);
    } catch (error) {
      await ticker?.stop();
      core.destroy();
      throw error;
    }
  }

  /**
   * @param {import('../interface/options.js').ProfilerOptions} options
   * @param {() => void} onFull called from the event loop
   * @returns {Promise<number>} session, sampling once the tables that are known now are there
   */
  async open({ sampleInterval, maxBufferSize }, onFull) {
    await this.#tables.settled();
    const session = await this.#whenFree(() =>
      this.#core.openSession(sampleInterval, maxBufferSize, timeNow()),
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
    this.#unclosed.set(session, timeNow());
    try {
      if (!this.#isPaused) this.#capture.look(ProbePoint.ENTER, furtherFrames);
      if (this.mode === 'shadow' && !this.#isPaused && !this.#ticker?.isGone) {
        // They may still come: `trace` waits for them.
        this.#awaited = Math.max(this.#awaited, this.#unwoken());
      } else {
        this.#workerless = Math.max(this.#workerless, this.#unwatched());
      }
      this.#closeNow(session);
    } catch {
      // The worker is in the core, or the page broke `Error`; `trace` waits, and closes.
    }
  }

  /** All sessions that are started take a sample of what runs now: call it from a function that the page calls. */
  force() {
    if (this.#isPaused) return;
    const now = timeNow();
    this.#capture.look(ProbePoint.ENTER, 0);
    this.#capture.settle();
    if (this.mode === 'shadow') {
      if (this.#core.forceSample(now, Math.max(this.#core.stackOfShadow(), 0)) > 0) this.#onFull();
    } else {
      const text = textOf(stackError());
      this.attribution.add({
        text,
        point: ProbePoint.ENTER,
        skip: SKIPPED_FRAMES + 1,
        after: 0,
        last: 0,
        now,
      });
    }
  }

  /** @param {number} session that was closed or became full @returns {Promise<Uint8Array | object>} its ProfilerTrace, as JSON or as it is */
  async trace(session) {
    await this.#tables.settled();
    if (this.#awaited > 0) {
      await this.#ticker?.settled();
      if (this.#ticker?.isGone) this.#slept += this.#awaited;
      this.#awaited = 0;
    }
    const json = await this.#whenFree(() => {
      this.#closeNow(session);
      return this.#read.get(session) ?? this.#encode(session);
    });
    return settings.idleFrame ? (await loadExtra()).withIdleFrame(json) : json;
  }

  /** What a session that goes on has so far: call it from a function that the page calls. @param {number} session @returns {Uint8Array} as JSON */
  peek(session) {
    if (!this.#isPaused) this.#capture.look(ProbePoint.ENTER, 0);
    return this.#encode(session);
  }

  /** Without waiting for anything: the page is going away. @param {number} session @returns {Uint8Array} its ProfilerTrace as JSON */
  traceNow(session) {
    let json = this.#read.get(session);
    if (!json) {
      this.#tables.giveUp();
      this.#slept += this.#awaited;
      this.#awaited = 0;
      this.#closeNow(session);
      json = this.#encode(session);
      this.#read.set(session, json);
    }
    return json;
  }

  /** @param {number} session @returns {Uint8Array} what its ProfilerTrace may show, as JSON */
  #encode(session) {
    this.#capture.settle();
    return this.#tables.shown(this.#core.encodeTrace(session));
  }

  /** @param {number} session */
  release(session) {
    this.#sessions.delete(session);
    this.#read.delete(session);
    try {
      this.#core.releaseSession(session);
    } catch {
      // The core is about to go as a whole.
    }
  }

  /** What was lost so far, by reason; see docs/counters.md. @returns {Record<string, number>} */
  counters() {
    this.#capture.settle();
    const counters = this.#core.counters();
    return {
      ...counters,
      truncatedStacks: counters.truncatedStacks + this.attribution.cut.size,
      lateTicks: (this.#ticker?.late ?? 0) + this.#capture.unwoken,
      unlocatedTicks: this.#capture.unlocated,
      lostTicks: this.attribution.lost + this.#unseen + (this.#ticker?.lost ?? 0),
      workerlessTicks: Math.max(this.#workerless, this.#unwatched()) + this.#slept,
      overwrittenHooks: overwritesOf(this.#hook),
      unplacedScripts: this.#tables.unplaced,
      unsampledScripts: this.#unsampled,
    };
  }

  /** @returns {Promise<void>} when the worker is gone */
  async stop() {
    this.#tables.stop();
    this.#retire();
    await this.#ticker?.stop();
    this.#core.destroy();
  }

  /** While nobody sees the page: no samples and no work. @param {boolean} isPaused */
  #pause(isPaused) {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) {
      this.#unseen += this.#unwoken();
      this.#capture.pause();
      this.#ticker?.pause();
    } else {
      this.#ticker?.resume(this.#core.tickAt(timeNow()));
      this.#capture.resume();
      this.#replan();
    }
  }

  /** There is a script, or one is about to run. @param {import('../hook/hook.js').ScriptEntry} script */
  #meet(script) {
    if (this.#isRetired || hasShadowProbes(script) === (this.mode === 'shadow')) return;
    if (this.mode === 'flag' && this.#hook.m && this.#hook.s.every(hasShadowProbes)) {
      // Until now nothing had probes, so nothing ran.
      if (!this.#isPaused) this.#capture.pause();
      this.mode = 'shadow';
      this.#capture = this.#captureOf(this.#hook);
      if (!this.#isPaused) this.#capture.arm();
      this.#ticker?.letSample();
    } else {
      this.#unsampled++;
    }
  }

  /** Another sampler may arm the probes then. */
  #retire() {
    if (this.#isRetired) return;
    this.#isRetired = true;
    globalThis.document?.removeEventListener?.('visibilitychange', this.#onVisibility);
    this.#capture.disarm();
  }

  /** Ticks that are the worker's to sample, and for which it has not woken up yet. */
  #unwoken() {
    if (this.mode !== 'shadow' || this.#ticker?.isGone || !this.#core.longestWaitTicks()) return 0;
    return this.#ticker?.unwoken(this.#core.tickAt(timeNow())) ?? 0;
  }

  /** Ticks of open sessions that no worker watched. */
  #unwatched() {
    if (!this.#ticker || this.#isPaused || !this.#core.longestWaitTicks()) return 0;
    const tick = this.#core.tickAt(timeNow());
    return tick - this.#ticker.watched(tick);
  }

  /** @param {number} session @throws {CoreError} BUSY */
  #closeNow(session) {
    const closed = this.#unclosed.get(session);
    if (closed === undefined) return;
    this.#core.closeSession(session, closed);
    this.#unclosed.delete(session);
    this.#replan();
  }

  /** The worker is in the core for microseconds, unless the machine stops it there, or it died there. @template T @param {() => T} call @returns {Promise<T>} */
  async #whenFree(call) {
    try {
      return call();
    } catch (error) {
      if (/** @type {any} */ (error).status !== BUSY) throw error;
      // Or a script came of which nobody knows yet whether the page may see it.
      await this.#tables.settled();
      await this.#ticker?.settled();
      return this.#whenFree(call);
    }
  }

  /**
   * @param {import('../hook/hook.js').Hook} hook
   * @param {typeof import('../capture/self_timed_capture.js').default} [SelfTimedCapture]
   * @returns {import('../capture/capture.js').Capture} of our mode
   */
  #captureOf(hook, SelfTimedCapture) {
    if (this.mode === 'shadow') return new ShadowCapture(/** @type {Int32Array} */ (hook.d));
    if (this.#ticker) return new FlagCapture(hook, this.#core, this.#ticker, this.attribution);
    return new /** @type {typeof import('../capture/self_timed_capture.js').default} */ (SelfTimedCapture)(
      hook,
      this.#core,
      this.attribution,
      { armHookFast, releaseHook, stackError, textOf, timeNow },
    );
  }

  /** The set of sessions changed. */
  #replan() {
    // A buffer that became full is announced a task later, when the worker may have been told to end, or be gone.
    if (this.#isRetired) return;
    this.#ticker?.wake();
    if (!this.#isPaused) this.#capture.replan();
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
