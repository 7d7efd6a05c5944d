import { usedInterval } from './options.js';
import { adoptHook } from '../hook/hook.js';
import { modeOf } from '../sampling/mode.js';
import { acquireSampler, releaseSampler } from '../sampling/shared_sampler.js';

/**
 * A profiling session as the specification defines it. Pages do not see this class, but `Profiler` and the draft's profiler, which each wrap one. Sampling starts with
 * the constructor.
 */
export class Session {
  stopped = false;
  #mode;
  sampleInterval;
  #taken = false;
  /** What to call, from the event loop, when the buffer is full and sampling has ended by itself. */
  #onFull;
  /** Until the trace was given out: who keeps the profiler is not to keep all that sampled. @type {import('../sampling/shared_sampler.js').Shared | undefined} */
  #shared;
  /** Once sampling runs, and until then: who samples ... @type {import('../sampling/sampler.js').Sampler | undefined} */
  sampler;
  /** ... and our number there. */
  id = -1;
  /** @type {Record<string, number> | undefined} of the whole session, once that ended */
  #losses;

  /**
   * @param {import('./options.js').ProfilerOptions} options
   * @param {() => void} onFull
   * @throws {DOMException} NotSupportedError: scripts have shadow probes and the page is not cross-origin isolated;
   *   QuotaExceededError: too many sessions
   */
  constructor(options, onFull) {
    this.#onFull = onFull;
    this.#mode = modeOf(adoptHook());
    this.sampleInterval = usedInterval(options.sampleInterval);
    const shared = acquireSampler();
    this.#shared = shared;
    /** Resolves when sampling runs; rejects with NotSupportedError. @type {Promise<void>} */
    this.started = this.#start(shared, options);
    this.started.catch(() => {}); // end() tells
  }

  /** Which probes are sampled; if there were none yet, the first ones that come may change it. @returns {import('../sampling/mode.js').Mode} */
  get mode() {
    return this.sampler?.mode ?? this.#mode;
  }

  /** By reason: up to now, or up to the end. */
  get losses() {
    return this.#losses ?? this.sampler?.counters() ?? {};
  }

  /**
   * No `async` function: the ticks still pending belong to the caller's stack, as it is now.
   * It is called from the method that the page calls.
   * @returns {Promise<Uint8Array | object>} the ProfilerTrace, as JSON or as it is
   * @throws {DOMException} InvalidStateError: it was given out before
   */
  end() {
    if (this.#taken) throw new DOMException('stopped', 'InvalidStateError');
    this.#taken = true;
    if (!this.stopped) this.sampler?.close(this.id, 1);
    this.stopped = true;
    return this.#take();
  }

  /**
   * Ends sampling, if it did not end before, from the root of a task; `end()` still has the trace.
   * @returns {Uint8Array | undefined} the ProfilerTrace as JSON; undefined: sampling did not begin yet, or the trace was given out
   */
  hide() {
    if (this.#taken || !this.sampler) return undefined;
    if (!this.stopped) this.sampler.close(this.id, 1);
    this.stopped = true;
    return this.sampler.traceNow(this.id);
  }

  /** @param {import('../sampling/shared_sampler.js').Shared} shared @param {import('./options.js').ProfilerOptions} options */
  async #start(shared, options) {
    try {
      const sampler = await shared.sampler;
      this.id = await sampler.open(options, () => this.#full());
      this.sampler = sampler;
      if (this.#taken) sampler.close(this.id);
    } catch (error) {
      releaseSampler(shared);
      throw error;
    }
  }

  #full() {
    if (this.stopped) return;
    this.stopped = true;
    this.#onFull();
  }

  async #take() {
    await this.started;
    const sampler = /** @type {import('../sampling/sampler.js').Sampler} */ (this.sampler);
    try {
      return await sampler.trace(this.id);
    } finally {
      this.#losses = sampler.counters();
      this.#mode = sampler.mode;
      sampler.release(this.id);
      releaseSampler(/** @type {import('../sampling/shared_sampler.js').Shared} */ (this.#shared));
      this.#shared = this.sampler = undefined;
    }
  }
}
