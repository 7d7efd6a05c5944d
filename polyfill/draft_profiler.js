import { END, HIDE, LOSSES, MODE, Profiler, STARTED } from './profiler.js';

/**
 * What `performance.profile()` resolves with: the 2018 draft's `Profiler`, whose `stop()` may be called again and gives the same
 * trace. A thin adapter over the browser's own profiler or ours.
 */
export class DraftProfiler extends EventTarget {
  #profiler;
  /** @type {Promise<object> | undefined} */
  #trace;
  /** @type {((this: DraftProfiler, event: Event) => unknown) | null} */
  #onfull = null;

  /** @param {Profiler | any} profiler ours or the browser's own */
  constructor(profiler) {
    super();
    this.#profiler = profiler;
    profiler.addEventListener('samplebufferfull', () => {
      const event = new Event('samplebufferfull');
      this.#onfull?.call(this, event);
      this.dispatchEvent(event);
    });
  }

  /** @returns {{sampleInterval: number}} what is really used, ms */
  get options() {
    return { sampleInterval: this.#profiler.sampleInterval };
  }

  get sampleInterval() {
    return this.#profiler.sampleInterval;
  }

  get stopped() {
    return this.#profiler.stopped || this.#trace !== undefined;
  }

  /** Not standard: who samples: `'native'`, the browser; `'flag'`, `'self-timed'` or `'shadow'`, we; see docs/accuracy.md. */
  get mode() {
    return this.#profiler instanceof Profiler ? this.#profiler[MODE] : 'native';
  }

  /** Not standard: losses by reason; empty for the browser's own profiler, which doesn't count them. */
  get losses() {
    return this.#profiler instanceof Profiler ? this.#profiler[LOSSES]() : {};
  }

  /** See `Profiler`; undefined if it is the browser's own. @returns {(() => Uint8Array | undefined) | undefined} */
  get [HIDE]() {
    return this.#profiler[HIDE]?.bind(this.#profiler);
  }

  get onsamplebufferfull() {
    return this.#onfull;
  }

  set onsamplebufferfull(listener) {
    this.#onfull = typeof listener === 'function' ? listener : null;
  }

  /** @returns {Promise<object>} the ProfilerTrace, the same one each time */
  stop() {
    this.#trace ??= this.#profiler instanceof Profiler ? this.#profiler[END](0) : this.#profiler.stop();
    return /** @type {Promise<object>} */ (this.#trace);
  }
}

/**
 * @param {import('./options.js').ProfilerOptions} options
 * @returns {Promise<DraftProfiler>} that samples already
 */
export async function startDraftProfiler(options) {
  const profiler = new Profiler(options);
  await profiler[STARTED]();
  return new DraftProfiler(profiler);
}
