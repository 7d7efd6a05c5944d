/** @typedef {import('./options.js').BeaconSettings} BeaconSettings */
/** @typedef {import('./profiled_window.js').ProfiledWindow} ProfiledWindow */

/**
 * What is sent beside a trace: who was sampled, where and how, and what was lost.
 * @param {ProfiledWindow} window that ended
 * @param {string} session
 * @param {string} url of the page, made anonymous
 * @param {number} droppedTraces
 * @param {Record<string, string>} tags
 */
export function traceDetails(window, session, url, droppedTraces, tags) {
  const { mode, sampleInterval, losses } = window;
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
