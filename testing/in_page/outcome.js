/**
 * What the scripts of this folder hand over.
 *
 * @typedef {object} Outcome what was recorded of a document: `trace`, and what is known beside it, as `polyprof report` reads it
 * @property {import('../../report/reading/check_trace.js').ProfilerTrace} trace
 * @property {string} mode of sampling
 * @property {Record<string, number>} losses ticks and samples by the reason
 * @property {number} sampleInterval ms
 * @property {string} url
 * @property {string} userAgent
 * @property {number} timeOrigin ms since 1970
 * @property {boolean} full the buffer was too small for all of it
 * @property {number} scripts with probes
 * @property {string[]} blocked addresses on other servers that an isolated page could not load
 * @property {string} serviceWorker its address, empty: none answers for the page
 * @property {string} refusedServiceWorker likewise, of one that the page wanted and did not get
 * @property {string} [tab] of the browser, where there may be several
 * @property {RealmsOutcome} [realms] its workers and frames
 *
 * @typedef {'worker' | 'frame'} RealmKind
 * @typedef {Pick<Outcome, 'trace' | 'mode' | 'losses' | 'sampleInterval' | 'url' | 'userAgent' | 'timeOrigin' | 'full'> & {kind: RealmKind}} RealmRecorded
 * @typedef {RealmRecorded & {id: string}} RealmOutcome one realm may have several, one after the other; `id`: of the realm
 *
 * @typedef {object} GoneRealms
 * @property {string[]} ended those that had ended before: nobody knows what they did
 * @property {string[]} cut those that had told before they ended: nobody knows what they did last
 *
 * @typedef {object} RealmsRecorded
 * @property {RealmOutcome[]} outcomes
 * @property {{name: string, message: string}[]} problems why realms could not be sampled
 * @property {string[]} silent those that are busy and did not answer
 *
 * @typedef {RealmsRecorded & GoneRealms} RealmsOutcome
 */

/** The file is for its types. */
export {};
