import { spawn } from 'node:child_process';
import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { profileGroundTruth } from '../../web-test/lib/ground_truth.js';
import { instrumentedPages } from '../../web-test/lib/instrumented.js';
import { serve } from '../../web-test/lib/server.js';
import { sleepingWorker } from '../../web-test/lib/sleeping_worker.js';
import { selfShares } from '../../web-test/lib/trace.js';
import { count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { addRow, tableHead } from '../lib/table.js';

/** @import { Browser, EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Server } from '../../web-test/lib/server.js' */

/**
 * How far profiles are from what is known: the largest error of any function of the page that measures itself, in points, and the
 * leaf's share of a loop that calls it, which takes twice as long as the rest of the loop.
 */

/** @type {Record<string, {probe: 'flag' | 'shadow', isolated: boolean}>} */
const MODES = {
  flag: { probe: 'flag', isolated: true },
  'self-timed': { probe: 'flag', isolated: false },
  shadow: { probe: 'shadow', isolated: true },
};

const { engines, modes, runs, ms, asleep, busy } = readOptions(
  'How far profiles are from what a page that measures itself knows.',
  {
    engines: engineNames(),
    modes: someOf('of sampling', Object.keys(MODES)),
    runs: count('of each page', 3),
    ms: positive('of each run', 8000, 'ms'),
    asleep: positive(
      'the worker sleeps for so long after every tenth wait, as on a machine that has no processor for it: those ticks are late',
      0,
      'ms',
    ),
    busy: count('other processes that do not leave the processors alone'),
  },
);

keepBusy(busy);
/** @type {string[]} */
const lines = [];
console.log(
  tableHead([
    'engine',
    'mode',
    'largest error, points',
    'late ticks, %',
    'unlocated ticks, %',
    'leaf, %',
  ]).join('\n'),
);
for (const engine of engines) {
  for (const mode of modes) {
    const figures = await profiles(engine, MODES[mode]);
    const of = (/** @type {keyof typeof figures[0]} */ name) => figures.map((run) => run[name]).join(', ');
    addRow(lines, [engine, mode, of('error'), of('late'), of('unlocated'), of('leaf')]);
  }
}

/** @param {number} processes that end with this one */
function keepBusy(processes) {
  for (let i = 0; i < processes; i++) {
    const other = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    other.unref();
    process.on('exit', () => other.kill());
  }
}

/** @param {EngineName} engine @param {(typeof MODES)[string]} mode */
async function profiles(engine, { probe, isolated }) {
  const server = await serve({
    folders: { ...FOLDERS, '/': instrumentedPages(probe) },
    isolated,
    overrides: asleep ? sleepingWorker(asleep) : {},
  });
  const browser = await launch(engine);
  const figures = [];
  for (let run = 0; run < runs; run++) {
    figures.push({ ...(await truthAndProfile(browser, server)), leaf: await leafShare(browser, server) });
  }
  await browser.close();
  await server.close();
  return figures;
}

/** @param {Browser} browser @param {Server} server */
async function truthAndProfile(browser, server) {
  const page = await browser.open(server.url('/ground_truth.html'));
  const { trace, truth, wall, losses } = await profileGroundTruth(page, ms);
  await page.close();
  const shares = selfShares(trace);
  const errors = Object.entries(truth).map(([name, time]) =>
    Math.abs((shares[name] ?? 0) - Number(time) / wall),
  );
  const ofSamples = (/** @type {number} */ ticks) => (100 * ticks) / trace.samples.length;
  return {
    error: (100 * Math.max(...errors)).toFixed(1),
    late: ofSamples(losses.lateTicks).toFixed(1),
    unlocated: ofSamples(losses.unlocatedTicks).toFixed(0),
  };
}

/** @param {Browser} browser @param {Server} server @returns {Promise<string>} % of its loop */
async function leafShare(browser, server) {
  const page = await browser.open(server.url('/tight.html'));
  const trace = await page.evaluate(async () => {
    const page = /** @type {any} */ (globalThis);
    page.polyprof.install({ force: true });
    page.callsLeaf(3e6);
    const profiler = await page.performance.profile({ sampleInterval: 1 });
    page.callsLeaf(5e7);
    return profiler.stop();
  });
  await page.close();
  return (100 * selfShares(trace).leaf).toFixed(0);
}
