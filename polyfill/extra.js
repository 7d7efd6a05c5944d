import { base, HIDE } from './profiler.js';

/**
 * What few pages need is in a file of its own, `polyprof-extra.mjs`, which is fetched by the first call.
 */

/** @returns {Promise<typeof import('./extra/index.js')>} */
function load() {
  return import(new URL('polyprof-extra.mjs', base.url).href);
}

/**
 * When the page is hidden for good or put into the back/forward cache, ends the profiler and sends its trace.
 *
 * @param {import('./profiler.js').Profiler | import('./draft_profiler.js').DraftProfiler} profiler
 * @param {string | URL} url
 * @param {{gzip?: boolean}} [options]
 * @returns {(() => void) & {ready: Promise<unknown>}} takes it back; `ready`: it is in force
 * @throws {TypeError} it is no profiler of ours
 */
export function sendOnHide(profiler, url, options) {
  const take = profiler?.[HIDE];
  if (!take) {
    throw new TypeError('polyprof.sendOnHide: a profiler of ours is needed: install({force: true})');
  }
  const undo = load().then((extra) => extra.sendOnHide(() => take.call(profiler), url, options));
  return Object.assign(() => void undo.then((call) => call()), { ready: undo });
}

/**
 * Sends a profile whenever the page's thread is stuck.
 *
 * @param {import('./extra/watch.js').WatchOptions} options
 * @returns {Promise<{stop(): Promise<void>}>} once it watches; rejects with NotSupportedError without shadow probes
 */
export async function watch(options) {
  return (await load()).watch(options, /** @type {URL} */ (base.url));
}
