/**
 * @typedef {object} AnyProfiler
 * @property {boolean} stopped
 * @property {number} sampleInterval
 * @property {string} [mode]
 * @property {Record<string, number>} [losses]
 * @property {() => Promise<any>} stop
 */

/**
 * @param {{sampleInterval: number, maxBufferSize: number}} options
 * @returns {Promise<AnyProfiler>} of polyprof if the page has it, else the browser's own; rejects with a NotSupportedError
 */
export async function startProfiler(options) {
  const realm = /** @type {any} */ (globalThis);
  if (realm.performance.profile) return realm.performance.profile(options);
  if (realm.Profiler) return new realm.Profiler(options);
  throw new DOMException(
    'startBeacon: there is no profiler: load polyprof.js, or serve the page with Document-Policy: js-profiling to Chromium',
    'NotSupportedError',
  );
}
