import { settings } from '../settings.js';
import { asFormat } from './as_format.js';
import { convertOptions } from './options.js';
import { checkPolicy } from './policy.js';
import { Session } from './session.js';
import { announceFull, asWebInterface } from './web_interface.js';

/**
 * `Profiler` of the JS Self-Profiling API (WICG text): sampling starts with the constructor, `stop()` ends it and resolves with
 * the trace, `samplebufferfull` says that the buffer is full and sampling has ended by itself. What it is by WebIDL: docs/conformance.md.
 */
export class Profiler extends EventTarget {
  #session;

  /**
   * @param {{sampleInterval: number, maxBufferSize: number}} options interval in ms, buffer in samples
   * @throws {TypeError} a member is missing or no number
   * @throws {RangeError} sampleInterval is negative
   * @throws {DOMException} NotAllowedError: the policy forbids it; NotSupportedError: scripts have shadow probes and the page is not cross-origin isolated;
   *   QuotaExceededError: too many profilers
   */
  constructor(options) {
    // First, as WebIDL has it: a subclass's `new.target.prototype` is looked at only then.
    const converted = convertOptions(options);
    checkPolicy(settings.policy, 'NotAllowedError');
    super();
    this.#session = new Session(converted, () => announceFull(this));
  }

  /** The interval really used, ms. */
  get sampleInterval() {
    return this.#session.sampleInterval;
  }

  get stopped() {
    return this.#session.stopped;
  }

  /** @returns {Promise<object>} the ProfilerTrace; rejects with InvalidStateError when it was given out before */
  stop() {
    try {
      return asFormat(this.#session.end());
    } catch (error) {
      // By WebIDL also a wrong receiver's.
      return Promise.reject(error);
    }
  }

  /** @param {any} profiler @returns {any} its session; undefined for what is no instance */
  static sessionOf(profiler) {
    return #session in Object(profiler) ? profiler.#session : undefined;
  }
}

/** @type {(profiler: any) => Session | undefined} */
export const sessionOf = asWebInterface(Profiler, 'Profiler');
