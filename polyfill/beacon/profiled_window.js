/** @typedef {import('./start_profiler.js').AnyProfiler} AnyProfiler */

/**
 * @typedef {(bytes: Uint8Array) => Uint8Array} Gzip
 * @typedef {(trace: any, gzip?: Gzip) => unknown} OnTrace with `gzip`, which packs without waiting, the page is about to go away, and so is what is not
 *   sent now
 */

/** Of these losses each belongs to a moment. The others are of scripts, hooks and stacks, and hold for all that is sampled after them. */
const MOMENTARY = new Set([
  'filledTicks',
  'lateTicks',
  'unlocatedTicks',
  'lostTicks',
  'workerlessTicks',
  'rejectedSamples',
  'lostToMemory',
  'tornStacks',
  'garbledStacks',
]);

/**
 * A window: a profiler, whose trace is given out once, when the window ends or when the page is hidden.
 */
export class ProfiledWindow {
  #profiler;
  #onTrace;
  #takeBack = () => {};
  /** What was lost before; several windows may share what counts it. @type {Record<string, number>} */
  #lostBefore;
  /** The page was hidden, and has given the trace out. */
  isTaken = false;

  /** @param {AnyProfiler} profiler that samples @param {OnTrace} onTrace */
  constructor(profiler, onTrace) {
    this.#profiler = profiler;
    this.#onTrace = onTrace;
    this.#lostBefore = profiler.losses ?? {};
  }

  get mode() {
    return this.#profiler.mode ?? 'native';
  }

  /** ms */
  get sampleInterval() {
    return this.#profiler.sampleInterval;
  }

  /** By reason: what the trace of this window lacks. @returns {Record<string, number>} */
  get losses() {
    const losses = { ...this.#profiler.losses };
    for (const name of MOMENTARY) {
      if (name in losses) losses[name] -= this.#lostBefore[name] ?? 0;
    }
    return losses;
  }

  /** From now on, a page that is hidden gives the trace out at once. @param {(error: unknown) => void} onError */
  watchHiding(onError) {
    // The browser's own has no trace in time: of a page that closes, its last window is lost.
    if (this.mode === 'native') return;
    const take = (/** @type {Uint8Array} */ json, /** @type {Gzip} */ gzip) => {
      this.isTaken = true;
      try {
        this.#onTrace(JSON.parse(new TextDecoder().decode(json)), gzip);
      } catch (error) {
        onError(error);
      }
    };
    const { polyprof } = /** @type {any} */ (globalThis);
    const takeBack = polyprof.sendOnHide(this.#profiler, take, { whenHidden: true });
    takeBack.ready.catch(onError);
    this.#takeBack = takeBack;
  }

  /** Sampling ends in the call. @returns {Promise<void>} when the trace was given out */
  async end() {
    try {
      const trace = await this.#profiler.stop();
      if (!this.isTaken) await this.#onTrace(trace);
    } finally {
      this.#takeBack();
    }
  }
}
