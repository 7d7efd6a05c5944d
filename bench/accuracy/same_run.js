import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkload, WORKLOADS } from '../../examples/workloads/build.js';
import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { outFolder } from '../lib/folders.js';
import { hostLine } from '../lib/host.js';
import { count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { polyfillOfBoth, withBothProbes } from '../rewritten/both_probes.js';
import { runPage } from '../workloads/run_page.js';
import { compared, selfSamples } from './distance.js';
import { definedAt } from './probed_only.js';
import { pairOf, PILOT, scaleFor, total } from './profiled_pages.js';

/**
 * Do flag and shadow probes see the same in the same run? The functions have probes of both kinds, and two samplers watch one page: shadow probes at
 * 1 ms, flag probes at an interval at which their looks take little of the page's time. What differs from page to page is in both (bench/accuracy/agreement.js
 * has it in between). What the probes themselves take is of a function for the kind that is around the other, and of its caller for the inner one; so
 * they change places from page to page.
 *
 * Writes bench/results/same_run.md.
 */

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { Kind, Place } from '../rewritten/both_probes.js' */

const KINDS = /** @type {const} */ (['flag', 'shadow']);

const options = readOptions('Do flag and shadow probes see the same in the same run?', {
  engines: engineNames(),
  workloads: someOf('which', WORKLOADS),
  pages: count('with probes of both kinds', 8),
  samples: positive('of flag probes, in all pages', 10_000, 'n'),
  interval: positive('between samples of flag probes', 5, 'ms'),
});
const { engines, workloads, pages, interval } = options;
const samplesPerPage = options.samples / pages;
const out = outFolder('same_run');

const lines = [
  `${hostLine()}; ${pages} pages with probes of both kinds, flag probes at ${interval} ms, shadow probes at 1 ms. Total variation`,
  'distance of self time; in parentheses what two independent samples of these sizes of one truth would differ by; then how many of the ten hottest functions both have. Of one',
  'kind, halves of the pages.',
  '',
  ...tableHead([
    'engine',
    'workload',
    'samples of flag, shadow',
    'flag, shadow',
    'flag, flag',
    'shadow, shadow',
  ]),
];
for (const engine of engines) {
  for (const workload of workloads) {
    const { flag, shadow } = await profiles(engine, workload);
    addRow(lines, [
      engine,
      workload,
      `${total(flag.all)}, ${total(shadow.all)}`,
      compared(flag.all, shadow.all),
      compared(flag.first, flag.second),
      compared(shadow.first, shadow.second),
    ]);
  }
}
writeLines('same_run.md', lines);

/** @param {import('../../web-test/lib/browsers.js').EngineName} engine @param {string} workload */
async function profiles(engine, workload) {
  const sites = [await site(workload, 'flag'), await site(workload, 'shadow')];
  const browser = await launch(engine);
  try {
    const seenOf = async (/** @type {typeof sites[0]} */ { server, probed }, /** @type {number} */ scale) => {
      const run = await runPage(browser, server, workload, { scale, query: 'interval=1' });
      /** @type {Record<Kind, ProfilerTrace>} */
      const traces = run.trace;
      return KINDS.map((kind) => selfSamples(byOrdinal(definedAt(traces[kind], probed), probed)));
    };
    const [pilot] = await seenOf(sites[0], PILOT);
    const scale = scaleFor(total(pilot), samplesPerPage);
    const seen = [];
    // Each half of a kind's pages, which are every other one, is to have both.
    for (let page = 0; page < pages; page++) seen.push(await seenOf(sites[(page >> 1) % 2], scale));
    return { flag: pairOf(seen.map(([flag]) => flag)), shadow: pairOf(seen.map(([, shadow]) => shadow)) };
  } finally {
    await browser.close();
    for (const { server } of sites) await server.close();
  }
}

/** Functions of pages that are built differently are known again. @param {ProfilerTrace} trace @param {Place[]} places @returns {ProfilerTrace} */
function byOrdinal(trace, places) {
  const ordinals = new Map(places.map(({ line, column, ordinal }) => [`${line}:${column}`, ordinal]));
  const frames = trace.frames.map(({ line, column }) => ({
    name: String(ordinals.get(`${line}:${column}`)),
  }));
  return { ...trace, frames };
}

/** @param {string} workload @param {Kind} inner see `withBothProbes` */
async function site(workload, inner) {
  const plain = await buildWorkload(workload, join(out, 'plain'));
  const file = `${workload}.js`;
  const folder = join(out, inner, workload);
  mkdirSync(folder, { recursive: true });
  const { code, tables, probed } = withBothProbes(readFileSync(join(plain, file), 'utf8'), file, inner);
  for (const [name, content] of Object.entries({ [file]: code, ...tables })) {
    writeFileSync(join(folder, name), content);
  }
  for (const name of ['index.html', 'input.json', 'page.js']) {
    writeFileSync(join(folder, name), readFileSync(join(plain, name)));
  }
  const polyfill = readFileSync(join(FOLDERS['/dist/'], 'polyprof.js'), 'utf8');
  const server = await serve({
    folders: { '/': join(out, inner), '/dist/': FOLDERS['/dist/'] },
    overrides: {
      '/dist/polyprof.js': {
        body: polyfillOfBoth(polyfill, inner, interval),
        headers: { 'Content-Type': 'text/javascript' },
      },
    },
  });
  return { server, probed };
}
