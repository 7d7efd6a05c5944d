import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { profileWorkload, runWorkload } from '../../examples/workloads/lib/profile_workload.js';
import { DEFAULT_MIN_WEIGHTS, PROBE_KINDS } from '../../instrumenter/options.js';
import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { outFolder } from '../lib/folders.js';
import { count, engineNames, positive, readOptions } from '../lib/options.js';
import { hostLine } from '../lib/host.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { writeSlowed } from '../rewritten/slowed.js';
import { median } from '../lib/statistics.js';
import { buildWorkload } from '../workloads/build.js';

/**
 * Does a profile move as the program does? One function is made slower by a loop that does nothing useful (Burchell and Marr, "Don't trust
 * your profiler", 2023, and what followed). By how much is told by the time of the whole, of the page that is not profiled and of those that are: with
 * probes an engine compiles the loop in another way. The profile should say of that function's self time what its own page took longer.
 *
 * Writes bench/results/slowdown.md.
 */

const { engines, runs, scale } = readOptions(
  'Does a profile move as the program does, when one function is made slower?',
  {
    engines: engineNames(),
    runs: count('of each page', 5),
    scale: positive("share of the workload's usual work", 1),
  },
);

const WORKLOAD = 'recursion';
const SLOWED = 'sizeOf';
/** Rounds of the loop: by a third of the whole and more, far more than runs differ. */
const ROUNDS = 250;
const OUT = outFolder('slowdown');

mkdirSync(OUT, { recursive: true });
const plain = await buildWorkload(WORKLOAD, join(OUT, 'plain/as it is'));
const name = writeSlowed(plain, join(OUT, 'plain/slowed', WORKLOAD), {
  workload: WORKLOAD,
  name: SLOWED,
  rounds: ROUNDS,
});
const builds = Object.fromEntries(
  await Promise.all(
    PROBE_KINDS.flatMap((probe) =>
      ['as it is', 'slowed'].map(async (form) => [
        `${probe}, ${form}`,
        await instrumentWorkload(join(OUT, 'plain', form, WORKLOAD), join(OUT, probe, form), [
          '--probe',
          probe,
          '--min-weight',
          String(DEFAULT_MIN_WEIGHTS.flag),
        ]),
      ]),
    ),
  ),
);

const lines = [
  `${hostLine()}. ${SLOWED} of the workload ${WORKLOAD} made slower; medians of ${runs} runs, at 1 ms (native: 10 ms).`,
  '',
  ...tableHead([
    'engine',
    'profiler',
    'plain pages slower by, ms',
    'these pages',
    'in the profile',
    'found of these',
  ]),
];
console.log(lines.slice(2).join('\n'));
for (const engine of engines) {
  const browser = await launch(engine, { quiet: true });
  /** @type {Record<string, number[]>} */
  const times = {};
  const note = (/** @type {string} */ what, /** @type {number} */ ms) => void (times[what] ??= []).push(ms);
  /** @param {string} what @param {import('../../examples/workloads/lib/profile_workload.js').Outcome} outcome */
  const noteProfile = (what, { ms, trace, sampleInterval }) => {
    note(`page of ${what}`, ms);
    note(what, selfMs(trace, sampleInterval));
  };
  for (let run = 0; run < runs; run++) {
    for (const form of ['as it is', 'slowed']) {
      await at(join(OUT, 'plain', form), async (server) => {
        note(`truth, ${form}`, (await runWorkload(browser, server, WORKLOAD, { scale })).ms);
        if (engine !== 'chromium') return;
        noteProfile(
          `native, ${form}`,
          await profileWorkload(browser, server, WORKLOAD, { intervalMs: 10, scale, sampler: 'native' }),
        );
      });
      for (const probe of PROBE_KINDS) {
        await at(join(builds[`${probe}, ${form}`], '..'), async (server) => {
          noteProfile(
            `${probe}, ${form}`,
            await profileWorkload(browser, server, WORKLOAD, { intervalMs: 1, scale }),
          );
        });
      }
    }
  }
  await browser.close();
  const moved = (/** @type {string} */ what) =>
    median(times[`${what}, slowed`]) - median(times[`${what}, as it is`]);
  for (const what of [...PROBE_KINDS, ...(engine === 'chromium' ? ['native'] : [])]) {
    const slower = ['truth', `page of ${what}`, what].map(moved);
    const found = `${((100 * slower[2]) / slower[1]).toFixed(0)} %`;
    addRow(lines, [engine, what, ...slower.map((ms) => ms.toFixed(0)), found]);
  }
}
writeLines('slowdown.md', lines);

/** @param {string} folder @param {(server: import('../../web-test/lib/server.js').Server) => Promise<void>} visit */
async function at(folder, visit) {
  const server = await serve({ folders: { '/': folder, '/dist/': FOLDERS['/dist/'] }, jsProfiling: true });
  await visit(server).finally(server.close);
}

/** @param {import('../../report/reading/check_trace.js').ProfilerTrace} trace @param {number} intervalMs @returns {number} of the slowed function */
function selfMs({ samples, stacks, frames }, intervalMs) {
  const own = samples.filter(
    ({ stackId }) => stackId !== undefined && frames[stacks[stackId].frameId].name === name,
  );
  return own.length * intervalMs;
}
