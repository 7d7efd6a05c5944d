import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWorkload, WORKLOADS } from '../examples/workloads/build.js';
import { launch } from '../web-test/lib/browsers.js';
import { FOLDERS } from '../web-test/lib/folders.js';
import { serve } from '../web-test/lib/server.js';
import { chosen, positive } from './arguments.js';
import { compared, selfSamples } from './distance.js';
import { checkedFunctions, traceOfChecks } from './entry_profile.js';
import { definedAt, probedOnly } from './probed_only.js';
import { pairOf, PILOT, scaleFor, servePages, total } from './profiled_pages.js';
import { addRow, machine, writeLines } from './report.js';
import { selectionName } from './selection.js';
import { withV8Profiler } from './v8_profiler.js';
import { withEntryChecks } from './variants.js';

/**
 * Do our ways of sampling tell what V8's own profiler tells? It watches the same runs, of ours, at 1 ms, and of the page's `Profiler`, which is at 10 ms,
 * the least it does; of what these two saw only samples with a stack count, and of V8's only those between the first and the last of the other's. It also
 * watches the older design, of checks at entry alone, at 1 ms. Halves of V8's runs are the control.
 *
 *     node bench/accuracy.js [--workloads a,b] [--pages N] [--samples N] [--budget 1%]
 *
 * `--pages` and `--samples` are of each kind. The budget is that of probes: entry checks have none. Writes bench/results/accuracy.md.
 */

/** @import { ProfilerTrace } from '../report/check_trace.js' */
/** @import { Pair, Profile, Sampler } from './profiled_pages.js' */

const { values } = parseArgs({
  options: {
    workloads: { type: 'string' },
    pages: { type: 'string', default: '6' },
    samples: { type: 'string', default: '10000' },
    budget: { type: 'string' },
  },
});
const workloads = chosen('--workloads', values.workloads, WORKLOADS);
const pages = positive('--pages', values.pages);
/** Of a page. */
const samples = positive('--samples', values.samples) / pages;
const out = fileURLToPath(new URL('../out/bench/accuracy/', import.meta.url));

const host = machine();
const lines = [
  `${host.cores} × ${host.cpu}, ${host.memoryGiB} GiB, ${host.date}; ${pages} pages of each kind, ${selectionName(values.budget)}. Total variation distance of self time; in parentheses what two`,
  `independent samples of these sizes of one truth would differ by; then how many of the ten hottest functions both have.${values.budget ? ' Entry checks have no budget.' : ''}`,
  '',
  '| workload | probes | samples of ours, of V8 | ours, V8 | V8, V8 | of `Profiler` with a stack | `Profiler`, V8 |',
  '|---|---|---|---|---|---|---|',
];
for (const workload of workloads) {
  const plain = await buildWorkload(workload, join(out, 'plain'));
  for (const probe of /** @type {const} */ (['flag', 'shadow'])) {
    const { ours, native } = await profiles(workload, plain, probe);
    addRow(lines, [workload, probe, ...besideV8(ours, native)]);
  }
  addRow(lines, [
    workload,
    'entry checks alone',
    ...comparedToV8(await entryProfiles(workload, plain)),
    '',
    '',
  ]);
}
writeLines('accuracy.md', lines);

/** @param {{own: Pair, v8: Pair}} watched ours @param {{own: Pair, v8: Pair}} native `Profiler` @returns {string[]} cells */
function besideV8(watched, native) {
  const profiler = native.own.all;
  return [
    ...comparedToV8(watched),
    shareWithStack(profiler),
    compared(withStack(profiler), withStack(native.v8.all)),
  ];
}

/** @param {{own: Pair, v8: Pair}} runs @returns {string[]} cells */
function comparedToV8({ own, v8 }) {
  return [
    `${total(own.all)}, ${total(v8.all).toFixed(0)}`,
    compared(withStack(own.all), withStack(v8.all)),
    compared(withStack(v8.first), withStack(v8.second)),
  ];
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
 * Runs of ours and of the page's `Profiler`, each with what V8's profiler saw of them; the other half of them is the second run.
 * @param {string} workload
 * @param {string} plain folder
 * @param {'flag' | 'shadow'} probe
 * @returns {Promise<Record<'ours' | 'native', {own: Pair, v8: Pair}>>}
 */
async function profiles(workload, plain, probe) {
  const build = await servePages(workload, plain, probe, out, values.budget);
  const browser = await launch('chromium');
  try {
    const scale = scaleFor((await build.trace(browser, { scale: PILOT })).samples.length, samples);
    const v8 = withV8Profiler(browser, build.polyfill);
    const watch = async (/** @type {Sampler} */ sampler) => {
      const [own, seen] = [0, 1].map(() => /** @type {Profile[]} */ ([]));
      for (let page = 0; page < pages; page++) {
        const intervalMs = sampler === 'native' ? 10 : 1;
        const all = await build.trace(v8.browser, { scale, sampler, intervalMs });
        const trace = sampler === 'native' ? whileBusy(probedOnly(all, build.table)) : all;
        own.push(build.profileOf(trace));
        seen.push(build.profileOf(probedOnly(v8.takeTrace(...span(trace)), build.table)));
      }
      return { own: pairOf(own), v8: pairOf(seen) };
    };
    return { ours: await watch('ours'), native: await watch('native') };
  } finally {
    await browser.close();
    await build.close();
  }
}

/**
 * As `profiles`, of a build with entry checks alone.
 * @param {string} workload @param {string} plain folder @returns {Promise<{own: Pair, v8: Pair}>}
 */
async function entryProfiles(workload, plain) {
  const folder = await withEntryChecks(plain);
  const code = readFileSync(join(folder, `${workload}.js`), 'utf8');
  const checked = checkedFunctions(code);
  const server = await serve({ folders: { '/': dirname(folder), '/dist/': FOLDERS['/dist/'] } });
  const browser = await launch('chromium');
  try {
    const v8 = withV8Profiler(browser, server.url('/dist/polyprof-chooser.js'));
    const run = async (/** @type {number} */ scale) => {
      const page = await v8.browser.open(server.url(`/${workload}/index.html?entry=1&scale=${scale}`));
      const samples = await page.evaluate(`__done.then(({ ms }) => {
        const begin = performance.now() - ms;
        return __ecSamples.filter(([time]) => time > begin);
      })`);
      await page.close();
      const trace = traceOfChecks(samples, code, checked);
      return {
        own: selfSamples(trace),
        v8: selfSamples(nameless(definedAt(v8.takeTrace(...span(trace)), checked))),
      };
    };
    const scale = scaleFor(total((await run(PILOT)).v8), samples);
    const runs = [];
    for (let page = 0; page < pages; page++) runs.push(await run(scale));
    return { own: pairOf(runs.map(({ own }) => own)), v8: pairOf(runs.map(({ v8 }) => v8)) };
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
