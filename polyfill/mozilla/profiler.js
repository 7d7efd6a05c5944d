import { Paths, ROOT } from './paths.js';
import { Recording } from './recording.js';
import { Statistics } from './statistics.js';
import { settings } from '../settings.js';
import { checkPolicy } from '../interface/policy.js';
import { timeNow } from '../../wasm/clock.js';

/** @import { Site } from './attribution.js' */
/** @import { FunctionPlace } from './paths.js' */
/** @import { Sample } from './recording.js' */

/** Where `start()` leaves it out. */
const DEFAULT_RATE_US = 1000;

/** What ended goes on sampling until it is read. */
const RETRY_MS = 1000;

/**
 * @typedef {object} CallNode
 * @property {FunctionPlace} function
 * @property {Site | null} site where in its caller it was called; null: it has no caller, or nobody knows
 * @property {object | null} data what `frame()` gave, if it was called there
 * @property {number} samples `selfCount` and the `samples` of all children
 * @property {number} selfCount samples that end here
 * @property {CallNode[]} children
 */

/** Who is profiling: only one does. @type {Profiler | undefined} */
let active;

/**
 * The profiler of an older design, by Mozilla, with results at once and in the form of a tree (docs/mozilla.md).
 */
export class Profiler {
  static Statistics = Statistics;
  #paths = new Paths();
  /** @type {Map<number, object>} by path */
  #data = new Map();
  /** @type {Recording | undefined} */
  #recording;
  /** Of recordings that ended. @type {Sample[]} */
  #samples = [];
  /** They ended, and could not be read yet. @type {Recording[]} */
  #unread = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  #micros = 0;
  /** When the recording began, ms. */
  #began = 0;
  /** Samples before it do not count, ms. */
  #since = 0;
  #maxSamples = 0;
  /** Resolves when what `start()` began samples; rejects with NotSupportedError. @type {Promise<unknown>} */
  ready = Promise.resolve();

  /**
   * @param {number} [sampleRateUs] µs from one sample to the next, rounded up to whole ms
   * @param {number} [maxSamples] the newest are kept; 0: all
   * @throws {TypeError | RangeError} they make no sense
   * @throws {DOMException} SecurityError: the page may not profile
   */
  start(sampleRateUs = DEFAULT_RATE_US, maxSamples = 0) {
    checkPolicy(settings.policy, 'SecurityError');
    const interval = positive(sampleRateUs, 'sample_rate_us') / 1000;
    this.#maxSamples = maxSamples === 0 ? 0 : Math.ceil(positive(maxSamples, 'max_samples'));
    active?.stop();
    const recording = new Recording(this.#paths, interval, this.#maxSamples);
    active = this;
    this.#recording = recording;
    this.#began = timeNow();
    this.ready = recording.started;
    this.ready.catch(() => this.#recording === recording && this.stop());
  }

  /** Nothing happens if it does not profile. */
  stop() {
    const recording = this.#recording;
    if (!recording) return;
    this.#recording = undefined;
    if (active === this) active = undefined;
    this.#unread.push(recording);
    this.#readEnded();
    this.#micros += this.#elapsed();
  }

  /** Has another one been started meanwhile, this one was stopped. */
  isProfiling() {
    return this.#recording !== undefined;
  }

  /** @returns {Record<string, any>} of the stack that calls: the same object each time; while nothing is profiled, one that is not kept */
  frame() {
    const path = this.#recording?.here();
    if (path === undefined) return {};
    let data = this.#data.get(path);
    if (!data) this.#data.set(path, (data = {}));
    return data;
  }

  /** Of all since the last `reset()`. @returns {{samples: number, gcSamples: 0, micros: number, children: CallNode[]}} */
  results() {
    const samples = this.#all();
    const micros = Math.round(this.#micros + (this.#recording ? this.#elapsed() : 0));
    return { samples: samples.length, gcSamples: 0, micros, children: this.#tree(samples) };
  }

  /** @returns {{micros: number, weight: number, stack: FunctionPlace[]}[]} µs since the time origin, samples that it stands for, from the outermost caller on */
  samples() {
    return this.#all().map(({ time, path }) => ({
      micros: Math.round(time * 1000),
      weight: 1,
      stack: this.#paths.stackOf(path),
    }));
  }

  /** Forgets samples and what was attached to frames. */
  reset() {
    this.#samples = [];
    this.#data.clear();
    this.#recording?.reset();
    this.#micros = 0;
    this.#began = this.#since = timeNow();
  }

  /** µs */
  #elapsed() {
    return (timeNow() - this.#began) * 1000;
  }

  /** A worker that is stopped in the core, or died there, may keep it for a while. */
  #readEnded() {
    this.#unread = this.#unread.filter((recording) => {
      const samples = recording.end();
      if (samples) this.#samples = this.#kept(samples);
      return !samples;
    });
    if (this.#unread.length === 0) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#readEnded(), RETRY_MS);
  }

  #all() {
    this.#readEnded();
    return this.#recording ? this.#kept(this.#recording.samples()) : this.#samples;
  }

  /** @param {Sample[]} samples of the recording @returns {Sample[]} with those of earlier ones */
  #kept(samples) {
    const all = [...this.#samples, ...samples.filter(({ time }) => time >= this.#since)];
    return this.#maxSamples > 0 ? all.slice(-this.#maxSamples) : all;
  }

  /** @param {Sample[]} samples @returns {CallNode[]} of the outermost functions; heaviest first, as their children */
  #tree(samples) {
    /** @type {(CallNode | undefined)[]} by path */
    const nodes = [];
    /** @type {CallNode[]} */
    const outermost = [];
    /** @param {number} path @returns {CallNode} */
    const add = (path) =>
      (nodes[path] = {
        function: this.#paths.functionOf(path),
        site: this.#paths.siteOf(path),
        data: this.#data.get(path) ?? null,
        samples: 0,
        selfCount: 0,
        children: [],
      });
    for (const { path } of samples) if (path !== ROOT) (nodes[path] ?? add(path)).selfCount++;
    // Callers have smaller numbers: each node is whole when its turn comes.
    for (let path = this.#paths.size - 1; path >= 0; path--) {
      const node = nodes[path];
      if (!node) continue;
      node.samples += node.selfCount;
      node.children.sort(heaviestFirst);
      const caller = this.#paths.callerOf(path);
      const parent = caller === ROOT ? undefined : (nodes[caller] ?? add(caller));
      if (parent) parent.samples += node.samples;
      (parent?.children ?? outermost).push(node);
    }
    return outermost.sort(heaviestFirst);
  }
}

/** @param {CallNode} a @param {CallNode} b */
function heaviestFirst(a, b) {
  return b.samples - a.samples;
}

/** @param {unknown} value @param {string} name @returns {number} */
function positive(value, name) {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError(`Profiler.start: ${name} must be a number`);
  if (number <= 0) throw new RangeError(`Profiler.start: ${name} must be more than 0`);
  return number;
}
