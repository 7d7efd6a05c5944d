import { LEAVE } from './page_globals.js';
import { PageRealms } from './page_realms.js';
import { UntoldLosses } from './untold_losses.js';

/** @import { Obstacles } from './obstacles.js' */
/** @import { RealmsOutcome } from './outcome.js' */

/** What is recorded of one document, and of its workers and frames. Where it says JSON, it is that of an `Outcome`. */
export class DocumentRecording {
  /** With what the polyfill and its driver have left there. */
  #page = /** @type {any} */ (globalThis);
  #options;
  #leftAddress;
  #obstacles;
  #realms;
  /** undefined: nothing is recorded. @type {any} */
  #profiler;
  /** Keeps the profiler from handing over its trace when the document is left. @type {(() => void) | undefined} */
  #sendsNoLonger;
  #losses = new UntoldLosses();
  #wasFullWhenLeft = false;

  /**
   * @param {string} id of the document
   * @param {object} how
   * @param {{sampleInterval: number, maxBufferSize: number}} how.options of profilers
   * @param {string} how.channel name of that which the page shares with its workers and frames
   * @param {string} how.leftAddress where the trace of a document that is left is sent, if nothing else leads out of it
   * @param {Obstacles} how.obstacles
   */
  constructor(id, { options, channel, leftAddress, obstacles }) {
    this.#options = options;
    this.#leftAddress = leftAddress;
    this.#obstacles = obstacles;
    this.#realms = this.#page.BroadcastChannel ? new PageRealms(new BroadcastChannel(channel), id) : null;
    // Comes before the end of the profiler, which is stopped then in any case.
    addEventListener('beforeunload', () => (this.#wasFullWhenLeft = Boolean(this.#profiler?.stopped)));
  }

  get isRunning() {
    return Boolean(this.#profiler);
  }

  /** If it does not run yet. @returns {Promise<void>} rejects with what `performance.profile()` does */
  async begin() {
    if (this.#profiler) return;
    this.#realms?.begin();
    // Elsewhere somebody asks for what they did so far, or nothing leads out of a document that is left.
    if (this.#page[LEAVE]) this.#realms?.keep();
    await this.#startProfiler();
  }

  /** For a document that was left, has sent what there was, and is shown again. */
  async beginAnew() {
    this.#profiler = undefined;
    this.#losses.forget();
    await this.begin();
  }

  /** @returns {Promise<string>} JSON, or that of null: nothing was recorded */
  async end() {
    if (!this.#profiler) return 'null';
    const profiler = this.#profiler;
    const full = profiler.stopped;
    this.#profiler = undefined;
    this.#sendsNoLonger?.();
    const [trace, realms] = await Promise.all([profiler.stop(), this.#realms?.end()]);
    const outcome = this.#outcomeOf(profiler, JSON.stringify(trace), { full, realms });
    this.#losses.forget();
    return outcome;
  }

  /** @returns {Promise<string>} JSON of what was recorded since this was asked last, or that of null: it has ended; else it goes on */
  async soFar() {
    // Before it stops its own profiler: if it is left while it waits for them, that still sends what it has.
    const realms = await this.#realms?.soFar();
    if (!this.#profiler) return 'null';
    const [profiler, sendsNoLonger] = [this.#profiler, this.#sendsNoLonger];
    await this.#startProfiler();
    sendsNoLonger?.();
    return this.#outcomeOf(profiler, JSON.stringify(await profiler.stop()), { full: false, realms });
  }

  /** Its realms, as it is left. @returns {RealmsOutcome} */
  leftRealms() {
    return this.#realms?.left() ?? { outcomes: [], problems: [], ended: [], cut: [], silent: [] };
  }

  async #startProfiler() {
    this.#profiler = await this.#page.performance.profile(this.#options);
    // Where nothing else leads out of the page, the trace leaves by a beacon, as far as there is room in one.
    this.#sendsNoLonger = this.#page[LEAVE]
      ? this.#page.polyprof.sendOnHide(this.#profiler, this.#leave, { whenLeaving: true })
      : this.#page.polyprof.sendOnHide(this.#profiler, `${this.#leftAddress}?mode=${this.#profiler.mode}`, {
          gzip: true,
        });
    await /** @type {any} */ (this.#sendsNoLonger).ready;
  }

  /**
   * A document that may be left has no time for promises, and at `pagehide` nothing leads out of it any more. If the page is not left after
   * all, it goes on being recorded.
   * @param {Uint8Array} trace JSON
   */
  #leave = (trace) => {
    const profiler = this.#profiler;
    this.#profiler = undefined;
    const about = { full: this.#wasFullWhenLeft, realms: this.leftRealms() };
    this.#page[LEAVE](this.#outcomeOf(profiler, new TextDecoder().decode(trace), about));
    this.begin().catch(() => {});
    profiler.stop();
  };

  /**
   * @param {any} profiler
   * @param {string} trace JSON
   * @param {{full: boolean, realms?: RealmsOutcome}} about
   * @returns {string} JSON
   */
  #outcomeOf(profiler, trace, { full, realms }) {
    const details = {
      realms,
      mode: profiler.mode,
      losses: this.#losses.since(profiler.losses),
      sampleInterval: profiler.sampleInterval,
      url: location.href,
      userAgent: navigator.userAgent,
      timeOrigin: performance.timeOrigin,
      full,
      scripts: this.#page.__polyprof__.s.length,
      ...this.#obstacles.met(),
    };
    return `{"trace":${trace},${JSON.stringify(details).slice(1)}`;
  }
}
