import { usualScale } from '../../examples/workloads/lib/profile_workload.js';
import { launch } from '../../web-test/lib/browsers.js';
import { hostLine } from '../lib/host.js';
import { count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { median, medianInterval } from '../lib/statistics.js';
import { addRow, tableHead } from '../lib/table.js';
import { serveTurns } from '../overhead/turns.js';
import { variantsOf } from '../overhead/variants.js';
import { WORKLOADS } from '../workloads/build.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Variant } from '../overhead/variants.js' */

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

console.log(`${hostLine()}. Flag probes in all functions of the default weight. Median and 95 %\n`);
console.log('bootstrap interval over rounds; of the time with flags that are down.\n');
/** @type {string[]} */
const lines = [];
console.log(tableHead(['engine', 'workload', 'calls per ms', 'each check calls', 'counted']).join('\n'));
for (const workload of workloads) {
  const variants = await variantsOf(workload, 10, ['default']);
  const probed = variants.filter(({ name }) => name === 'flag, off');
  for (const engine of engines) {
    const { calls, times } = await timesIn(engine, workload, probed);
    const perMs = calls / median(times.map(({ off }) => off / 2));
    const ratios = (/** @type {'called' | 'counted'} */ how) => {
      const values = times.map((round) => round[how] / round.off);
      const [low, high] = medianInterval(values);
      return `${median(values).toFixed(3)} (${low.toFixed(3)} – ${high.toFixed(3)})`;
    };
    addRow(lines, [engine, workload, perMs.toFixed(0), ratios('called'), ratios('counted')]);
  }
}

/** @param {EngineName} engine @param {string} workload @param {Variant[]} variants one @returns {Promise<{calls: number, times: Round[]}>} calls in a turn */
async function timesIn(engine, workload, variants) {
  const { server, frames } = await serveTurns(variants);
  const browser = await launch(engine, { quiet: true });
  try {
    const share = scale * usualScale(engine, workload);
    /** @type {Round[]} */
    const times = [];
    let calls = 0;
    for (let i = 0; i < PAGES; i++) {
      const query = `folder=${frames[0].folder}&workload=${workload}&${frames[0].query}`;
      const page = await browser.open(server.url(`/frame.html?${query}`));
      const outcome = await page.evaluate(`(${timeRounds})(${rounds}, ${share})`);
      times.push(...outcome.times);
      calls = outcome.calls;
      await page.close();
    }
    return { calls, times };
  } finally {
    await browser.close();
    await server.close();
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
