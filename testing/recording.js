import { driverOf } from './drivers/driver.js';
import { joinOutcomes } from './join_outcomes.js';
import { BEGIN, END } from './in_page/page_globals.js';
import { outcomeNotes } from './outcome_notes.js';
import { InstrumentedSite } from './site.js';
import { serviceWorkerOf, whyNothing } from './why_nothing.js';

/** @import { Details } from '../report/reading/details.js' */
/** @import { ProfilerTrace } from '../report/reading/check_trace.js' */
/** @import { RunSettings } from './options.js' */
/** @import { Driver } from './drivers/driver.js' */
/** @import { Outcome, RealmKind, RealmOutcome } from './in_page/outcome.js' */

/**
 * @typedef {{trace: ProfilerTrace, details: Details}} Recorded of one realm
 * @typedef {Recorded & {realms: (Recorded & {kind: RealmKind})[]}} RecordedPage with its workers and frames
 */

/** The last ones of pages. @type {WeakMap<object, InstrumentedSite>} */
const sites = new WeakMap();

/** A page whose requests go through an instrumented site, and what its documents have recorded so far. */
export class Recording {
  /** @type {Outcome[]} */
  #outcomes = [];
  #recording = false;
  #driver;
  #site;
  /** @type {() => Promise<void>} */
  #release = async () => {};

  /** @param {Driver} driver @param {RunSettings} settings @param {InstrumentedSite} [earlier] of the same page */
  constructor(driver, settings, earlier) {
    this.#driver = driver;
    const { canIsolate, refusesServiceWorkers, asks } = driver;
    const how = { isolates: settings.isolate ?? canIsolate, refusesServiceWorkers, asks };
    this.#site = new InstrumentedSite(settings, how, earlier);
  }

  /** @param {any} page @param {RunSettings} settings @returns {Promise<Recording>} that intercepts, and does not record yet */
  static async of(page, settings) {
    const recording = new Recording(await driverOf(page), settings, sites.get(page));
    sites.set(page, recording.#site);
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
   * @returns {Promise<RecordedPage>} with the names and places of the sources; rejects with an `Error` that says why there is nothing, and what to do
   */
  async end() {
    const [page] = await this.endInTabs();
    return page;
  }

  /** Where there may be several. @returns {Promise<RecordedPage[]>} as of `end`, at least one, the earliest first */
  async endInTabs() {
    await this.stop();
    const outcomes = this.#outcomes.sort((a, b) => beginOf(a) - beginOf(b));
    if (outcomes.length === 0) throw new Error(`polyprof: ${await whyNothing(this.#driver, this.#site)}`);
    const notes = outcomeNotes(outcomes, this.#site.wantsNoServiceWorkers);
    for (const note of notes) this.#site.note(note);
    this.#site.noteRest();
    const hasProbes = outcomes.some(({ scripts, realms }) => scripts > 0 || realms?.outcomes.length);
    if (!hasProbes) {
      const serviceWorker = outcomes.map((each) => each.serviceWorker).find(Boolean);
      throw new Error(`polyprof: ${this.#site.whyNoProbes(serviceWorker)}`);
    }
    const tabs = new Set(outcomes.map(({ tab }) => tab));
    return [...tabs].map((tab) => this.#recordedPage(outcomes.filter((each) => each.tab === tab)));
  }

  /** @param {Outcome[]} outcomes @returns {RecordedPage} */
  #recordedPage(outcomes) {
    const told = outcomes.flatMap(({ realms }) => realms?.outcomes ?? []);
    const ids = new Set(told.map(({ id }) => id));
    const realms = [...ids].map((id) => this.#recordedRealm(told.filter((each) => each.id === id)));
    return { ...this.#recorded(outcomes), realms };
  }

  /** @param {RealmOutcome[]} parts at least one, in order @returns {RecordedPage['realms'][0]} */
  #recordedRealm(parts) {
    const recorded = this.#recorded(parts);
    // A worker of a text is known by what it has imported, once something of that ran.
    recorded.details.url = (parts.find(({ url }) => !url.startsWith('blob:')) ?? parts[0]).url;
    return { kind: parts[0].kind, ...recorded };
  }

  /** @param {import('./join_outcomes.js').Joinable[]} outcomes @returns {Recorded} */
  #recorded(outcomes) {
    const { trace, details } = joinOutcomes(outcomes);
    return { trace: this.#site.symbolicate(trace), details };
  }

  /** Records no longer. */
  async stop() {
    if (!this.#recording) return;
    this.#site.record = false;
    try {
      const outcome = await this.#driver.evaluate(END);
      this.#add(outcome);
      if (!outcome && this.#outcomes.length > 0) await this.#tellWhoAnswered();
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

  /** Documents before it have probes, that one has none. */
  async #tellWhoAnswered() {
    const serviceWorker = !this.#driver.asks && (await serviceWorkerOf(this.#driver));
    if (!serviceWorker) return;
    const url = await this.#driver.evaluate('location.href');
    this.#site.note(
      `${url} was answered by its service worker, ${serviceWorker}, so nothing in it has probes: serviceWorkers: 'block' ` +
        '(--block-service-workers) leaves that out',
    );
  }
}

/** A document that was left and is shown again has several. @param {Outcome} outcome @returns {number} ms since 1970 */
function beginOf({ timeOrigin, trace }) {
  return timeOrigin + (trace.samples[0]?.timestamp ?? 0);
}
