import { join } from 'node:path';
import { buildWorkload, WORKLOADS } from '../../examples/workloads/build.js';
import { launch } from '../../web-test/lib/browsers.js';
import { outFolder } from '../lib/folders.js';
import { hostLine } from '../lib/host.js';
import { count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { compared } from './distance.js';
import { pairOf, PILOT, scaleFor, servePages, total } from './profiled_pages.js';

/**
 * Do our ways of sampling tell the same? Profiles each workload at 1 ms in pages of each kind by turns, and compares the self time of all functions.
 * A JIT does not compile twice alike, so one page differs from the next: halves of the pages of one kind are the control.
 *
 * Writes bench/results/agreement.md.
 */

/** @import { Profile, Sampler } from './profiled_pages.js' */

/** @type {Record<string, {probe: 'flag' | 'shadow', sampler: Sampler}>} */
const KINDS = {
  flag: { probe: 'flag', sampler: 'ours' },
  shadow: { probe: 'shadow', sampler: 'ours' },
  'self-timed': { probe: 'flag', sampler: 'alone' },
};

const options = readOptions('Do our ways of sampling tell the same, in pages of each kind by turns?', {
  engines: engineNames(),
  workloads: someOf('which', WORKLOADS),
  pages: count('of each kind', 20),
  samples: positive('of each kind, in all its pages', 30_000, 'n'),
  kinds: someOf('what is compared', Object.keys(KINDS), ['flag', 'shadow']),
});
const { engines, workloads, pages, kinds } = options;
const samplesPerPage = options.samples / pages;
const pairs = kinds.flatMap((a, i) => kinds.slice(i + 1).map((b) => [a, b]));
const out = outFolder('agreement');

const heads = [...pairs.map(([a, b]) => `${a}, ${b}`), ...kinds.map((kind) => `${kind}, ${kind}`)];
const lines = [
  `${hostLine()}; ${pages} pages of each kind. Total variation distance of self time; in parentheses what two`,
  'independent samples of these sizes of one truth would differ by; then how many of the ten hottest functions both have. Of one kind, halves of its pages.',
  '',
  ...tableHead(['engine', 'workload', `samples of ${kinds.join(', ')}`, ...heads]),
];
for (const engine of engines) {
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
    const scale = scaleFor(pilot.samples.length, samplesPerPage);
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
