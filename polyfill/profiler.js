import { convertOptions, usedInterval } from './options.js';
import { adoptHook } from './hook.js';
import { modeOf } from './mode.js';
import { acquireSampler, releaseSampler } from './sampler.js';

/** Doors for the rest of the polyfill, invisible to the page. */
export const STARTED = Symbol('polyprof started');
export const LOSSES = Symbol('polyprof losses');
export const END = Symbol('polyprof end');
export const MODE = Symbol('polyprof mode');
export const HIDE = Symbol('polyprof hide');

/** Where the worker and the core are; set by `install`. @type {{url: URL | undefined}} */
export const base = { url: undefined };

/**
 * `Profiler` of the JS Self-Profiling API (WICG text): sampling starts with the constructor, `stop()` ends it and resolves with
 * the trace, `samplebufferfull` says that the buffer is full and sampling has ended by itself.
 */
export class Profiler extends EventTarget {
  #sampleInterval;
  #stopped = false;
  #taken = false;
  /** @type {import('./sampler.js').Shared} */
  #shared;
  /** @type {import('./sampler.js').Sampler | undefined} */
  #sampler;
  #session = -1;
  /** @type {import('./mode.js').Mode} */
  #mode;
  /** @type {Record<string, number> | undefined} of the whole session, once that ended */
  #losses;
  /** @type {Promise<void>} */
  #started;

  /**
   * @param {{sampleInterval: number, maxBufferSize: number}} options interval in ms, buffer in samples
   * @throws {TypeError} a member is missing or no number
   * @throws {RangeError} sampleInterval is negative
   * @throws {DOMException} NotSupportedError: scripts have shadow probes and the page is not cross-origin isolated
   */
  constructor(options) {
    super();
    const converted = convertOptions(options, "Failed to construct 'Profiler'", { bufferSizeRequired: true });
    this.#mode = modeOf(adoptHook());
    this.#sampleInterval = usedInterval(converted.sampleInterval);
    this.#shared = acquireSampler(/** @type {URL} */ (base.url));
    this.#started = this.#start(converted);
    this.#started.catch(() => {}); // stop() tells
  }

  /** The interval really used, ms. */
  get sampleInterval() {
    return this.#sampleInterval;
  }

  get stopped() {
    return this.#stopped;
  }

  /**
   * Not a promise-returning `async` function: the ticks still pending belong to the caller's stack, as it is now.
   * @returns {Promise<object>} the ProfilerTrace; rejects with InvalidStateError when it was given out before
   */
  stop() {
    return this[END](0);
  }

  /** Resolves when sampling runs; rejects with NotSupportedError. Not part of the API. */
  [STARTED]() {
    return this.#started;
  }

  /** Losses by reason: up to now, or up to the end. Not part of the API. */
  [LOSSES]() {
    return this.#losses ?? this.#sampler?.counters() ?? {};
  }

  /** Which probes are sampled, once STARTED. Not part of the API. */
  get [MODE]() {
    return this.#mode;
  }

  /** @param {number} furtherFrames between the page's call and this one's caller @returns {Promise<object>} */
  [END](furtherFrames) {
    if (this.#taken) {
      return Promise.reject(new DOMException('The profiler was stopped already.', 'InvalidStateError'));
    }
    this.#taken = true;
    if (this.#sampler && !this.#stopped) this.#sampler.close(this.#session, furtherFrames + 1);
    this.#stopped = true;
    return this.#take();
  }

  /**
   * Ends sampling, if it did not end before, from the root of a task; `stop()` still has the trace.
   * @returns {Uint8Array | undefined} the ProfilerTrace as JSON; undefined: sampling did not begin yet, or the trace was given out
   */
  [HIDE]() {
    if (this.#taken || !this.#sampler) return undefined;
    if (!this.#stopped) this.#sampler.close(this.#session, 1);
    this.#stopped = true;
    return this.#sampler.traceNow(this.#session);
  }

  /** @param {import('./options.js').ProfilerOptions} options */
  async #start(options) {
    try {
      const sampler = await this.#shared.sampler;
      this.#session = await sampler.open(options, () => this.#full());
      this.#sampler = sampler;
      this.#mode = sampler.mode;
      if (this.#taken) sampler.close(this.#session);
    } catch (error) {
      releaseSampler(this.#shared);
      throw error;
    }
  }

  #full() {
    if (this.#stopped) return;
    this.#stopped = true;
    this.dispatchEvent(new Event('samplebufferfull'));
  }

  /** @returns {Promise<object>} */
  async #take() {
    await this.#started;
    const sampler = /** @type {import('./sampler.js').Sampler} */ (this.#sampler);
    try {
      return await sampler.trace(this.#session);
    } finally {
      this.#losses = sampler.counters();
      sampler.release(this.#session);
      releaseSampler(this.#shared);
    }
  }
}

for (const name of /** @type {const} */ (['sampleInterval', 'stopped', 'stop'])) {
  Object.defineProperty(Profiler.prototype, name, { enumerable: true });
}
Object.defineProperty(Profiler.prototype, Symbol.toStringTag, { value: 'Profiler', configurable: true });
