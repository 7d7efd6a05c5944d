import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildWorkload, WORKLOADS } from '../../examples/workloads/build.js';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { usualScale } from '../../examples/workloads/lib/profile_workload.js';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { callTree } from '../../report/traces/call_tree.js';
import { sampleTotal } from '../../report/traces/sample_counts.js';
import { symbolsIn } from '../../report/symbols/symbol_files.js';
import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { outFolder } from '../lib/folders.js';
import { budget, count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { canHaveClock, clockedPlaces, withClocks } from '../rewritten/clock_probe.js';
import { errorToExpect } from './distance.js';
import { functionsIn } from '../rewritten/functions_in.js';
import { probed } from './probed_only.js';
import { hostLine } from '../lib/host.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { rewritten } from '../rewritten/rewritten_workload.js';
import { selection, selectionName } from './selection.js';
import { withV8Profiler } from '../engine_profilers/v8_profiler.js';

/**
 * Who is right where profilers differ? Functions of real libraries measure by the page's clock how long they run, and that is compared with
 * the share of the samples that they are in: of ours, and in Chromium of V8's profiler, in the same run. In pages that are not isolated the clock
 * has coarse steps: right in the mean, and how much that makes is reckoned with. They are compared with the clock of isolated ones, too, of which
 * those of the other probe are the control: no page runs twice alike.
 *
 * A first visit, with clocks everywhere, finds the functions: those with the most time of their own among those that run for LONG_ENOUGH.
 * Writes bench/results/clock.md.
 */

/** @import { Browser, EngineName } from '../../web-test/lib/browsers.js' */
/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { Clocked } from '../rewritten/clock_probe.js' */
/** @import { Definition } from '../rewritten/functions_in.js' */
/** @typedef {{trace: ProfilerTrace, ms: number, clocks: Map<number, Clocked>, step: number}} Run `step`: of the clock, ms */
/**
 * @typedef {{clock: number, ours: number, v8: number, alone: number}} Share of the run's time, 0 to 1, in the mean of the pages; `alone`: how far our
 *   samples of one page are from its clock
 */
/** @typedef {{shares: Map<number, Share>, samples: number, steps: number}} Kind by function; our samples and the clock's steps in all pages */

const KINDS = [
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

const options = readOptions(
  'Who is right where profilers differ? Functions of real libraries measure by the page’s clock how long they run.',
  {
    engines: engineNames(),
    workloads: someOf('which', WORKLOADS),
    functions: count('of each workload', 8),
    pages: count('of each kind', 4),
    scale: positive("share of a workload's usual work", 0.5),
    budget: budget(
      'of probes; what it leaves out, or lets be quiet where a page is not isolated, is not compared there',
    ),
  },
);
const { engines, workloads, functions: functionsPerWorkload, pages, scale } = options;
const OUT = outFolder('clock');

const lines = [
  `${hostLine()}, ${selectionName(options.budget)}. Share of the time in which a function runs, itself or what it calls, in %: by the`,
  "page's clock; in parentheses by our samples and by those of V8's profiler, in the same runs.",
  '',
  ...tableHead([
    'engine',
    'workload',
    'function',
    'flag: clock (ours, V8)',
    'shadow: clock (ours, V8)',
    'not isolated: clock (ours)',
  ]),
];
const errors = [
  '',
  'All of them: the mean error as a share of the time by the clock, in %; in parentheses what as many independent samples as ours would have by such a clock.',
  'Of a page alone: the mean error if each page is compared with its own clock, and not all together.',
  "The last two columns: how far from the clock of flag's pages our samples of the ones that are not isolated are, and the clock of shadow's.",
  '',
  ...tableHead([
    'engine',
    'workload',
    'flag: ours, V8',
    'shadow: ours, V8',
    'not isolated: ours',
    'not isolated: a page alone',
    'not isolated, flag’s clock',
    'shadow’s clock, flag’s clock',
  ]),
];
for (const engine of engines) {
  for (const workload of workloads) {
    const plain = await buildWorkload(workload, join(OUT, 'plain'));
    const functions = functionsIn(readFileSync(join(plain, `${workload}.js`), 'utf8'));
    const ids = await hottest(engine, workload, plain, functions);
    const kinds = [];
    const folder = await clocked(plain, functions, ids, engine);
    for (const kind of KINDS) kinds.push(await sharesIn(engine, workload, folder, kind));
    const [flag, shadow, notIsolated] = kinds;
    const name = await namesIn(workload, plain, functions.length);
    for (const id of ids) {
      const cells = kinds.map(({ shares }) => cell(shares.get(id)));
      addRow(lines, [engine, workload, name(id), ...cells]);
    }
    addRow(errors, [
      engine,
      workload,
      ...kinds.map(meanErrors),
      errorOf([...notIsolated.shares.values()], ({ alone }) => alone),
      farFromClock(flag, notIsolated, ({ ours }) => ours),
      farFromClock(flag, shadow, ({ clock }) => clock),
    ]);
  }
}
writeLines('clock.md', [...lines, ...errors]);

/** @param {Share | undefined} share none of functions that are not seen there; `v8`: NaN where it did not watch */
function cell(share) {
  if (!share) return '—';
  const { clock, ours, v8 } = share;
  return `${percent(clock)} (${percent(ours)}${Number.isNaN(v8) ? '' : `, ${percent(v8)}`})`;
}

/** @param {number} share */
function percent(share) {
  return (100 * share).toFixed(1);
}

/** @param {Kind} kind */
function meanErrors({ shares, samples, steps }) {
  const all = [...shares.values()];
  const ours = errorOf(all, (share) => Math.abs(share.ours - share.clock));
  const v8 = errorOf(all, (share) => Math.abs(share.v8 - share.clock));
  const noise = errorOf(all, ({ clock }) => errorToExpect(clock, 1 / samples + 1 / steps));
  return `${ours} (${noise})${v8 === 'NaN' ? '' : `, ${v8}`}`;
}

/** @param {Kind} truth @param {Kind} other @param {(share: Share) => number} what of it is compared with the clock of the first */
function farFromClock(truth, other, what) {
  const both = [...truth.shares].flatMap(([id, { clock }]) => {
    const share = other.shares.get(id);
    return share ? [{ clock, seen: what(share) }] : [];
  });
  return errorOf(both, ({ clock, seen }) => Math.abs(seen - clock));
}

/** @template {{clock: number}} T @param {T[]} shares @param {(share: T) => number} error of one @returns {string} of all, in % of their time by the clock */
function errorOf(shares, error) {
  const sum = (/** @type {(share: T) => number} */ what) =>
    shares.reduce((total, share) => total + what(share), 0);
  return percent(sum(error) / sum(({ clock }) => clock));
}

/** @param {string} workload @param {string} plain @param {number} count of its functions @returns {Promise<(id: number) => string>} names in the sources */
async function namesIn(workload, plain, count) {
  const folder = await instrumentWorkload(plain, join(OUT, 'named'), [
    '--min-weight',
    String(DEFAULT_MIN_WEIGHTS.flag),
  ]);
  const symbols = symbolsIn(folder)(`http://localhost/${workload}.js`);
  // The prelude has functions of its own, before them.
  const functions = functionsIn(readFileSync(join(folder, `${workload}.js`), 'utf8')).slice(-count);
  return (id) => {
    const { line, column } = functions[id];
    return symbols?.({ name: '', line, column })?.name ?? `${line}:${column}`;
  };
}

/** @param {string} plain folder of a workload @param {readonly Definition[]} functions of its script @param {readonly number[]} ids @param {string} kind @returns {Promise<string>} the same with clocks */
function clocked(plain, functions, ids, kind) {
  const key = withClocks('', [], []) + JSON.stringify(ids);
  return rewritten(plain, join(OUT, kind), (code) => withClocks(code, functions, ids), key);
}

/**
 * @param {EngineName} engine @param {string} workload @param {string} plain @param {readonly Definition[]} functions
 * @returns {Promise<number[]>} functions that are worth a clock, those with the most time of their own first
 */
async function hottest(engine, workload, plain, functions) {
  const all = functions.flatMap((one, id) =>
    canHaveClock(one) && one.weight >= DEFAULT_MIN_WEIGHTS.flag ? [id] : [],
  );
  const folder = await clocked(plain, functions, all, `all ${engine}`);
  const server = await serve({ folders: { '/': dirname(folder), '/dist/': FOLDERS['/dist/'] } });
  const browser = await launch(engine);
  try {
    const { clocks, ms } = await visit(browser, server.url(`/${workload}/index.html?`), workload, PILOT);
    return [...clocks]
      .filter(([, one]) => 1000 * one.ms > LONG_ENOUGH * one.calls && one.ms < AT_MOST * ms)
      .sort(([, a], [, b]) => b.own - a.own)
      .slice(0, functionsPerWorkload)
      .map(([id]) => id);
  } finally {
    await browser.close();
    await server.close();
  }
}

/**
 * @param {Browser} browser @param {string} url up to its query @param {string} workload @param {number} share of the usual work
 * @param {string} [query] @returns {Promise<Run>} without a query `trace` is undefined
 */
async function visit(browser, url, workload, share, query = '') {
  const page = await browser.open(`${url}${query}&scale=${share * usualScale(browser.name, workload)}`);
  try {
    const run = await page.evaluate(
      '__done.then((run) => ({ ...run, clocks: __clocks(), step: __clockStep() }))',
    );
    return { ...run, clocks: new Map(run.clocks) };
  } finally {
    await page.close();
  }
}

/**
 * @param {EngineName} engine @param {string} workload @param {string} folder of the workload with clocks @param {(typeof KINDS)[number]} kind
 * @returns {Promise<Kind>}
 */
async function sharesIn(engine, workload, folder, { probe, isolated }) {
  const built = join(OUT, `${engine} ${probe}`);
  const selected = await selection(options.budget, workload, folder, join(OUT, engine));
  const instrumented = await instrumentWorkload(folder, built, ['--probe', probe, ...selected]);
  const places = seenPlaces(join(instrumented, `${workload}.js`), isolated);
  const server = await serve({ folders: { '/': built, '/dist/': FOLDERS['/dist/'] }, isolated });
  const browser = await launch(engine);
  const v8 =
    engine === 'chromium' && isolated
      ? withV8Profiler(browser, server.url('/dist/polyprof-chooser.js'))
      : null;
  try {
    /** @type {Map<number, Share>} */
    const sums = new Map(
      [...places.values()].map((id) => [id, { clock: 0, ours: 0, v8: v8 ? 0 : NaN, alone: 0 }]),
    );
    let samples = 0;
    let steps = 0;
    for (let page = 0; page < pages; page++) {
      const url = server.url(`/${workload}/index.html?`);
      const { trace, ms, clocks, step } = await visit(
        v8?.browser ?? browser,
        url,
        workload,
        scale,
        'interval=1',
      );
      const [first, last] = [trace.samples[0], trace.samples[trace.samples.length - 1]];
      samples += trace.samples.length;
      steps += ms / step;
      const ours = totals(trace, places);
      const seen = v8 && totals(v8.takeTrace(first.timestamp, last.timestamp), places);
      for (const [id, sum] of sums) {
        const byClock = /** @type {Clocked} */ (clocks.get(id)).ms / ms;
        const byUs = ours.get(id) ?? 0;
        sum.clock += byClock / pages;
        sum.ours += byUs / pages;
        sum.alone += Math.abs(byUs - byClock) / pages;
        if (seen) sum.v8 += (seen.get(id) ?? 0) / pages;
      }
    }
    return { shares: sums, samples, steps };
  } finally {
    await browser.close();
    await server.close();
  }
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
