import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { probedOnly } from './probed_only.js';
import { machine } from './report.js';

/**
 * Do our ways of sampling tell the same? Profiles each workload at 1 ms in each of them, twice each, and compares the self time of all
 * functions. The distance of two runs of one kind is the control. In Chromium also the browser's own profiler, on the builds with flag and
 * with shadow probes, at 10 ms, which is the least it does; of its samples only those with a stack count.
 *
 *     node bench/accuracy.js [--workloads a,b] [--samples N]
 *
 * Engines are those of POLYPROF_BROWSERS. Writes bench/results/accuracy.md.
 */

const { values } = parseArgs({ options: { workloads: { type: 'string' }, samples: { type: 'string' } } });
const workloads = values.workloads?.split(',') ?? WORKLOADS;
const samples = Number(values.samples ?? 10_000);
/** Kinds of probes are compared, not their default selections. */
const SAME_FUNCTIONS = ['--min-weight', String(DEFAULT_MIN_WEIGHTS.flag)];
const out = fileURLToPath(new URL('../out/bench/accuracy/', import.meta.url));

const host = machine();
const lines = [
  `${host.cores} × ${host.cpu}, ${host.memoryGiB} GiB, ${host.date}. Total variation distance of self time; in parentheses what two`,
  'independent samples of these sizes of one truth would differ by; then how many of the ten hottest functions both have.',
  '',
  '| engine | workload | samples of flag, self-timed, shadow | flag, shadow | self-timed, shadow | flag, flag | self-timed, self-timed | shadow, shadow | native with a stack | native, flag | native, shadow |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
];
console.log(lines.slice(-2).join('\n'));
for (const engine of selectedEngines()) {
  for (const workload of workloads) {
    const plain = await buildWorkload(workload, join(out, 'plain'));
    const flag = await profiles(engine, workload, plain, 'flag', ['ours', 'alone', 'native']);
    const shadow = await profiles(engine, workload, plain, 'shadow', ['ours', 'native']);
    const { ours, alone, native } = flag;
    const line = row([
      engine,
      workload,
      [ours, alone, shadow.ours].map(({ all }) => total(all)).join(', '),
      compared(ours.all, shadow.ours.all),
      compared(alone.all, shadow.ours.all),
      ...[ours, alone, shadow.ours].map(({ first, second }) => compared(first, second)),
      native ? `${Math.round(100 * (1 - (native.all.get('') ?? 0) / total(native.all)))} %` : '',
      native ? compared(withStack(native.all), withStack(ours.all)) : '',
      native ? compared(withStack(shadow.native.all), withStack(shadow.ours.all)) : '',
    ]);
    console.log(line);
    lines.push(line);
  }
}
const folder = new URL('results/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('accuracy.md', folder), `${lines.join('\n')}\n`);

/** @param {string[]} cells */
function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

/** @param {Map<string, number>} a @param {Map<string, number>} b */
function compared(a, b) {
  return `${distance(a, b).toFixed(3)} (${noise(a, b).toFixed(3)}), ${commonInTopTen(a, b)}`;
}

/** @param {Map<string, number>} profile */
function total(profile) {
  return [...profile.values()].reduce((a, b) => a + b, 0);
}

/** @param {Map<string, number>} profile */
function withStack(profile) {
  return new Map([...profile].filter(([key]) => key !== ''));
}

/**
 * Two runs of at least half of the samples each, for each way of sampling.
 * @param {import('../web-test/lib/browsers.js').EngineName} engine
 * @param {string} workload
 * @param {string} plain folder
 * @param {string} probe
 * @param {('ours' | 'alone' | 'native')[]} samplers
 * @returns {Promise<Record<string, {first: Map<string, number>, second: Map<string, number>, all: Map<string, number>}>>}
 */
async function profiles(engine, workload, plain, probe, samplers) {
  const built = join(out, probe);
  const folder = await instrumentWorkload(plain, built, ['--probe', probe, ...SAME_FUNCTIONS]);
  const table = readFileSync(join(folder, `${workload}.js.ppft`));
  const server = await serve({ folders: { '/': built, '/dist/': FOLDERS['/dist/'] }, jsProfiling: true });
  const browser = await launch(engine);
  try {
    const run = async (/** @type {number} */ scale, /** @type {typeof samplers[number]} */ sampler) => {
      const native = sampler === 'native';
      const options = { intervalMs: native ? 10 : 1, scale, sampler };
      const { trace } = await profileWorkload(browser, server, workload, options);
      return selfSamples(symbolicate(native ? probedOnly(trace, table) : trace, symbolsIn(folder)));
    };
    const scale = Math.max(1, Math.ceil(samples / 2 / total(await run(1, 'ours'))));
    const result = /** @type {any} */ ({});
    for (const sampler of samplers) {
      if (sampler === 'native' && engine !== 'chromium') continue;
      const first = await run(scale, sampler);
      const second = await run(scale, sampler);
      const all = new Map(first);
      for (const [key, count] of second) all.set(key, (all.get(key) ?? 0) + count);
      result[sampler] = { first, second, all };
    }
    return result;
  } finally {
    await browser.close();
    await server.close();
  }
}
