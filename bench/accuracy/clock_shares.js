import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { callTree } from '../../report/traces/call_tree.js';
import { sampleTotal } from '../../report/traces/sample_counts.js';
import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { withV8Profiler } from '../engine_profilers/v8_profiler.js';
import { outFolder } from '../lib/folders.js';
import { mean, sum } from '../lib/statistics.js';
import { canHaveClock, clockedPlaces, withClocks } from '../rewritten/clock_probe.js';
import { rewritten } from '../rewritten/rewritten_workload.js';
import { runPage } from '../workloads/run_page.js';
import { probed } from './probed_only.js';
import { selection } from './selection.js';

/** Functions with clocks, in pages that are sampled: what share of the time each runs, by its clock and by the samples. */

/** @import { Browser, EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Server } from '../../web-test/lib/server.js' */
/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { Clocked } from '../rewritten/clock_probe.js' */
/** @import { Definition } from '../rewritten/functions_in.js' */
/** @typedef {{trace: ProfilerTrace, ms: number, clocks: Map<number, Clocked>, step: number}} Run `step`: of the clock, ms */
/**
 * @typedef {{clock: number, ours: number, v8: number, alone: number}} Share of the run's time, 0 to 1, in the mean of the pages; `v8`: NaN where it did not
 *   watch; `alone`: how far our samples of one page are from its clock
 */
/** @typedef {Run & {ours: Map<number, number>, byV8?: Map<number, number>}} SampledRun and the share of samples by function, of V8's where it watched */
/** @typedef {{shares: Map<number, Share>, samples: number, steps: number}} Kind by function; our samples and the clock's steps in all pages */

export const KINDS = [
  { probe: 'flag', isolated: true },
  { probe: 'shadow', isolated: true },
  { probe: 'flag', isolated: false },
];

/** µs that a call takes in the mean: to look at the clock twice takes some tenths of one. */
const LONG_ENOUGH = 4;
/** Functions that nearly always run tell nothing: all profilers see them. */
const AT_MOST = 0.8;
/** Share of the usual work that the first visit does. */
const PILOT = 0.2;

const OUT = outFolder('clock');

/** @param {string} plain folder of a workload @param {readonly Definition[]} functions of its script @param {readonly number[]} ids @param {string} kind @returns {Promise<string>} the same with clocks */
export function clocked(plain, functions, ids, kind) {
  const key = withClocks('', [], []) + JSON.stringify(ids);
  return rewritten(plain, join(OUT, kind), (code) => withClocks(code, functions, ids), key);
}

/**
 * @param {EngineName} engine @param {string} workload @param {string} plain @param {readonly Definition[]} functions @param {number} most
 * @returns {Promise<number[]>} functions that are worth a clock, those with the most time of their own first
 */
export async function hottest(engine, workload, plain, functions, most) {
  const all = functions.flatMap((one, id) =>
    canHaveClock(one) && one.weight >= DEFAULT_MIN_WEIGHTS.flag ? [id] : [],
  );
  const folder = await clocked(plain, functions, all, `all ${engine}`);
  const server = await serve({ folders: { '/': dirname(folder), '/dist/': FOLDERS['/dist/'] } });
  const browser = await launch(engine);
  try {
    const { clocks, ms } = await visit(browser, server, workload, PILOT);
    return [...clocks]
      .filter(([, one]) => 1000 * one.ms > LONG_ENOUGH * one.calls && one.ms < AT_MOST * ms)
      .sort(([, a], [, b]) => b.own - a.own)
      .slice(0, most)
      .map(([id]) => id);
  } finally {
    await browser.close();
    await server.close();
  }
}

/**
 * @param {Browser} browser @param {Server} server @param {string} workload @param {number} share of the usual work
 * @param {string} [query] @returns {Promise<Run>} without a query `trace` is undefined
 */
async function visit(browser, server, workload, share, query = '') {
  const result = '__done.then((run) => ({ ...run, clocks: __clocks(), step: __clockStep() }))';
  const run = await runPage(browser, server, workload, { scale: share, query, result });
  return { ...run, clocks: new Map(run.clocks) };
}

/**
 * @param {EngineName} engine @param {string} workload @param {string} folder of the workload with clocks @param {(typeof KINDS)[number]} kind
 * @param {{pages: number, scale: number, budget?: string}} how `scale`: share of the usual work, of a page
 * @returns {Promise<Kind>}
 */
export async function sharesIn(engine, workload, folder, { probe, isolated }, { pages, scale, budget }) {
  const built = join(OUT, `${engine} ${probe}`);
  const selected = await selection(budget, workload, folder, join(OUT, engine));
  const instrumented = await instrumentWorkload(folder, built, ['--probe', probe, ...selected]);
  const places = seenPlaces(join(instrumented, `${workload}.js`), isolated);
  const server = await serve({ folders: { '/': built, '/dist/': FOLDERS['/dist/'] }, isolated });
  const browser = await launch(engine);
  const v8 =
    engine === 'chromium' && isolated
      ? withV8Profiler(browser, server.url('/dist/polyprof-chooser.js'))
      : undefined;
  try {
    /** @type {SampledRun[]} */
    const runs = [];
    for (let page = 0; page < pages; page++) {
      const run = await visit(v8?.browser ?? browser, server, workload, scale, 'interval=1');
      const [first, last] = [run.trace.samples[0], run.trace.samples[run.trace.samples.length - 1]];
      const byV8 = v8 && totals(v8.takeTrace(first.timestamp, last.timestamp), places);
      runs.push({ ...run, ours: totals(run.trace, places), byV8 });
    }
    return {
      shares: new Map([...places.values()].map((id) => [id, meanShare(runs, id)])),
      samples: sum(runs.map(({ trace }) => trace.samples.length)),
      steps: sum(runs.map(({ ms, step }) => ms / step)),
    };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** @param {SampledRun[]} runs @param {number} id of a function @returns {Share} */
function meanShare(runs, id) {
  const shares = runs.map(({ clocks, ms, ours, byV8 }) => ({
    clock: /** @type {Clocked} */ (clocks.get(id)).ms / ms,
    ours: ours.get(id) ?? 0,
    v8: byV8 ? (byV8.get(id) ?? 0) : NaN,
  }));
  return {
    clock: mean(shares.map(({ clock }) => clock)),
    ours: mean(shares.map(({ ours }) => ours)),
    v8: mean(shares.map(({ v8 }) => v8)),
    alone: mean(shares.map(({ clock, ours }) => Math.abs(ours - clock))),
  };
}

/** @param {string} script @param {boolean} isolated @returns {Map<string, number>} ids by `line:column` of the functions with clocks that are seen there */
function seenPlaces(script, isolated) {
  const places = clockedPlaces(readFileSync(script, 'utf8'));
  const seen = probed(readFileSync(`${script}.ppft`)).filter(
    ({ flags }) => isolated || !(flags & FunctionFlag.QUIET),
  );
  return new Map(
    seen.flatMap(({ line, column }) => {
      const id = places.get(`${line}:${column}`);
      return id === undefined ? [] : [[`${line}:${column}`, id]];
    }),
  );
}

/** @param {ProfilerTrace} trace @param {Map<string, number>} places @returns {Map<number, number>} share of the samples that a function is in, by id */
function totals(trace, places) {
  const all = sampleTotal(trace);
  return new Map(
    callTree(trace).functions.flatMap(({ location: { line, column }, total }) => {
      const id = places.get(`${line}:${column}`);
      return id === undefined ? [] : [[id, total / all]];
    }),
  );
}
