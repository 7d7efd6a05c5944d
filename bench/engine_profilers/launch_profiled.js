import { launch } from '../../web-test/lib/browsers.js';
import { withGeckoProfiler } from './gecko_profiler.js';
import { withJscProfiler } from './jsc_profiler.js';
import { withV8Profiler } from './v8_profiler.js';

/** @import { Browser, EngineName } from '../../web-test/lib/browsers.js' */
/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/**
 * @typedef {object} OwnProfiler
 * @property {Browser} browser whose pages the engine's own profiler watches from their start until they are closed
 * @property {(from: number, to: number) => ProfilerTrace} takeTrace what it saw of the page that was closed last, between two times of its
 *   `performance.now()`, where samples have times
 */

/** What developers see of each engine. @type {Record<EngineName, string>} */
export const OWN_PROFILERS = { chromium: 'V8', firefox: 'Gecko', webkit: 'JSC' };

/**
 * @param {EngineName} engine
 * @param {string} blank address of a page of the same site as those to come
 * @returns {Promise<OwnProfiler>}
 */
export async function launchProfiled(engine, blank) {
  if (engine === 'firefox') return withGeckoProfiler();
  if (engine === 'webkit') return withJscProfiler(blank);
  return withV8Profiler(await launch(engine), blank);
}
