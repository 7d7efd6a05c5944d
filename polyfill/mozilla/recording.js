import { Session } from '../session.js';
import { ROOT } from './paths.js';
import { timeNow } from '../../wasm/clock.js';
import { BUSY } from '../../wasm/status.js';

/** @import { Paths, Trace } from './paths.js' */

/** Of the core: as many as there is memory for. */
const ENDLESS = 0xffffffff;

/** Samples are only taken by force. */
const NEVER_MS = 2 ** 31 - 1;

/** A ring is cut when it may be twice as long as asked for, but not more often than that. */
const SHORTEST_TURN_MS = 1000;

/**
 * What asks the core, from a function that the page calls. A worker that is stopped or dies inside of the core keeps it until that is noticed.
 * @template T @param {() => T} call @returns {T | undefined} undefined: the core could not be had
 */
function unlessBusy(call) {
  try {
    return call();
  } catch (error) {
    if (/** @type {any} */ (error).status !== BUSY) throw error;
    return undefined;
  }
}

/** @typedef {{time: number, path: number}} Sample ms since the time origin; `path` is `ROOT` if nothing ran */

/**
 * From `start()` to `stop()`. Traces end when they are full; here the newest samples stay. So sessions take turns, each in the same task as
 * the one before ends.
 */
export class Recording {
  #paths;
  #interval;
  #maxSamples;
  #session;
  /** Has a sample of each stack that somebody asked about, and no other. */
  #asked = new Session({ sampleInterval: NEVER_MS, maxBufferSize: ENDLESS }, () => {});
  /** @type {Sample[]} of sessions that had their turn */
  #samples = [];
  /** Timestamps of forced samples, which are not due. @type {number[]} */
  #forced = [];
  #asks = 0;
  /** Path by `Attribution.stackKey()`; undefined where nothing has probes. @type {Map<string | number, number | undefined>} */
  #known = new Map();
  /** For which `#known` holds. */
  #tableChanges = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #turns;
  /** ms; what is sampled later, until it can be read, does not count. */
  #endedAt = Infinity;

  /** @param {Paths} paths @param {number} interval ms @param {number} maxSamples 0: all */
  constructor(paths, interval, maxSamples) {
    this.#paths = paths;
    this.#interval = interval;
    this.#maxSamples = maxSamples;
    this.#session = this.#begin();
    /** Resolves when sampling runs; rejects with NotSupportedError. @type {Promise<unknown>} */
    this.started = Promise.all([this.#session.started, this.#asked.started]);
    if (maxSamples > 0) {
      const turn = Math.max(maxSamples * this.#session.sampleInterval, SHORTEST_TURN_MS);
      this.#turns = setInterval(() => this.#turn(), turn);
    }
  }

  /** What is running now, from a function that the page calls. @returns {number | undefined} path; undefined: nothing that has probes, or nobody can tell */
  here() {
    return unlessBusy(() => this.#here());
  }

  /** @returns {number | undefined} as `here()` @throws {CoreError} BUSY */
  #here() {
    const { sampler } = this.#session;
    if (!sampler || !this.#asked.sampler) return undefined;
    const attribution = attributionOf(sampler);
    const key = attribution.stackKey(sampler.mode);
    if (attribution.tableChanges !== this.#tableChanges) {
      this.#known.clear();
      this.#tableChanges = attribution.tableChanges;
    }
    if (this.#known.has(key)) return this.#known.get(key);
    sampler.force();
    const trace = read(sampler.peek(this.#asked.id));
    // None is taken while the page is hidden.
    if (trace.samples.length === this.#asks) return undefined;
    this.#asks = trace.samples.length;
    const { stackId, timestamp } = trace.samples[this.#asks - 1];
    this.#forced.push(timestamp);
    const path =
      stackId === undefined ? undefined : this.#paths.of(trace)(stackId, attribution.sitesOfForced());
    this.#known.set(key, path);
    return path;
  }

  /** From a function that the page calls. @returns {Sample[]} so far, the oldest first; without the newest ones while they cannot be had */
  samples() {
    return this.#newest([...this.#samples, ...(unlessBusy(() => this.#due(this.#session)) ?? [])]);
  }

  /** From a function that the page calls. @returns {Sample[] | undefined} as `samples()`; undefined: ask again, it ended nevertheless */
  end() {
    clearInterval(this.#turns);
    this.#endedAt = Math.min(this.#endedAt, timeNow());
    const due = unlessBusy(() => this.#due(this.#session));
    if (!due) return undefined;
    for (const session of [this.#session, this.#asked]) session.end().catch(() => {});
    return this.#newest([...this.#samples, ...due.filter(({ time }) => time <= this.#endedAt)]);
  }

  #begin() {
    return new Session({ sampleInterval: this.#interval, maxBufferSize: ENDLESS }, () => {});
  }

  #turn() {
    const old = this.#session;
    if (!old.sampler) return;
    const now = timeNow();
    const due = unlessBusy(() => this.#due(old));
    if (!due) return;
    this.#session = this.#begin();
    old.end().catch(() => {});
    this.#samples = this.#newest([...this.#samples, ...due]);
    this.#forced = [];
    attributionOf(old.sampler).forgetBefore(now);
  }

  /** @param {Sample[]} samples */
  #newest(samples) {
    return this.#maxSamples > 0 ? samples.slice(-this.#maxSamples) : samples;
  }

  /** All but the forced ones. @param {Session} session @returns {Sample[]} none if sampling did not begin @throws {CoreError} BUSY */
  #due({ sampler, id }) {
    if (!sampler) return [];
    const trace = read(sampler.peek(id));
    const pathOf = this.#paths.of(trace);
    const attribution = attributionOf(sampler);
    const samples = trace.samples.map(({ timestamp, stackId }) => ({
      time: timestamp,
      path: stackId === undefined ? ROOT : pathOf(stackId, attribution.sitesAt(timestamp)),
    }));
    const times = trace.samples.map(({ timestamp }) => timestamp);
    for (const time of this.#forced) {
      // After the one that was due at that tick, if any.
      const at = times.lastIndexOf(time);
      if (at < 0) continue;
      times.splice(at, 1);
      samples.splice(at, 1);
    }
    return samples;
  }
}

/** @param {import('../sampler.js').Sampler} sampler @returns {import('./attribution.js').Attribution} that its file has in this bundle */
function attributionOf(sampler) {
  return /** @type {any} */ (sampler.attribution);
}

/** @param {Uint8Array} json @returns {Trace} */
function read(json) {
  return JSON.parse(new TextDecoder().decode(json));
}
