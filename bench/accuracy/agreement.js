import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWorkload, WORKLOADS } from '../../examples/workloads/build.js';
import { launch, selectedEngines } from '../../web-test/lib/browsers.js';
import { outFolder } from '../lib/folders.js';
import { chosen, positive } from '../lib/options.js';
import { compared } from './distance.js';
import { pairOf, PILOT, scaleFor, servePages, total } from './profiled_pages.js';
import { addRow, machine, writeLines } from '../lib/report.js';

/**
 * Do our ways of sampling tell the same? Profiles each workload at 1 ms in pages of each kind by turns, and compares the self time of all functions.
 * A JIT does not compile twice alike, so one page differs from the next: halves of the pages of one kind are the control.
 *
 *     node bench/accuracy/agreement.js [--workloads a,b] [--pages N] [--samples N] [--kinds flag,shadow,self-timed]
 *
 * `--pages` and `--samples` are of each kind. Engines are those of POLYPROF_BROWSERS. Writes bench/results/agreement.md.
 */

/** @import { Profile, Sampler } from './profiled_pages.js' */

/** @type {Record<string, {probe: 'flag' | 'shadow', sampler: Sampler}>} */
const KINDS = {
  flag: { probe: 'flag', sampler: 'ours' },
  shadow: { probe: 'shadow', sampler: 'ours' },
  'self-timed': { probe: 'flag', sampler: 'alone' },
};

const { values } = parseArgs({
  options: {
    workloads: { type: 'string' },
    pages: { type: 'string', default: '20' },
    samples: { type: 'string', default: '30000' },
    kinds: { type: 'string', default: 'flag,shadow' },
  },
});
const workloads = chosen('--workloads', values.workloads, WORKLOADS);
const pages = positive('--pages', values.pages);
const samples = positive('--samples', values.samples) / pages;
const kinds = chosen('--kinds', values.kinds, Object.keys(KINDS));
const pairs = kinds.flatMap((a, i) => kinds.slice(i + 1).map((b) => [a, b]));
const out = outFolder('agreement');

const host = machine();
const heads = [...pairs.map(([a, b]) => `${a}, ${b}`), ...kinds.map((kind) => `${kind}, ${kind}`)];
const lines = [
  `${host.cores} × ${host.cpu}, ${host.memoryGiB} GiB, ${host.date}; ${pages} pages of each kind. Total variation distance of self time; in parentheses what two`,
  'independent samples of these sizes of one truth would differ by; then how many of the ten hottest functions both have. Of one kind, halves of its pages.',
  '',
  `| engine | workload | samples of ${kinds.join(', ')} | ${heads.join(' | ')} |`,
  `|---|---|---|${'---|'.repeat(heads.length)}`,
];
for (const engine of selectedEngines()) {
  for (const workload of workloads) {
    const runs = await profiles(engine, workload);
    addRow(lines, [
      engine,
      workload,
      kinds.map((kind) => total(runs[kind].all)).join(', '),
      ...pairs.map(([a, b]) => compared(runs[a].all, runs[b].all)),
      ...kinds.map((kind) => compared(runs[kind].first, runs[kind].second)),
    ]);
  }
}
writeLines('agreement.md', lines);

/** @param {import('../../web-test/lib/browsers.js').EngineName} engine @param {string} workload */
async function profiles(engine, workload) {
  const plain = await buildWorkload(workload, join(out, 'plain'));
  const builds = {
    flag: await servePages(workload, plain, 'flag', out),
    shadow: await servePages(workload, plain, 'shadow', out),
  };
  const browser = await launch(engine);
  try {
    const pilot = await builds.flag.trace(browser, { scale: PILOT });
    const scale = scaleFor(pilot.samples.length, samples);
    const seen = Object.fromEntries(kinds.map((kind) => [kind, /** @type {Profile[]} */ ([])]));
    for (let page = 0; page < pages; page++) {
      for (const kind of kinds) {
        const { probe, sampler } = KINDS[kind];
        const build = builds[probe];
        seen[kind].push(build.profileOf(await build.trace(browser, { scale, sampler })));
      }
    }
    return Object.fromEntries(kinds.map((kind) => [kind, pairOf(seen[kind])]));
  } finally {
    await browser.close();
    for (const { close } of Object.values(builds)) await close();
  }
}
