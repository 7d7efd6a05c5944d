import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { profileWorkload } from '../../examples/workloads/lib/profile_workload.js';
import { symbolsIn } from '../../report/symbols/symbol_files.js';
import { symbolicate } from '../../report/symbols/symbolicate.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { selfSamples } from './distance.js';
import { selection } from './selection.js';

/** Runs of a workload in fresh pages, and the sums of what they saw. */

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { Browser } from '../../web-test/lib/browsers.js' */
/** @typedef {Map<string, number>} Profile samples by function, see `selfSamples` */
/** @typedef {{first: Profile, second: Profile, all: Profile}} Pair of runs of one kind, and their sum */
/** @typedef {'ours' | 'alone' | 'native'} Sampler ours, ours without a worker, the page's `Profiler` */

/** Share of the usual work that tells how much makes so many samples. */
export const PILOT = 0.1;

/** @param {number} seen samples of the pilot run @param {number} wanted of each other one @returns {number} scale of those */
export const scaleFor = (seen, wanted) => (PILOT * wanted) / seen;

/**
 * Builds a workload with probes, and serves it.
 * @param {string} workload @param {string} plain folder @param {'flag' | 'shadow'} probe @param {string} out folder
 * @param {{budget?: string, isolated?: boolean}} [options] `budget`: see `selection`
 */
export async function servePages(workload, plain, probe, out, { budget, isolated } = {}) {
  const built = join(out, probe);
  const options = await selection(budget, workload, plain, out);
  const folder = await instrumentWorkload(plain, built, ['--probe', probe, ...options]);
  const server = await serve({
    folders: { '/': built, '/dist/': FOLDERS['/dist/'] },
    jsProfiling: true,
    isolated,
  });
  return {
    /** The function table of its script. */
    table: readFileSync(join(folder, `${workload}.js.ppft`)),
    polyfill: server.url('/dist/polyprof-chooser.js'),
    close: server.close,

    /**
     * A page of its own.
     * @param {Browser} browser
     * @param {{scale: number, sampler?: Sampler, intervalMs?: number}} options
     * @returns {Promise<ProfilerTrace>}
     */
    async trace(browser, { scale, sampler = 'ours', intervalMs = 1 }) {
      return (await profileWorkload(browser, server, workload, { intervalMs, scale, sampler })).trace;
    },

    /** @param {ProfilerTrace} trace @returns {Profile} */
    profileOf: (trace) => selfSamples(symbolicate(trace, symbolsIn(folder))),
  };
}

/** @param {Profile} profile */
export function total(profile) {
  return [...profile.values()].reduce((a, b) => a + b, 0);
}

/** @param {Profile[]} runs by turns of the first and of the second @returns {Pair} */
export function pairOf(runs) {
  const [first, second, all] = [0, 1, 2].map(() => /** @type {Profile} */ (new Map()));
  runs.forEach((run, i) => {
    for (const [key, count] of run)
      for (const sum of [i % 2 ? second : first, all]) sum.set(key, (sum.get(key) ?? 0) + count);
  });
  return { first, second, all };
}
