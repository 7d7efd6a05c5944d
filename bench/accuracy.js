import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildWorkload, WORKLOADS } from '../examples/workloads/build.js';
import { instrumentWorkload } from '../examples/workloads/lib/instrument.js';
import { profileWorkload } from '../examples/workloads/lib/profile_workload.js';
import { symbolsIn } from '../report/symbol_files.js';
import { symbolicate } from '../report/symbolicate.js';
import { launch, selectedEngines } from '../web-test/lib/browsers.js';
import { FOLDERS } from '../web-test/lib/folders.js';
import { serve } from '../web-test/lib/server.js';
import { distance, noise, selfSamples } from './distance.js';
import { probedOnly } from './probed_only.js';
import { machine } from './report.js';

/**
 * Do the two probes tell the same? Profiles each workload at 1 ms with flag and with shadow probes, twice each, and compares the self
 * time of all functions. The distance of two runs of one kind is the control. In Chromium also the browser's own profiler, on both
 * builds, at 10 ms, which is the least it does.
 *
 *     node bench/accuracy.js [--workloads a,b] [--samples N]
 *
 * Engines are those of POLYPROF_BROWSERS. Writes bench/results/accuracy.md.
 */

const { values } = parseArgs({ options: { workloads: { type: 'string' }, samples: { type: 'string' } } });
const workloads = values.workloads?.split(',') ?? WORKLOADS;
const samples = Number(values.samples ?? 10_000);
const out = fileURLToPath(new URL('../out/bench/accuracy/', import.meta.url));

const host = machine();
const lines = [
  `${host.cores} × ${host.cpu}, ${host.memoryGiB} GiB, ${host.date}. Total variation distance of self time; in parentheses what two`,
  'independent samples of these sizes of one truth would differ by.',
  '',
  '| engine | workload | samples of flag, shadow | flag, shadow | flag, flag | shadow, shadow | native, flag | native, shadow |',
  '|---|---|---|---|---|---|---|---|',
];
for (const engine of selectedEngines()) {
  for (const workload of workloads) {
    const plain = await buildWorkload(workload, join(out, 'plain'));
    const flag = await profiles(engine, workload, plain, 'flag');
    const shadow = await profiles(engine, workload, plain, 'shadow');
    const line = row([
      engine,
      workload,
      `${total(flag.all)}, ${total(shadow.all)}`,
      compared(flag.all, shadow.all),
      compared(flag.first, flag.second),
      compared(shadow.first, shadow.second),
      flag.native ? compared(flag.native, flag.all) : '',
      shadow.native ? compared(shadow.native, shadow.all) : '',
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
  return `${distance(a, b).toFixed(3)} (${noise(a, b).toFixed(3)})`;
}

/** @param {Map<string, number>} profile */
function total(profile) {
  return [...profile.values()].reduce((a, b) => a + b, 0);
}

/**
 * Two runs of at least half of the samples each.
 * @param {import('../web-test/lib/browsers.js').EngineName} engine
 * @param {string} workload
 * @param {string} plain folder
 * @param {string} probe
 */
async function profiles(engine, workload, plain, probe) {
  const built = join(out, probe);
  const folder = await instrumentWorkload(plain, built, ['--probe', probe]);
  const table = readFileSync(join(folder, `${workload}.js.ppft`));
  const server = await serve({ folders: { '/': built, '/dist/': FOLDERS['/dist/'] }, jsProfiling: true });
  const browser = await launch(engine);
  try {
    const run = async (/** @type {number} */ scale, /** @type {boolean} */ native) => {
      const options = { intervalMs: native ? 10 : 1, scale, native };
      const { trace } = await profileWorkload(browser, server, workload, options);
      return symbolicate(native ? probedOnly(trace, table) : trace, symbolsIn(folder));
    };
    const trial = await run(1, false);
    const scale = Math.max(1, Math.ceil(samples / 2 / trial.samples.length));
    const first = selfSamples(scale === 1 ? trial : await run(scale, false));
    const second = selfSamples(await run(scale, false));
    const all = new Map(first);
    for (const [key, count] of second) all.set(key, (all.get(key) ?? 0) + count);
    const native = engine === 'chromium' ? selfSamples(await run(2 * scale, true)) : undefined;
    return { first, second, all, native };
  } finally {
    await browser.close();
    await server.close();
  }
}
