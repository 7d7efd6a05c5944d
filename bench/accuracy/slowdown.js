import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { profileWorkload, runWorkload } from '../../examples/workloads/lib/profile_workload.js';
import { DEFAULT_MIN_WEIGHTS, PROBE_KINDS } from '../../instrumenter/options.js';
import { launch } from '../../web-test/lib/browsers.js';
import { outFolder } from '../lib/folders.js';
import { hostLine } from '../lib/host.js';
import { count, engineNames, positive, readOptions } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { median } from '../lib/statistics.js';
import { addRow, tableHead } from '../lib/table.js';
import { withServer } from '../lib/with_server.js';
import { writeSlowed } from '../rewritten/slowed.js';
import { buildWorkload } from '../workloads/build.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Server } from '../../web-test/lib/server.js' */

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

/** Without the loop, and with it. */
const FORMS = /** @type {const} */ (['as it is', 'slowed']);

mkdirSync(OUT, { recursive: true });
const plain = await buildWorkload(WORKLOAD, join(OUT, 'plain/as it is'));
const slowed = { workload: WORKLOAD, name: SLOWED, rounds: ROUNDS };
const name = writeSlowed(plain, join(OUT, 'plain/slowed', WORKLOAD), slowed);
for (const probe of PROBE_KINDS) {
  for (const form of FORMS) {
    const options = ['--probe', probe, '--min-weight', String(DEFAULT_MIN_WEIGHTS.flag)];
    await instrumentWorkload(join(OUT, 'plain', form, WORKLOAD), join(OUT, probe, form), options);
  }
}

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
  const times = await timesIn(engine);
  const moved = (/** @type {string} */ what) =>
    median(times[`${what}, slowed`]) - median(times[`${what}, as it is`]);
  for (const what of [...PROBE_KINDS, ...(engine === 'chromium' ? ['native'] : [])]) {
    const slower = ['truth', `page of ${what}`, what].map(moved);
    const found = `${((100 * slower[2]) / slower[1]).toFixed(0)} %`;
    addRow(lines, [engine, what, ...slower.map((ms) => ms.toFixed(0)), found]);
  }
}
writeLines('slowdown.md', lines);

/**
 * @param {EngineName} engine
 * @returns {Promise<Record<string, number[]>>} ms of each run, of each form: `truth` of pages that are not profiled; by probes or profiler, `page of`
 *   those that are, and what the profile says of the function
 */
async function timesIn(engine) {
  const browser = await launch(engine, { quiet: true });
  /** @type {Record<string, number[]>} */
  const times = {};
  const note = (/** @type {string} */ what, /** @type {number} */ ms) => void (times[what] ??= []).push(ms);
  /** @param {Server} server @param {string} what @param {{intervalMs: number, sampler?: 'native'}} options */
  const profile = async (server, what, options) => {
    const outcome = await profileWorkload(browser, server, WORKLOAD, { scale, ...options });
    note(`page of ${what}`, outcome.ms);
    note(what, selfMs(outcome.trace, outcome.sampleInterval));
  };
  const visit = async (/** @type {typeof FORMS[number]} */ form) => {
    const ofPlain = async (/** @type {Server} */ server) => {
      note(`truth, ${form}`, (await runWorkload(browser, server, WORKLOAD, { scale })).ms);
      if (engine === 'chromium')
        await profile(server, `native, ${form}`, { intervalMs: 10, sampler: 'native' });
    };
    await withServer(join(OUT, 'plain', form), ofPlain, { jsProfiling: true });
    for (const probe of PROBE_KINDS) {
      const ofProbed = (/** @type {Server} */ server) =>
        profile(server, `${probe}, ${form}`, { intervalMs: 1 });
      await withServer(join(OUT, probe, form), ofProbed, { jsProfiling: true });
    }
  };
  for (let run = 0; run < runs; run++) for (const form of FORMS) await visit(form);
  await browser.close();
  return times;
}

/** @param {import('../../report/reading/check_trace.js').ProfilerTrace} trace @param {number} intervalMs @returns {number} of the slowed function */
function selfMs({ samples, stacks, frames }, intervalMs) {
  const own = samples.filter(
    ({ stackId }) => stackId !== undefined && frames[stacks[stackId].frameId].name === name,
  );
  return own.length * intervalMs;
}
