import { hostLine } from '../lib/host.js';
import { engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { addRow, tableHead } from '../lib/table.js';
import { variantsOf } from '../overhead/variants.js';
import { WORKLOADS } from '../workloads/build.js';
import { inFramePages } from './frame_pages.js';

/**
 * What a sample by flag probes takes of the main thread: the look at the stack, beside a bare `new Error().stack` in the same places. By turns it is the
 * one or the other that is timed, so that both come after ten milliseconds of the page's own work, when nothing of them is in the caches.
 *
 * Mean of what lies between the 5th and the 95th hundredth: clocks of pages are coarse.
 */

const { engines, workloads, scale } = readOptions('What a sample by flag probes takes of the main thread.', {
  engines: engineNames(),
  workloads: someOf('which', WORKLOADS, ['marked', 'preact', 'planck']),
  scale: positive("share of a workload's usual work", 1),
});

/** Turns of a page: the flag can only be seen in what runs, so their length is of no matter. */
const TURNS = 20;

console.log(`${hostLine()}. Flag probes with a budget of 1 %, sampled each 10 ms.\n`);
/** @type {string[]} */
const lines = [];
console.log(
  tableHead(['engine', 'workload', 'looks', 'look, µs', '`Error().stack`, µs', 'ratio']).join('\n'),
);
for (const workload of workloads) {
  const variants = await variantsOf(workload, 10, ['budget']);
  const [sampled] = variants.filter(({ name }) => name === 'flag, budget, 10 ms');
  for (const engine of engines) {
    const codeOf = (/** @type {number} */ usual) => `(${timeLooks})(${TURNS}, ${(scale * usual) / TURNS})`;
    const [{ looks, texts }] = await inFramePages(engine, workload, sampled, 1, codeOf);
    const [look, text] = [looks, texts].map((times) => 1000 * trimmedMean(times));
    const figures = [looks.length, look.toFixed(0), text.toFixed(0), (look / text).toFixed(2)];
    addRow(lines, [engine, workload, ...figures.map(String)]);
  }
}

/** @param {number[]} values @returns {number} */
function trimmedMean(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const kept = sorted.slice(Math.floor(sorted.length * 0.05), Math.ceil(sorted.length * 0.95));
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

/**
 * Runs in the page, between the probes and what they call.
 * @param {number} turns @param {number} share of the work, of each turn
 */
async function timeLooks(turns, share) {
  const page = /** @type {any} */ (globalThis);
  await page.__ready;
  /** @type {number[]} */
  const looks = [];
  /** @type {number[]} */
  const texts = [];
  let isText = false;
  // Where it is that short, the polyfill makes it longer, too.
  const isV8 = page.Error.stackTraceLimit === 10;
  const hook = page.__polyprof__;
  for (const name of ['e', 'l']) {
    const look = hook[name];
    const timed = (/** @type {number} */ furtherFrames = 0) => {
      // Called for nothing: see `warm` in polyfill/hook/flags.js.
      if (hook.f[0] !== 1) return look(furtherFrames + 1);
      isText = !isText;
      const start = performance.now();
      if (isText) {
        if (isV8) page.Error.stackTraceLimit = 1000;
        String(new Error().stack);
        if (isV8) page.Error.stackTraceLimit = 10;
        texts.push(performance.now() - start);
        look(furtherFrames + 1);
      } else {
        look(furtherFrames + 1);
        looks.push(performance.now() - start);
      }
    };
    Object.defineProperty(hook, name, { configurable: true, enumerable: true, get: () => timed });
  }
  for (let turn = 0; turn < turns; turn++) await page.__turn(share);
  await page.__end();
  return { looks, texts };
}
