/** @typedef {import('./options.js').BeaconSettings} BeaconSettings */
/** @typedef {import('./start_profiler.js').AnyProfiler} AnyProfiler */

/**
 * What is sent beside a trace: who was sampled, where and how, and what was lost.
 * @param {AnyProfiler} profiler that was stopped
 * @param {string} session
 * @param {string} url of the page, made anonymous
 * @param {number} droppedTraces
 * @param {Record<string, string>} tags
 */
export function traceDetails(profiler, session, url, droppedTraces, tags) {
  const { mode = 'native', sampleInterval, losses } = profiler;
  const lost = Object.entries({ ...losses, droppedTraces }).filter(([, count]) => count > 0);
  return {
    session,
    url,
    userAgent: navigator.userAgent,
    mode,
    sampleInterval,
    timeOrigin: performance.timeOrigin,
    ...(lost.length > 0 && { losses: Object.fromEntries(lost) }),
    ...(Object.keys(tags).length > 0 && { tags }),
  };
}
