import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWorkload, WORKLOADS } from '../examples/workloads/build.js';
import { instrumentWorkload } from '../examples/workloads/lib/instrument.js';
import { profileWorkload } from '../examples/workloads/lib/profile_workload.js';
import { DEFAULT_MIN_WEIGHTS } from '../instrumenter/options.js';
import { symbolsIn } from '../report/symbol_files.js';
import { symbolicate } from '../report/symbolicate.js';
import { launch, selectedEngines } from '../web-test/lib/browsers.js';
import { FOLDERS } from '../web-test/lib/folders.js';
import { serve } from '../web-test/lib/server.js';
import { commonInTopTen, distance, noise, selfSamples } from './distance.js';
import { checkedFunctions, traceOfChecks } from './entry_profile.js';
import { definedAt, probedOnly } from './probed_only.js';
import { addRow, machine } from './report.js';
import { withV8Profiler } from './v8_profiler.js';
import { withEntryChecks } from './variants.js';

/**
 * Do our ways of sampling tell the same, and what V8's own profiler tells? Profiles each workload at 1 ms in each of them and compares the self
 * time of all functions. The distance of two runs of one kind is the control. In Chromium, V8's profiler watches the same runs, of ours and of
 * the page's `Profiler`, which is at 10 ms, the least it does; of what these two saw only samples with a stack count, and of V8's only those between
 * the first and the last of the other's. It also watches the older design, of checks at entry alone, at 1 ms.
 *
 *     node bench/accuracy.js [--workloads a,b] [--samples N]
 *
 * Engines are those of POLYPROF_BROWSERS. Writes bench/results/accuracy.md.
 */

/** @import { ProfilerTrace } from '../report/check_trace.js' */
/** @typedef {Map<string, number>} Profile samples by function, see `selfSamples` */
/** @typedef {{first: Profile, second: Profile, all: Profile}} Pair of runs of one kind, and their sum */
/** @typedef {'ours' | 'alone' | 'native'} Sampler ours, ours without a worker, the page's `Profiler` */

const { values } = parseArgs({ options: { workloads: { type: 'string' }, samples: { type: 'string' } } });
const workloads = values.workloads?.split(',') ?? WORKLOADS;
const samples = Number(values.samples ?? 10_000);
/** Kinds of probes are compared, not their default selections. */
const SAME_FUNCTIONS = ['--min-weight', String(DEFAULT_MIN_WEIGHTS.flag)];
/** Several pages a kind: a JIT does not compile twice alike. */
const PAGES = 6;
/** Share of the usual work that tells how much makes so many samples. */
const PILOT = 0.1;
const out = fileURLToPath(new URL('../out/bench/accuracy/', import.meta.url));

const host = machine();
const probes = [
  `${host.cores} × ${host.cpu}, ${host.memoryGiB} GiB, ${host.date}. Total variation distance of self time; in parentheses what two`,
  'independent samples of these sizes of one truth would differ by; then how many of the ten hottest functions both have.',
  '',
  '| engine | workload | samples of flag, self-timed, shadow | flag, shadow | self-timed, shadow | flag, flag | self-timed, self-timed | shadow, shadow |',
  '|---|---|---|---|---|---|---|---|',
];
const browsersOwn = [
  '',
  "V8's profiler (DevTools) in the same runs:",
  '',
  '| workload | probes | samples of ours, of V8 | ours, V8 | V8, V8 | of `Profiler` with a stack | `Profiler`, V8 |',
  '|---|---|---|---|---|---|---|',
];
for (const engine of selectedEngines()) {
  for (const workload of workloads) {
    const plain = await buildWorkload(workload, join(out, 'plain'));
    const flag = await profiles(engine, workload, plain, 'flag', ['ours', 'alone']);
    const shadow = await profiles(engine, workload, plain, 'shadow', ['ours']);
    const kinds = [flag.ours, flag.alone, shadow.ours];
    addRow(probes, [
      engine,
      workload,
      kinds.map(({ all }) => total(all)).join(', '),
      compared(flag.ours.all, shadow.ours.all),
      compared(flag.alone.all, shadow.ours.all),
      ...kinds.map(({ first, second }) => compared(first, second)),
    ]);
    for (const [probe, { watched, native }] of Object.entries({ flag, shadow })) {
      if (watched && native) addRow(browsersOwn, [workload, probe, ...besideV8(watched, native)]);
    }
    if (engine === 'chromium') {
      const entry = comparedToV8(await entryProfiles(workload, plain));
      addRow(browsersOwn, [workload, 'entry checks alone', ...entry, '', '']);
    }
  }
}
const folder = new URL('results/', import.meta.url);
mkdirSync(folder, { recursive: true });
const lines = selectedEngines().includes('chromium') ? [...probes, ...browsersOwn] : probes;
writeFileSync(new URL('accuracy.md', folder), `${lines.join('\n')}\n`);
console.log(`\n${lines.join('\n')}`);

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

/** @param {Profile} a @param {Profile} b */
function compared(a, b) {
  return `${distance(a, b).toFixed(3)} (${noise(a, b).toFixed(3)}), ${commonInTopTen(a, b)}`;
}

/** @param {Profile} profile */
function total(profile) {
  return [...profile.values()].reduce((a, b) => a + b, 0);
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
 * Runs of about the number of samples in all, for each way of sampling; the other half of them is the second run.
 * @param {import('../web-test/lib/browsers.js').EngineName} engine
 * @param {string} workload
 * @param {string} plain folder
 * @param {string} probe
 * @param {Sampler[]} samplers
 * @returns {Promise<Record<string, Pair> & {watched?: {own: Pair, v8: Pair}, native?: {own: Pair, v8: Pair}}>} `watched`: ours, and what V8's profiler
 *   saw of the same runs; `native`: the page's `Profiler`, likewise
 */
async function profiles(engine, workload, plain, probe, samplers) {
  const built = join(out, probe);
  const folder = await instrumentWorkload(plain, built, ['--probe', probe, ...SAME_FUNCTIONS]);
  const table = readFileSync(join(folder, `${workload}.js.ppft`));
  const server = await serve({ folders: { '/': built, '/dist/': FOLDERS['/dist/'] }, jsProfiling: true });
  const browser = await launch(engine);
  const profileOf = (/** @type {ProfilerTrace} */ trace) =>
    selfSamples(symbolicate(trace, symbolsIn(folder)));
  try {
    const run = async (/** @type {number} */ scale, /** @type {Sampler} */ sampler, by = browser) => {
      const options = { intervalMs: sampler === 'native' ? 10 : 1, scale, sampler };
      const { trace } = await profileWorkload(by, server, workload, options);
      return sampler === 'native' ? whileBusy(probedOnly(trace, table)) : trace;
    };
    const scale = scaleFor((await run(PILOT, 'ours')).samples.length);
    const result = /** @type {any} */ ({});
    for (const sampler of samplers) {
      const runs = [];
      for (let page = 0; page < PAGES; page++) runs.push(profileOf(await run(scale, sampler)));
      result[sampler] = pairOf(runs);
    }
    if (engine !== 'chromium') return result;
    const v8 = withV8Profiler(browser, server.url('/dist/polyprof-chooser.js'));
    for (const [name, sampler] of /** @type {[string, Sampler][]} */ ([
      ['watched', 'ours'],
      ['native', 'native'],
    ])) {
      const [own, seen] = [0, 1].map(() => /** @type {Profile[]} */ ([]));
      for (let page = 0; page < PAGES; page++) {
        const trace = await run(scale, sampler, v8.browser);
        own.push(profileOf(trace));
        seen.push(profileOf(probedOnly(v8.takeTrace(...span(trace)), table)));
      }
      result[name] = { own: pairOf(own), v8: pairOf(seen) };
    }
    return result;
  } finally {
    await browser.close();
    await server.close();
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
    const scale = scaleFor(total((await run(PILOT)).v8));
    const runs = [];
    for (let page = 0; page < PAGES; page++) runs.push(await run(scale));
    return { own: pairOf(runs.map(({ own }) => own)), v8: pairOf(runs.map(({ v8 }) => v8)) };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** @param {number} seen samples of the pilot run @returns {number} scale of each of the others */
function scaleFor(seen) {
  return (PILOT * samples) / PAGES / seen;
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

/** @param {Profile[]} runs by turns of the first and of the second @returns {Pair} */
function pairOf(runs) {
  const [first, second, all] = [0, 1, 2].map(() => /** @type {Profile} */ (new Map()));
  runs.forEach((run, i) => {
    for (const [key, count] of run)
      for (const sum of [i % 2 ? second : first, all]) sum.set(key, (sum.get(key) ?? 0) + count);
  });
  return { first, second, all };
}
