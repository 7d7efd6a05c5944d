import { Session } from '../interface/session.js';
import { ENDLESS, MAX_CHARACTERS } from './attribution.js';
import { ROOT } from './paths.js';
import { timeNow } from '../../wasm/clock.js';
import { BUSY } from '../../wasm/status.js';

/** @import { Paths, Trace } from './paths.js' */

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
  /** @type {Sample[]} of sessions that had their turn */
  #samples = [];
  /** Timestamps of forced samples, which are not due. @type {number[]} */
  #forced = [];
  /** Path by `Attribution.stackKey()`; undefined where nothing has probes. @type {Map<string | number, number | undefined>} */
  #known = new Map();
  /** Of its keys. */
  #characters = 0;
  /** For which `#known` holds: stacks are those of one core. @type {import('../sampling/sampler.js').Sampler | undefined} */
  #knownOf;
  #tableChanges = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #turns;
  /** ms; what is sampled later, until it can be read, does not count. */
  #endedAt = Infinity;
  #isTurning = false;
  /** ms; what was sampled before does not count. */
  #since = -Infinity;

  /** @param {Paths} paths @param {number} interval ms @param {number} maxSamples 0: all */
  constructor(paths, interval, maxSamples) {
    this.#paths = paths;
    this.#interval = interval;
    this.#maxSamples = maxSamples;
    this.#session = this.#begin();
    /** Resolves when sampling runs; rejects with NotSupportedError. @type {Promise<unknown>} */
    this.started = this.#session.started;
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
    if (!sampler) return undefined;
    const attribution = attributionOf(sampler);
    const key = attribution.stackKey(sampler.mode);
    if (sampler !== this.#knownOf || attribution.tableChanges !== this.#tableChanges) {
      this.#forgetKnown();
      this.#knownOf = sampler;
      this.#tableChanges = attribution.tableChanges;
    }
    if (this.#known.has(key)) return this.#known.get(key);
    const trace = attribution.withSession((session) => {
      sampler.force();
      return read(sampler.peek(session));
    });
    const sample = trace.samples.at(-1);
    // None is taken while the page is hidden.
    if (!sample) return undefined;
    const { stackId, timestamp } = sample;
    this.#forced.push(timestamp);
    const path =
      stackId === undefined ? undefined : this.#paths.of(trace)(stackId, attribution.sitesOfForced());
    this.#characters += `${key}`.length;
    if (this.#characters > MAX_CHARACTERS) this.#forgetKnown();
    this.#known.set(key, path);
    return path;
  }

  #forgetKnown() {
    this.#known.clear();
    this.#characters = 0;
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
    this.#session.end().catch(() => {});
    return this.#newest([...this.#samples, ...due.filter(({ time }) => time <= this.#endedAt)]);
  }

  /** What was sampled so far does not count, and soon takes no room. */
  reset() {
    this.#since = timeNow();
    this.#samples = [];
    void this.#turn();
  }

  #begin() {
    return new Session({ sampleInterval: this.#interval, maxBufferSize: ENDLESS }, () => {});
  }

  /** Resolves when another session samples, and what the one before has is kept here; if that cannot be, the one before goes on. */
  async #turn() {
    if (!this.#session.sampler || this.#isTurning) return;
    this.#isTurning = true;
    const begun = timeNow();
    try {
      const next = this.#begin();
      await next.started;
      const hasEnded = this.#endedAt < Infinity;
      if (hasEnded || !unlessBusy(() => this.#swap(next, begun))) next.end().catch(() => {});
    } catch {
      // There are too many sessions, or the files of a further worker could not be loaded.
    } finally {
      this.#isTurning = false;
    }
  }

  /** @param {Session} next that samples already @param {number} begun ms, before it did @returns {true} @throws {CoreError} BUSY */
  #swap(next, begun) {
    const old = this.#session;
    const [first] = this.#due(next);
    const due = this.#due(old).filter(({ time }) => time >= this.#since && !(time >= first?.time));
    this.#session = next;
    old.end().catch(() => {});
    this.#samples = this.#newest([...this.#samples, ...due]);
    this.#forced = this.#forced.filter((time) => time >= begun);
    attributionOf(/** @type {import('../sampling/sampler.js').Sampler} */ (old.sampler)).forgetBefore(begun);
    return true;
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
    return this.#withoutForced(samples);
  }

  /** @param {Sample[]} samples in the order of their times, as are those that were forced @returns {Sample[]} */
  #withoutForced(samples) {
    let left = this.#forced.length;
    return samples
      .reverse()
      .filter(({ time }) => {
        while (left > 0 && this.#forced[left - 1] > time) left--;
        // After the one that was due at that tick, if any.
        const isForced = left > 0 && this.#forced[left - 1] === time;
        if (isForced) left--;
        return !isForced;
      })
      .reverse();
  }
}

/** @param {import('../sampling/sampler.js').Sampler} sampler @returns {import('./attribution.js').Attribution} that its file has in this bundle */
function attributionOf(sampler) {
  return /** @type {any} */ (sampler.attribution);
}

/** @param {Uint8Array} json @returns {Trace} */
function read(json) {
  return JSON.parse(new TextDecoder().decode(json));
}
