import { driverOf } from './drivers/driver.js';
import { joinOutcomes } from './join_outcomes.js';
import { BEGIN, END } from './page_script.js';
import { InstrumentedSite } from './site.js';

/** @import { Details } from '../report/details.js' */
/** @import { ProfilerTrace } from '../report/check_trace.js' */
/** @import { RunSettings } from './options.js' */
/** @import { Driver } from './drivers/driver.js' */
/** @import { Outcome } from './page_script.js' */

const LOADED_BEFORE =
  'the page was loaded before profile() was called, so nothing in it has probes: go to it within the function, or call ' +
  'prepare(page) before';

/** Address of the service worker that answers for the page. */
const CONTROLLER = 'globalThis.navigator.serviceWorker?.controller?.scriptURL';

const ANSWERED_BEFORE =
  'a service worker of an earlier visit, answered for the page, so nothing in it has probes: take a new browser context or, in Chromium, ' +
  "serviceWorkers: 'block' (--block-service-workers)";

const NO_PROBES =
  'no script of the page has probes: it has none, its functions are too small (minWeight: 0 takes all), include or exclude leaves them out, or a service worker answers';

/** A page whose requests go through an instrumented site, and what its documents have seen so far. */
export class Recording {
  /** @type {Outcome[]} */
  #outcomes = [];
  #recording = false;
  #driver;
  #site;
  /** @type {() => Promise<void>} */
  #release = async () => {};

  /** @param {Driver} driver @param {RunSettings} settings */
  constructor(driver, settings) {
    this.#driver = driver;
    const { canIsolate, embedderPolicy = 'credentialless', refusesServiceWorkers } = driver;
    this.#site = new InstrumentedSite(settings, {
      embedderPolicy: (settings.isolate ?? canIsolate) ? embedderPolicy : null,
      refusesServiceWorkers,
    });
  }

  /** @param {any} page @param {RunSettings} settings @returns {Promise<Recording>} that intercepts, and does not record yet */
  static async of(page, settings) {
    const recording = new Recording(await driverOf(page), settings);
    await recording.intercept();
    return recording;
  }

  async intercept() {
    this.#release = await this.#driver.intercept(this.#site, (json) => this.#add(json));
  }

  /** Records from now on: what the page shows, and what it will. */
  async begin() {
    this.#recording = true;
    this.#outcomes = [];
    this.#site.record = true;
    await this.#driver.evaluate(BEGIN);
  }

  /**
   * @returns {Promise<{trace: ProfilerTrace, details: Details}>} with the names and places of the sources; rejects with an `Error` that
   *   says why there is nothing, and what to do
   */
  async end() {
    await this.stop();
    const outcomes = this.#outcomes.sort((a, b) => a.timeOrigin - b.timeOrigin);
    if (outcomes.length === 0) throw new Error(`polyprof: ${await this.#whyNothing()}`);
    this.#tellOf(outcomes);
    this.#site.noteNamelessScripts();
    if (outcomes.every(({ scripts }) => scripts === 0)) throw new Error(`polyprof: ${NO_PROBES}`);
    const { trace, details } = joinOutcomes(outcomes);
    return { trace: this.#site.symbolicate(trace), details };
  }

  /** Records no longer. */
  async stop() {
    if (!this.#recording) return;
    this.#site.record = false;
    try {
      this.#add(await this.#driver.evaluate(END));
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (this.#outcomes.length === 0) {
        throw new Error(
          `polyprof: the page ended before its profile was taken (${message}): close it after profile()`,
          { cause: error },
        );
      }
      this.#site.note('the page was closed: the profile has what its documents could tell by then');
    } finally {
      this.#recording = false;
    }
  }

  /** Requests of the page are its own again. */
  async release() {
    await this.#release();
  }

  /** What has got probes, in one line. */
  takeSummary() {
    return this.#site.takeSummary();
  }

  /** @param {string | undefined} json */
  #add(json) {
    const outcome = JSON.parse(json ?? 'null');
    if (outcome && this.#recording) this.#outcomes.push(outcome);
  }

  async #whyNothing() {
    const [problem] = this.#site.problems;
    if (problem) return problem.replace(/^polyprof: /, '');
    const serviceWorker = await this.#driver.evaluate(CONTROLLER);
    return serviceWorker ? `${serviceWorker}, ${ANSWERED_BEFORE}` : LOADED_BEFORE;
  }

  /** @param {Outcome[]} outcomes */
  #tellOf(outcomes) {
    for (const { full, url, serviceWorker, refusedServiceWorker, blocked } of outcomes) {
      if (full) this.#site.note(`the profile of ${url} was too long: it ends when its buffer was full`);
      for (const each of blocked) {
        this.#site.note(
          `${url} could not load ${each}: perhaps since it is isolated here, which isolate: false (--no-isolate) leaves out`,
        );
      }
      if (refusedServiceWorker && !this.#site.wantsNoServiceWorkers) {
        this.#site.note(
          `${url} did not get its service worker, ${refusedServiceWorker}: in this browser nothing of a page that has one can get probes`,
        );
      }
      if (serviceWorker) {
        this.#site.note(
          `${url} has a service worker, ${serviceWorker}: scripts that it answers have no probes; serviceWorkers: 'block' (--block-service-workers) leaves it out`,
        );
      }
    }
  }
}
