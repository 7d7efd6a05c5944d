import { host } from './lib/host.js';
import {
  count,
  engineNames,
  fileName,
  isGiven,
  optional,
  positive,
  readOptions,
  refuse,
  someOf,
} from './lib/options.js';
import { writeResult } from './lib/results.js';
import { compare } from './overhead/comparison.js';
import { summaryOf } from './overhead/summary.js';
import { compareInTurns } from './overhead/turns.js';
import { GROUPS, variantsOf } from './overhead/variants.js';
import { visit } from './overhead/visit.js';
import { runsInNode, visitInNode } from './overhead/visit_in_node.js';
import { WORKLOADS } from './workloads/build.js';

/** @import { EngineName } from '../web-test/lib/browsers.js' */
/** @import { Comparison } from './overhead/comparison.js' */
/** @import { Variant } from './overhead/variants.js' */

/** When nothing is said: not the group for --quick, nor several budgets, nor other probes. */
const USUAL = {
  pairs: 5,
  workloads: WORKLOADS,
  variants: Object.keys(GROUPS).filter((name) => !['smoke', 'sweep', 'forms'].includes(name)),
  scale: 0.3,
};
const QUICK = { pairs: 1, workloads: ['preact'], variants: ['smoke'], scale: 0.002 };

const MORE = `
Groups of variants:
${Object.entries(GROUPS)
  .map(([name, { what }]) => `  ${name.padEnd(8)} ${what}`)
  .join('\n')}

With --turns, in each visit all variants are frames of one page, which take turns, in place of a browser for each: quicker, and more precise where code
runs as fast in one frame as in another; --pairs is the number of such visits. What changes a whole browser is left out.

Exit status: 0; 1 if something failed, or a comparison was refused because the same page differs from itself by more than 2 %; 2 if the command
was not understood`;

const options = readOptions(
  'How much slower pages get, instrumented and profiled, beside other ways to profile.',
  {
    pairs: optional(
      count(
        'blocks of visits; in each every variant is visited twice, in a fresh browser each time',
        USUAL.pairs,
      ),
    ),
    engines: optional(engineNames()),
    workloads: optional(someOf('which', WORKLOADS)),
    variants: optional(someOf('groups beside the plain page', Object.keys(GROUPS), USUAL.variants)),
    interval: positive('between samples', 10, 'ms'),
    turns: isGiven('all variants take turns in one page, see below'),
    inNode: isGiven(
      'in place of browsers, processes of Node, which are V8 with nothing beside it: most precise, and only of what nobody samples',
    ),
    scale: optional(positive("share of a workload's usual work", USUAL.scale)),
    out: fileName('bench/results/<name>.json and .md, written after each comparison', 'overhead'),
    quick: isGiven('a smoke run: one small workload, one block, no control but in turns, nothing is written'),
  },
  MORE,
);
const { quick, inNode, turns } = options;
if (inNode && (turns || options.engines))
  refuse('--in-node goes without --turns and --engines: it needs no browser');
const usual = quick ? (inNode ? { ...QUICK, variants: ['default'] } : QUICK) : USUAL;
const {
  pairs: blocks = usual.pairs,
  workloads = usual.workloads,
  variants: groups = usual.variants,
  scale = usual.scale,
  interval,
} = options;
const places = inNode ? /** @type {const} */ (['node']) : (options.engines ?? engineNames().fallback());

/** @type {Comparison[]} */
const comparisons = [];
/** @type {string[]} */
const failures = [];
const begin = performance.now();
for (const workload of workloads) {
  const built = await variantsOf(workload, interval, groups);
  const variants = inNode ? built.filter(runsInNode) : built;
  for (const place of places) {
    try {
      const comparison = await compareIn(place, workload, variants);
      comparisons.push(comparison);
      const { refusal, rows } = comparison;
      const ratios = rows.map(({ name, ratio }) => `${name} ${ratio.toFixed(3)}`);
      console.log(`${place}, ${workload}: ${refusal ?? ratios.join('; ')}`);
    } catch (error) {
      // One browser that fails must not cost the other hours.
      failures.push(`${place}, ${workload}: ${/** @type {Error} */ (error).message}`);
      console.error(`\n${failures.at(-1)}`);
    }
    if (!quick) save();
  }
}
if (!quick) console.log(`\n${summaryOf(comparisons)}`);
for (const failure of failures) console.error(`failed: ${failure}`);
if (failures.length > 0 || (!quick && comparisons.some(({ refusal }) => refusal))) process.exitCode = 1;

/** @param {EngineName | 'node'} place @param {string} workload @param {readonly Variant[]} variants */
async function compareIn(place, workload, variants) {
  const work = { workload, scale };
  const onVisit = (/** @type {number} */ done, /** @type {number} */ all) =>
    showProgress(`${place}, ${workload}`, done, all);
  if (turns && place !== 'node') return compareInTurns(place, workload, variants, blocks, { scale, onVisit });
  return compare(place, workload, variants, blocks, {
    visit: (where, variant) => (where === 'node' ? visitInNode(variant, work) : visit(where, variant, work)),
    onVisit,
    once: quick,
  });
}

/** On one line of a terminal, now and then elsewhere. @param {string} what @param {number} done visits @param {number} all */
function showProgress(what, done, all) {
  const line = `${what}: visit ${done} of ${all}, ${((performance.now() - begin) / 1000).toFixed(0)} s`;
  if (process.stderr.isTTY) process.stderr.write(done < all ? `\r\x1b[2K${line}` : '\r\x1b[2K');
  else if (done % 20 === 0) process.stderr.write(`${line}\n`);
}

function save() {
  const settings = { blocks, interval, scale, groups, turns, inNode };
  const all = { host: host(), options: settings, comparisons, failures };
  writeResult(`${options.out}.json`, `${JSON.stringify(all, null, 2)}\n`);
  writeResult(`${options.out}.md`, summaryOf(comparisons));
}
