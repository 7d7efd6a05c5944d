import { ignoreDigests } from '../instrumenter/pages/digests.js';
import { tellsWhenAsked } from './stand_in/asking_script.js';
import { realmsOn, startInRealm } from './realm_script.js';

/**
 * What runs first in a page that is profiled. Its text goes there, behind the polyfill: it sees nothing of this file.
 *
 * @typedef {object} Start
 * @property {string} id of the document
 * @property {string} folder path of our files
 * @property {number} sampleInterval ms
 * @property {number} maxBufferSize samples
 * @property {boolean} record begin at once
 * @property {boolean} blockServiceWorkers
 * @property {boolean} asks nobody reaches the page: it asks what to tell
 * @property {string} channel name of the `BroadcastChannel` that the page shares with its workers and frames
 *
 * @typedef {object} Outcome what a document has seen; `trace` and what is known beside it, as `polyprof report` reads it
 * @property {import('../report/reading/check_trace.js').ProfilerTrace} trace
 * @property {string} mode
 * @property {Record<string, number>} losses
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
 * @property {import('./realm_script.js').RealmsOutcome} [realms] its workers and frames
 */

/** The longest profile of one document, in samples: 10 minutes at 1 ms. */
export const MAX_BUFFER_SIZE = 600_000;

/** Name of what `startInPage` leaves in the page. */
const RUN = '__polyprofRun__';

/** Begins if it did not yet; a text: why it could not. */
export const BEGIN = `globalThis.${RUN}?.begin()`;

/** Ends what was recorded; JSON of an `Outcome`, or of null: nothing was. */
export const END = `globalThis.${RUN}?.end()`;

/** What a document that closes calls with the JSON of its `Outcome`. */
export const LEAVE = '__polyprofLeave__';

/** Ends our scripts in a page: one that hydrates its whole document, as React does, counts what is in there. */
export const REMOVES_ITSELF = 'document.currentScript.remove();';

/** @param {Start} start @returns {string} a script */
export function startScript(start) {
  return `(() => {${ignoreDigests}\n${realmsOn}\n${startInRealm}\n${tellsWhenAsked}\n(${startInPage})(${JSON.stringify(start)}, ${JSON.stringify([RUN, LEAVE])});})();${REMOVES_ITSELF}`;
}

/** @param {Start} start @param {string[]} names */
function startInPage(
  { id, folder: path, record, blockServiceWorkers, asks, channel, ...options },
  [runName, leaveName],
) {
  const page = /** @type {any} */ (globalThis);
  ignoreDigests();
  // A page may say that relative addresses are those of another server; and one whose own has a password can fetch none.
  const folder = page.location.origin + path;
  const tell = (problem = '') => page.fetch(`${folder}started-${id}?${encodeURIComponent(problem)}`);
  if (page.top !== page) {
    let isOfOrigin = false;
    try {
      isOfOrigin = page.top.location.origin === page.origin && Boolean(page.BroadcastChannel);
    } catch {
      // Frames of other origins may not profile.
    }
    const started = isOfOrigin
      ? startInRealm({
          kind: 'frame',
          page: page.top[runName]?.id,
          folder: path,
          record,
          channel,
          ...options,
        })
      : null;
    const toldLater = () => tell();
    return void Promise.resolve(started).then(toldLater, toldLater);
  }

  let refusedServiceWorker = '';
  if (blockServiceWorkers && navigator.serviceWorker) {
    navigator.serviceWorker.register = async (url) => {
      refusedServiceWorker = String(new URL(url, document.baseURI));
      throw new DOMException('blocked while polyprof profiles the page', 'SecurityError');
    };
  }
  page.polyprof.install({ force: true, baseUrl: folder, unknown: 'show' });
  /** @type {any} */
  let profiler;
  /** @type {(() => void) | undefined} */
  let sendsNoLonger;

  /** @type {Set<string>} */
  const blocked = new Set();
  const noteFailure = (/** @type {any} */ { target }) => {
    const url = String(target?.src || target?.href || '');
    if (page.crossOriginIsolated && /^https?:/.test(url) && !url.startsWith(`${page.origin}/`))
      blocked.add(url);
  };
  addEventListener('error', noteFailure, true);

  const realms = page.BroadcastChannel ? realmsOn(new BroadcastChannel(channel), id) : null;
  const begin = async () => {
    if (profiler) return;
    realms?.begin();
    await start();
  };
  const start = async () => {
    profiler = await page.performance.profile(options);
    // Where nothing else leads out of the page, the trace leaves by a beacon, as far as there is room in one.
    sendsNoLonger = page[leaveName]
      ? page.polyprof.sendOnHide(profiler, leave, { whenLeaving: true })
      : page.polyprof.sendOnHide(profiler, `${folder}left-${id}`, { gzip: true });
    await /** @type {any} */ (sendsNoLonger).ready;
  };
  /** What was told of losses, which are counted on as long as one profiler begins before another one has ended. @type {Record<string, number>} */
  let lossesTold = {};
  /** @param {string} trace JSON @param {any} old profiler @param {boolean} full @param {unknown} [ofRealms] */
  const outcome = (trace, old, full, ofRealms) => {
    const { losses } = old;
    const newLosses = Object.entries(losses).map(([reason, count]) => [
      reason,
      count - (lossesTold[reason] ?? 0),
    ]);
    lossesTold = losses;
    const details = {
      realms: ofRealms,
      mode: old.mode,
      losses: Object.fromEntries(newLosses),
      sampleInterval: old.sampleInterval,
      url: page.location.href,
      userAgent: navigator.userAgent,
      timeOrigin: performance.timeOrigin,
      full,
      scripts: page.__polyprof__.s.length,
      blocked: [...blocked].slice(0, 10),
      serviceWorker: navigator.serviceWorker?.controller?.scriptURL ?? '',
      refusedServiceWorker,
    };
    return `{"trace":${trace},${JSON.stringify(details).slice(1)}`;
  };
  const end = async () => {
    if (!profiler) return 'null';
    const old = profiler;
    const full = old.stopped;
    profiler = undefined;
    sendsNoLonger?.();
    const [trace, ofRealms] = await Promise.all([old.stop(), realms?.end()]);
    const told = outcome(JSON.stringify(trace), old, full, ofRealms);
    lossesTold = {};
    return told;
  };
  /**
   * A document that may be left has no time for promises, and at `pagehide` nothing leads out of it any more. If the page is not left after
   * all, it goes on being recorded.
   * @param {Uint8Array} trace JSON
   */
  const leave = (trace) => {
    const old = profiler;
    profiler = undefined;
    page[leaveName](outcome(new TextDecoder().decode(trace), old, isFull, realms?.left()));
    begin().catch(() => {});
    old.stop();
  };
  // Comes before the end of the profiler, which is stopped then in any case.
  let isFull = false;
  addEventListener('beforeunload', () => (isFull = Boolean(profiler?.stopped)));
  Object.defineProperty(page, runName, { value: { id, begin, end } });
  /** What was seen so far; it goes on. */
  const soFar = async () => {
    const [old, oldSendsNoLonger] = [profiler, sendsNoLonger];
    await start();
    oldSendsNoLonger?.();
    return outcome(JSON.stringify(await old.stop()), old, false);
  };
  const ask = asks ? tellsWhenAsked({ id, folder, mode: () => profiler.mode, all: end, soFar }) : () => {};
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || !profiler || page[leaveName]) return;
    profiler = undefined;
    lossesTold = {};
    begin().then(ask, () => {});
  });
  (record ? begin() : Promise.resolve()).then(
    () => {
      tell();
      ask();
    },
    (/** @type {any} */ error) => tell(error.message),
  );
}
