import { UntoldLosses } from './untold_losses.js';

/** @import { RealmKind } from './outcome.js' */
/** @import { RealmAnswer } from './realm_messages.js' */

/** What is recorded of one worker or frame. */
export class RealmRecording {
  /** The script of a worker may have names like those of the platform. */
  #realm = /** @type {any} */ (globalThis);
  #kind;
  #folder;
  #options;
  /** @type {Promise<any> | undefined} */
  #profiler;
  /** While it is not there. @type {Promise<RealmAnswer> | undefined} */
  #ending;
  /** Of what was asked for so far, the latest answer. @type {Promise<unknown> | undefined} */
  #telling;
  #losses = new UntoldLosses();

  /**
   * @param {RealmKind} kind
   * @param {string} folder path of our files
   * @param {{sampleInterval: number, maxBufferSize: number}} options of the profiler
   */
  constructor(kind, folder, options) {
    this.#kind = kind;
    this.#folder = folder;
    this.#options = options;
  }

  /** @returns {Promise<any> | undefined} undefined: nothing is recorded */
  get profiler() {
    return this.#profiler;
  }

  begin() {
    this.#profiler ??= this.#firstProfiler();
    // Told when it is to end.
    this.#profiler.catch(() => {});
  }

  async #firstProfiler() {
    const baseUrl = this.#realm.origin + this.#folder;
    this.#realm.polyprof.install({ force: true, baseUrl, unknown: 'show' });
    return this.#startProfiler();
  }

  /** @returns {Promise<any>} */
  #startProfiler() {
    return this.#realm.performance.profile(this.#options);
  }

  /** @returns {Promise<RealmAnswer>} what was recorded since this was asked last; it goes on. Never rejects */
  soFar() {
    const answer = this.#answerSoFar();
    this.#telling = answer;
    return answer;
  }

  /** @returns {Promise<RealmAnswer>} */
  async #answerSoFar() {
    const current = this.#profiler;
    try {
      const profiler = await current;
      // It has begun anew since, or ended.
      if (!profiler || this.#profiler !== current) return {};
      this.#profiler = this.#startProfiler();
      await this.#profiler;
      return await this.#stopped(profiler);
    } catch (error) {
      return problemOf(error);
    }
  }

  /** @returns {Promise<RealmAnswer>} never rejects; the same for all who ask until it is there */
  end() {
    const starting = this.#profiler;
    this.#profiler = undefined;
    if (starting) {
      const ending = (this.#ending = this.#answerOf(starting));
      // Another recording may have begun and ended meanwhile.
      ending.then(() => {
        if (this.#ending === ending) this.#ending = undefined;
      });
    }
    return this.#ending ?? Promise.resolve({});
  }

  /** @param {Promise<any>} starting @returns {Promise<RealmAnswer>} */
  async #answerOf(starting) {
    try {
      // What comes before it is handed over before it.
      await this.#telling;
      return await this.#stopped(await starting);
    } catch (error) {
      return problemOf(error);
    } finally {
      this.#losses.forget();
    }
  }

  /** @param {any} profiler @returns {Promise<RealmAnswer>} */
  async #stopped(profiler) {
    const full = profiler.stopped;
    return { outcome: this.#outcomeOf(profiler, await profiler.stop(), full) };
  }

  /** @param {any} profiler @param {any} trace @param {boolean} full @returns {import('./outcome.js').RealmRecorded} */
  #outcomeOf({ mode, losses, sampleInterval }, trace, full) {
    const { href } = this.#realm.location;
    return {
      kind: this.#kind,
      trace,
      mode,
      losses: this.#losses.since(losses),
      sampleInterval,
      // A worker of a text is known by what it imported.
      url: (href.startsWith('blob:') && trace.resources[0]) || href,
      userAgent: navigator.userAgent,
      timeOrigin: performance.timeOrigin,
      full,
    };
  }
}

/** @param {unknown} error @returns {RealmAnswer} */
export function problemOf(error) {
  return { problem: /** @type {Error} */ (error).message };
}
