import { asFormat } from './as_format.js';
import { convertFormat } from './options.js';
import { Session } from './session.js';
import { announceFull, asWebInterface } from './web_interface.js';

/**
 * What `performance.profile()` resolves with: the 2018 draft's `Profiler`, whose `stop()` may be called again and gives the same
 * trace. Over the browser's own profiler or a session of ours.
 */
export class DraftProfiler extends EventTarget {
  /** Ours, or the browser's own profiler. @type {any} */
  #session;
  #options;
  /** @type {Promise<any> | undefined} */
  #ended;
  /** By format. @type {Record<string, Promise<object>>} */
  #traces = {};
  /** @type {any} null, or an object: whether it can be called is asked when it is to be. */
  #onfull = null;
  #callOnfull = (/** @type {Event} */ event) => typeof this.#onfull === 'function' && this.#onfull(event);

  /** @param {import('./options.js').ProfilerOptions & {format?: import('./options.js').Format}} options @param {any} [Native] the browser's own `Profiler`, if it is to be used */
  constructor(options, Native) {
    super();
    const onFull = () => announceFull(this);
    this.#session = new (Native ?? Session)(options, onFull);
    if (Native) this.#session.addEventListener('samplebufferfull', onFull);
    const { sampleInterval } = this.#session;
    this.#options = Object.freeze({ categories: ['js'], ...options, sampleInterval });
  }

  /** What is really used. @returns {{sampleInterval: number}} in ms */
  get options() {
    return this.#options;
  }

  get sampleInterval() {
    return this.#session.sampleInterval;
  }

  get stopped() {
    return this.#session.stopped || Boolean(this.#ended);
  }

  /** Not standard: who samples: `'native'`, the browser; `'flag'`, `'self-timed'` or `'shadow'`, we; see docs/accuracy.md. */
  get mode() {
    return this.#session.mode ?? 'native';
  }

  /** Not standard: losses by reason; empty for the browser's own profiler, which doesn't count them. */
  get losses() {
    return this.#session.losses ?? {};
  }

  get onsamplebufferfull() {
    return this.#onfull;
  }

  set onsamplebufferfull(listener) {
    this.#onfull = Object(listener) === listener ? listener : null;
    // Called in turn with the listeners: where it was when it was first set, or set after null, as for all event handlers. Neither call does anything twice.
    this[this.#onfull ? 'addEventListener' : 'removeEventListener']('samplebufferfull', this.#callOnfull);
  }

  /**
   * @param {{format?: 'json' | 'json-gzip'}} [options] that of `performance.profile()` by default
   * @returns {Promise<object>} the ProfilerTrace, the same one each time; with a format its bytes, an ArrayBuffer
   */
  stop(options) {
    try {
      const format = convertFormat(options) ?? this.#options.format;
      const session = this.#session;
      // No optional call: frames are counted.
      this.#ended ??= session.end ? session.end() : session.stop();
      return (this.#traces[/** @type {string} */ (format)] ??= asFormat(
        /** @type {Promise<any>} */ (this.#ended),
        format,
      ));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** @param {any} profiler @returns {any} its session; undefined for what is no instance */
  static sessionOf(profiler) {
    return #session in Object(profiler) ? profiler.#session : undefined;
  }
}

/** @type {(profiler: any) => Session | undefined} */
export const draftSessionOf = asWebInterface(DraftProfiler, 'Profiler');

/**
 * @param {import('./options.js').ProfilerOptions} options
 * @param {any} [Native] the browser's own `Profiler`, if it is to be used
 * @returns {Promise<DraftProfiler>} that samples already
 */
export async function startDraftProfiler(options, Native) {
  const profiler = new DraftProfiler(options, Native);
  await /** @type {Session} */ (draftSessionOf(profiler)).started;
  return profiler;
}
