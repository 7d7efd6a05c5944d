import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { profileWorkload, runWorkload } from '../../examples/workloads/lib/profile_workload.js';
import { launch } from '../../web-test/lib/browsers.js';
import { CLI, outFolder } from '../lib/folders.js';
import { count, engineNames, positive, readOptions } from '../lib/options.js';
import { median } from '../lib/statistics.js';
import { withServer } from '../lib/with_server.js';
import { writeSlowed } from '../rewritten/slowed.js';
import { buildWorkload } from '../workloads/build.js';

/**
 * Does `polyprof diff` name what became slower, and nothing else? Visits of a workload, of the same again, and of one in which a function was made
 * slower on purpose, in turn; what `polyprof diff` says of the first and each of the others.
 *
 * Traces stay in out/bench/diff.
 */

const { engines, visits, rounds, scale } = readOptions(
  'Does `polyprof diff` name what became slower, and nothing else?',
  {
    engines: engineNames(),
    visits: count('of each kind of page', 14),
    rounds: count('of the loop by which a function is slower', 45),
    scale: positive("share of the workload's usual work", 1),
  },
);

const WORKLOAD = 'recursion';
const SLOWED = 'sizeOf';
const OUT = outFolder('diff');

rmSync(OUT, { recursive: true, force: true });
const plain = join(OUT, 'plain');
const name = writeSlowed(
  await buildWorkload(WORKLOAD, join(plain, 'before')),
  join(plain, 'slowed', WORKLOAD),
  { workload: WORKLOAD, name: SLOWED, rounds },
);
/** @type {Record<string, string>} by kind of visit */
const plainOf = {
  before: join(plain, 'before'),
  again: join(plain, 'before'),
  slowed: join(plain, 'slowed'),
};
/** @type {Record<string, string>} */
const probedOf = {};
for (const form of ['before', 'slowed']) {
  const probed = await instrumentWorkload(join(plain, form, WORKLOAD), join(OUT, 'probed', form), []);
  probedOf[form] = join(probed, '..');
}
probedOf.again = probedOf.before;

console.log(`${SLOWED} is called ${name} in the script.`);
for (const engine of engines) {
  const browser = await launch(engine);
  /** @type {Record<string, number[]>} */
  const ms = { before: [], again: [], slowed: [] };
  for (let visit = 0; visit < visits; visit++) {
    for (const kind of Object.keys(ms)) {
      await withServer(plainOf[kind], async (server) => {
        ms[kind].push((await runWorkload(browser, server, WORKLOAD, { scale })).ms);
      });
      await withServer(probedOf[kind], async (server) => {
        const { trace } = await profileWorkload(browser, server, WORKLOAD, { intervalMs: 1, scale });
        const folder = join(OUT, engine, kind);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${visit}.json`), JSON.stringify(trace));
      });
    }
  }
  await browser.close();
  for (const kind of ['again', 'slowed']) {
    const slower = median(ms[kind]) / median(ms.before) - 1;
    console.log(
      `\n${engine}, before against ${kind}: the whole took ${(100 * slower).toFixed(1)} % longer\n`,
    );
    console.log(diff(join(OUT, engine, 'before'), join(OUT, engine, kind)));
  }
}

/** @param {string} base @param {string} next @returns {string} */
function diff(base, next) {
  return execFileSync(process.execPath, [CLI, 'diff', base, next], { encoding: 'utf8' });
}
