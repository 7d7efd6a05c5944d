import { mkdirSync, writeFileSync } from 'node:fs';
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
import { machine } from './report.js';

/**
 * Do the two probes tell the same? Profiles each workload at 1 ms with flag and with shadow probes, twice each, and compares the self
 * time of all functions. The distance of two runs of one kind is the control.
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
  `${host.cores} × ${host.cpu}, ${host.memoryGiB} GiB, ${host.date}. Total variation distance of self time at 1 ms; noise: what two`,
  'independent samples of these sizes of one truth would differ by.',
  '',
  '| engine | workload | samples | flag to shadow | noise | flag to flag | shadow to shadow |',
  '|---|---|---|---|---|---|---|',
];
for (const engine of selectedEngines()) {
  for (const workload of workloads) {
    const plain = await buildWorkload(workload, join(out, 'plain'));
    const [flag, shadow] = [
      await profiles(engine, workload, plain, 'flag'),
      await profiles(engine, workload, plain, 'shadow'),
    ];
    const figures = [
      distance(flag.all, shadow.all),
      noise(flag.all, shadow.all),
      distance(flag.first, flag.second),
      distance(shadow.first, shadow.second),
    ];
    const sizes = [flag, shadow].map(({ count }) => count).join(', ');
    const line = `| ${engine} | ${workload} | ${sizes} | ${figures.map((figure) => figure.toFixed(3)).join(' | ')} |`;
    console.log(line);
    lines.push(line);
  }
}
const folder = new URL('results/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('accuracy.md', folder), `${lines.join('\n')}\n`);

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
  const server = await serve({ folders: { '/': built, '/dist/': FOLDERS['/dist/'] } });
  const browser = await launch(engine);
  try {
    const run = async (/** @type {number} */ scale) => {
      const { trace } = await profileWorkload(browser, server, workload, { intervalMs: 1, scale });
      return symbolicate(trace, symbolsIn(folder));
    };
    const trial = await run(1);
    const scale = Math.max(1, Math.ceil(samples / 2 / trial.samples.length));
    const first = selfSamples(scale === 1 ? trial : await run(scale));
    const second = selfSamples(await run(scale));
    const all = new Map(first);
    for (const [key, count] of second) all.set(key, (all.get(key) ?? 0) + count);
    return { first, second, all, count: [...all.values()].reduce((a, b) => a + b, 0) };
  } finally {
    await browser.close();
    await server.close();
  }
}
