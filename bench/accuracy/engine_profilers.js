import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildWorkload, WORKLOADS } from '../../examples/workloads/build.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { launchProfiled, OWN_PROFILERS } from '../engine_profilers/launch_profiled.js';
import { outFolder } from '../lib/folders.js';
import { hostLine } from '../lib/host.js';
import { budget, count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { entryChecks } from '../rewritten/entry_check.js';
import { checkedFunctions, traceOfChecks } from '../rewritten/entry_profile.js';
import { rewritten } from '../rewritten/rewritten_workload.js';
import { runPage } from '../workloads/run_page.js';
import { compared, farthest, selfSamples } from './distance.js';
import { definedAt, probedOnly } from './probed_only.js';
import { pairOf, PILOT, scaleFor, servePages, total } from './profiled_pages.js';
import { selectionName } from './selection.js';

/**
 * Do our ways of sampling tell what the engine's own profiler tells? It watches the same runs of ours, at 1 ms; only samples with a stack count, and of its
 * own only those between the first and the last of ours. It also watches the older design, of checks at entry alone, and in Chromium the page's `Profiler`, at
 * 10 ms, the least it does. Halves of the own profiler's runs are the control.
 *
 * Writes bench/results/engine_profilers.md.
 */

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Pair, Profile, Sampler } from './profiled_pages.js' */

/** @typedef {{probe: 'flag' | 'shadow', isolated: boolean}} Kind */
/** @type {Record<string, Kind>} */
const KINDS = {
  flag: { probe: 'flag', isolated: true },
  'flag, not isolated': { probe: 'flag', isolated: false },
  shadow: { probe: 'shadow', isolated: true },
};

/** Expression for what the checks saw while the workload ran. */
const CHECKS_SEEN = `__done.then(({ ms }) => {
  const begin = performance.now() - ms;
  return __ecSamples.filter(([time]) => time > begin);
})`;

const options = readOptions("Do our ways of sampling tell what the engine's own profiler tells?", {
  engines: engineNames(),
  workloads: someOf('which', WORKLOADS),
  pages: count('of each kind', 6),
  samples: positive('of each kind, in all its pages', 10_000, 'n'),
  budget: budget('of probes: entry checks have none'),
});
const { engines, workloads, pages } = options;
const samplesPerPage = options.samples / pages;
const out = outFolder('engine_profilers');

const lines = [
  `${hostLine()}; ${pages} pages of each kind, ${selectionName(options.budget)}. Total variation distance of self time; in parentheses what two`,
  `independent samples of these sizes of one truth would differ by; then how many of the ten hottest functions both have.${options.budget ? ' Entry checks have no budget.' : ''}`,
  '',
  ...tableHead([
    'engine',
    'its own profiler',
    'workload',
    'probes',
    'samples of ours, of its own',
    'ours, its own',
    'its own, its own',
    'where they differ most, %',
    'of `Profiler` with a stack',
    '`Profiler`, its own',
  ]),
];
for (const engine of engines) {
  for (const workload of workloads) {
    const plain = await buildWorkload(workload, join(out, 'plain'));
    const start = [engine, OWN_PROFILERS[engine], workload];
    for (const [name, kind] of Object.entries(KINDS)) {
      const { ours, native } = await profiles(engine, workload, plain, kind);
      addRow(lines, [...start, name, ...comparedToOwn(ours), ...(native ? ofNative(native) : ['', ''])]);
    }
    const checks = await entryProfiles(engine, workload, plain);
    addRow(lines, [...start, 'entry checks alone', ...comparedToOwn(checks), '', '']);
  }
}
writeLines('engine_profilers.md', lines);

/** @typedef {{ours: Pair, own: Pair}} Watched what we saw of some runs, or another sampler in our place, and what the engine's own profiler did */

/** @param {Watched} runs @returns {string[]} cells */
function comparedToOwn({ ours, own }) {
  return [
    `${total(ours.all)}, ${total(own.all).toFixed(0)}`,
    compared(withStack(ours.all), withStack(own.all)),
    compared(withStack(own.first), withStack(own.second)),
    farthest(withStack(ours.all), withStack(own.all)),
  ];
}

/** @param {Watched} runs of the page's `Profiler` @returns {string[]} cells */
function ofNative({ ours, own }) {
  return [shareWithStack(ours.all), compared(withStack(ours.all), withStack(own.all))];
}

/** @param {Profile} profile */
function withStack(profile) {
  return new Map([...profile].filter(([key]) => key !== ''));
}

/** @param {Profile} profile */
function shareWithStack(profile) {
  return `${Math.round(100 * (1 - (profile.get('') ?? 0) / total(profile)))} %`;
}

/**
 * Runs of ours and, where there is one, of the page's `Profiler`, each with what the engine's own profiler saw of them.
 * @param {EngineName} engine
 * @param {string} workload
 * @param {string} plain folder
 * @param {Kind} kind
 * @returns {Promise<{ours: Watched, native: Watched | undefined}>}
 */
async function profiles(engine, workload, plain, { probe, isolated }) {
  const build = await servePages(workload, plain, probe, out, { budget: options.budget, isolated });
  const { browser, takeTrace } = await launchProfiled(engine, build.polyfill);
  try {
    const scale = scaleFor((await build.trace(browser, { scale: PILOT })).samples.length, samplesPerPage);
    const watch = async (/** @type {Sampler} */ sampler) => {
      const [ours, own] = [0, 1].map(() => /** @type {Profile[]} */ ([]));
      for (let page = 0; page < pages; page++) {
        const intervalMs = sampler === 'native' ? 10 : 1;
        const all = await build.trace(browser, { scale, sampler, intervalMs });
        const trace = sampler === 'native' ? whileBusy(probedOnly(all, build.table)) : all;
        ours.push(build.profileOf(trace));
        own.push(build.profileOf(probedOnly(takeTrace(...span(trace)), build.table)));
      }
      return { ours: pairOf(ours), own: pairOf(own) };
    };
    return {
      ours: await watch('ours'),
      native: engine === 'chromium' && isolated ? await watch('native') : undefined,
    };
  } finally {
    await browser.close();
    await build.close();
  }
}

/**
 * As `profiles`, of a build with entry checks alone.
 * @param {EngineName} engine @param {string} workload @param {string} plain folder @returns {Promise<Watched>}
 */
async function entryProfiles(engine, workload, plain) {
  const folder = await rewritten(plain, join(out, 'entry'), entryChecks);
  const code = readFileSync(join(folder, `${workload}.js`), 'utf8');
  const checked = checkedFunctions(code);
  const server = await serve({ folders: { '/': dirname(folder), '/dist/': FOLDERS['/dist/'] } });
  const { browser, takeTrace } = await launchProfiled(engine, server.url('/dist/polyprof-chooser.js'));
  try {
    const run = async (/** @type {number} */ scale) => {
      const samples = await runPage(browser, server, workload, {
        scale,
        query: 'entry=1',
        result: CHECKS_SEEN,
      });
      const trace = traceOfChecks(samples, code, checked);
      return {
        ours: selfSamples(trace),
        own: selfSamples(nameless(definedAt(takeTrace(...span(trace)), checked))),
      };
    };
    const scale = scaleFor(total((await run(PILOT)).own), samplesPerPage);
    const runs = [];
    for (let page = 0; page < pages; page++) runs.push(await run(scale));
    return { ours: pairOf(runs.map(({ ours }) => ours)), own: pairOf(runs.map(({ own }) => own)) };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Without what was before and after the work. @param {ProfilerTrace} trace @returns {ProfilerTrace} */
function whileBusy(trace) {
  const isBusy = (/** @type {{stackId?: number}} */ { stackId }) => stackId !== undefined;
  const [from, to] = [trace.samples.findIndex(isBusy), trace.samples.findLastIndex(isBusy)];
  return { ...trace, samples: trace.samples.slice(from, to + 1) };
}

/** @param {ProfilerTrace} trace @returns {[from: number, to: number]} of its samples */
function span({ samples }) {
  return [samples[0].timestamp, samples[samples.length - 1].timestamp];
}

/** Functions by their places alone. @param {ProfilerTrace} trace @returns {ProfilerTrace} */
function nameless(trace) {
  return { ...trace, frames: trace.frames.map(({ line, column }) => ({ name: '', line, column })) };
}
