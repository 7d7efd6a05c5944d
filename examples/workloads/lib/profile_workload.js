import { evenSamples } from '../../../report/reading/even_samples.js';

/** @import { Browser } from '../../../web-test/lib/browsers.js' */
/** @import { Server } from '../../../web-test/lib/server.js' */
/** @import { ProfilerTrace } from '../../../report/reading/check_trace.js' */

/**
 * @typedef {object} Outcome of a profiled run, as the page tells it
 * @property {string} name of the workload
 * @property {number} ms how long it ran
 * @property {string} digest of what it produced
 * @property {ProfilerTrace} trace
 * @property {string} mode who sampled, and how
 * @property {number} sampleInterval as used, ms
 * @property {Record<string, number>} losses by reason
 */

/**
 * How much work to do where scale 1 would take minutes. JavaScriptCore takes 50 times as long as V8 for marked's regular expressions.
 * @type {Record<string, Record<string, number>>} by browser and workload
 */
const SCALES = { webkit: { marked: 0.03 } };

/** @param {string} engine @param {string} workload @returns {number} scale at which it takes seconds */
export const usualScale = (engine, workload) => SCALES[engine]?.[workload] ?? 1;

/**
 * Runs a workload's page under polyprof.
 * @param {Browser} browser
 * @param {Pick<Server, 'url'>} server of the instrumented workloads, and of polyprof below /dist/
 * @param {string} name
 * @param {{intervalMs: number, scale?: number, sampler?: 'ours' | 'alone' | 'native'}} options `scale`: share of the usual work;
 *   `sampler`: ours, ours without a worker, or the browser's own
 * @returns {Promise<Outcome>} its trace without what a browser's own profiler took out of turn; rejects with the page's error
 */
export async function profileWorkload(browser, server, name, { intervalMs, scale, sampler = 'ours' }) {
  const interval = String(intervalMs);
  const outcome = await runPage(browser, server, name, { interval, scale, [sampler]: '' });
  return { ...outcome, trace: evenSamples(outcome.trace).trace };
}

/**
 * Runs a workload's page and nothing else.
 * @param {Browser} browser
 * @param {Pick<Server, 'url'>} server of workloads, instrumented or not
 * @param {string} name
 * @param {{scale?: number}} options
 * @returns {Promise<Pick<Outcome, 'name' | 'ms' | 'digest'>>}
 */
export function runWorkload(browser, server, name, { scale }) {
  return runPage(browser, server, name, { scale });
}

/**
 * @param {Browser} browser @param {Pick<Server, 'url'>} server @param {string} name
 * @param {{scale?: number, interval?: string} & Record<string, unknown>} options
 */
async function runPage(browser, server, name, { scale = 1, ...others }) {
  const query = new URLSearchParams({ ...others, scale: String(scale * usualScale(browser.name, name)) });
  const page = await browser.open(server.url(`/${name}/index.html?${query}`));
  try {
    return await page.evaluate('globalThis.__done');
  } finally {
    await page.close();
  }
}
