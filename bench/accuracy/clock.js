import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWorkload, WORKLOADS } from '../../examples/workloads/build.js';
import { instrumentWorkload } from '../../examples/workloads/lib/instrument.js';
import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { symbolsIn } from '../../report/symbols/symbol_files.js';
import { outFolder } from '../lib/folders.js';
import { hostLine } from '../lib/host.js';
import { budget, count, engineNames, positive, readOptions, someOf } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { functionsIn } from '../rewritten/functions_in.js';
import { cell, errorOf, farFromClock, meanErrors } from './clock_errors.js';
import { clocked, hottest, KINDS, sharesIn } from './clock_shares.js';
import { selectionName } from './selection.js';

/**
 * Who is right where profilers differ? Functions of real libraries measure by the page's clock how long they run, and that is compared with
 * the share of the samples that they are in: of ours, and in Chromium of V8's profiler, in the same run. In pages that are not isolated the clock
 * has coarse steps: right in the mean, and how much that makes is reckoned with. They are compared with the clock of isolated ones, too, of which
 * those of the other probe are the control: no page runs twice alike.
 *
 * A first visit, with clocks everywhere, finds the functions: those with the most time of their own among those that run long enough at a time.
 * Writes bench/results/clock.md.
 */

const options = readOptions(
  'Who is right where profilers differ? Functions of real libraries measure by the page’s clock how long they run.',
  {
    engines: engineNames(),
    workloads: someOf('which', WORKLOADS),
    functions: count('of each workload', 8),
    pages: count('of each kind', 4),
    scale: positive("share of a workload's usual work", 0.5),
    budget: budget(
      'of probes; what it leaves out, or lets be quiet where a page is not isolated, is not compared there',
    ),
  },
);
const { engines, workloads } = options;
const OUT = outFolder('clock');

const lines = [
  `${hostLine()}, ${selectionName(options.budget)}. Share of the time in which a function runs, itself or what it calls, in %: by the`,
  "page's clock; in parentheses by our samples and by those of V8's profiler, in the same runs.",
  '',
  ...tableHead([
    'engine',
    'workload',
    'function',
    'flag: clock (ours, V8)',
    'shadow: clock (ours, V8)',
    'not isolated: clock (ours)',
  ]),
];
const errors = [
  '',
  'All of them: the mean error as a share of the time by the clock, in %; in parentheses what as many independent samples as ours would have by such a clock.',
  'Of a page alone: the mean error if each page is compared with its own clock, and not all together.',
  "The last two columns: how far from the clock of flag's pages our samples of the ones that are not isolated are, and the clock of shadow's.",
  '',
  ...tableHead([
    'engine',
    'workload',
    'flag: ours, V8',
    'shadow: ours, V8',
    'not isolated: ours',
    'not isolated: a page alone',
    'not isolated, flag’s clock',
    'shadow’s clock, flag’s clock',
  ]),
];
for (const engine of engines) {
  for (const workload of workloads) {
    const plain = await buildWorkload(workload, join(OUT, 'plain'));
    const functions = functionsIn(readFileSync(join(plain, `${workload}.js`), 'utf8'));
    const ids = await hottest(engine, workload, plain, functions, options.functions);
    const kinds = [];
    const folder = await clocked(plain, functions, ids, engine);
    for (const kind of KINDS) kinds.push(await sharesIn(engine, workload, folder, kind, options));
    const [flag, shadow, notIsolated] = kinds;
    const name = await namesIn(workload, plain, functions.length);
    for (const id of ids) {
      const cells = kinds.map(({ shares }) => cell(shares.get(id)));
      addRow(lines, [engine, workload, name(id), ...cells]);
    }
    addRow(errors, [
      engine,
      workload,
      ...kinds.map(meanErrors),
      errorOf([...notIsolated.shares.values()], ({ alone }) => alone),
      farFromClock(flag, notIsolated, ({ ours }) => ours),
      farFromClock(flag, shadow, ({ clock }) => clock),
    ]);
  }
}
writeLines('clock.md', [...lines, ...errors]);

/** @param {string} workload @param {string} plain @param {number} count of its functions @returns {Promise<(id: number) => string>} names in the sources */
async function namesIn(workload, plain, count) {
  const folder = await instrumentWorkload(plain, join(OUT, 'named'), [
    '--min-weight',
    String(DEFAULT_MIN_WEIGHTS.flag),
  ]);
  const symbols = symbolsIn(folder)(`http://localhost/${workload}.js`);
  // The prelude has functions of its own, before them.
  const functions = functionsIn(readFileSync(join(folder, `${workload}.js`), 'utf8')).slice(-count);
  return (id) => {
    const { line, column } = functions[id];
    return symbols?.({ name: '', line, column })?.name ?? `${line}:${column}`;
  };
}
