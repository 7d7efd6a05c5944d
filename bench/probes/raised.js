import { hostLine } from '../lib/host.js';
import { count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { median, medianInterval } from '../lib/statistics.js';
import { addRow, tableHead } from '../lib/table.js';
import { variantsOf } from '../overhead/variants.js';
import { WORKLOADS } from '../workloads/build.js';
import { inFramePages } from './frame_pages.js';

/**
 * What flag probes cost a program while their flags stay raised, as in pages that are not isolated: if each check calls, and if only enters count down, in place.
 * The same page does the same work in turns: flags down, each check calls, counted, and backwards. Nobody looks at a clock or a stack.
 */

const { engines, workloads, scale, rounds } = readOptions(
  'What flag probes cost a program while their flags stay raised.',
  {
    engines: engineNames(),
    workloads: someOf('which', WORKLOADS, ['planck', 'marked', 'preact']),
    scale: positive("share of a workload's usual work, of each turn", 0.02),
    rounds: count('rounds of turns in each of the pages', 12),
  },
);

const PAGES = 3;

/** @typedef {{off: number, called: number, counted: number}} Round ms */

console.log(`${hostLine()}. Flag probes in all functions of the default weight. Of the time
with flags that are down: median and 95 % bootstrap interval over rounds.\n`);
/** @type {string[]} */
const lines = [];
console.log(tableHead(['engine', 'workload', 'calls per ms', 'each check calls', 'counted']).join('\n'));
for (const workload of workloads) {
  const variants = await variantsOf(workload, 10, ['default']);
  const [probed] = variants.filter(({ name }) => name === 'flag, off');
  for (const engine of engines) {
    const codeOf = (/** @type {number} */ usual) => `(${timeRounds})(${rounds}, ${scale * usual})`;
    const outcomes = await inFramePages(engine, workload, probed, PAGES, codeOf);
    /** @type {Round[]} */
    const times = outcomes.flatMap(({ times }) => times);
    const perMs = outcomes[0].calls / median(times.map(({ off }) => off / 2));
    const ratios = (/** @type {'called' | 'counted'} */ how) => {
      const values = times.map((round) => round[how] / round.off);
      const interval = medianInterval(values).map((value) => value.toFixed(3));
      return `${median(values).toFixed(3)} (${interval.join(' – ')})`;
    };
    addRow(lines, [engine, workload, perMs.toFixed(0), ratios('called'), ratios('counted')]);
  }
}

/** Runs in the page. @param {number} rounds @param {number} share of the work, of each turn */
async function timeRounds(rounds, share) {
  const page = /** @type {any} */ (globalThis);
  await page.__ready;
  const hook = page.__polyprof__;
  const { f } = hook;
  let calls = 0;
  const forms = /** @type {Record<string, {leave: number, call: () => void}>} */ ({
    off: { leave: 0, call() {} },
    called: {
      leave: 1,
      call() {
        f[9] = 1;
        calls++;
      },
    },
    // As a gap of 256 enters: those that follow are counted from 0 to 0.
    counted: { leave: 0, call() {} },
  });
  const turn = async (/** @type {string} */ name) => {
    const { leave, call } = forms[name];
    f.fill(leave, 1, 4);
    f[9] = leave;
    for (const point of ['e', 'l', 'r'])
      Object.defineProperty(hook, point, { configurable: true, value: call });
    f[0] = Number(name !== 'off');
    const { ms } = await page.__turn(share);
    f.fill(0, 0, 4);
    return ms;
  };
  const names = Object.keys(forms);
  for (const name of names) await turn(name);
  calls = 0;
  await turn('called');
  const perTurn = calls / 2;
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const sums = Object.fromEntries(names.map((name) => [name, 0]));
    for (const name of [...names, ...names.toReversed()]) sums[name] += await turn(name);
    times.push(sums);
    names.push(/** @type {string} */ (names.shift()));
  }
  await page.__end();
  return { times, calls: perTurn };
}
