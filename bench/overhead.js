import { parseArgs } from 'node:util';
import { ENGINE_NAMES, selectedEngines } from '../web-test/lib/browsers.js';
import { chosen, positive, refuse } from './lib/options.js';
import { compare } from './overhead/comparison.js';
import { machine, markdown, writeResult } from './lib/report.js';
import { compareInTurns } from './overhead/turns.js';
import { GROUPS, variantsOf } from './overhead/variants.js';
import { visit } from './overhead/visit.js';
import { runsInNode, visitInNode } from './overhead/visit_in_node.js';
import { WORKLOADS } from './workloads/build.js';

/** When nothing is said: not the one for --quick, nor several budgets, nor other probes. */
const USUAL = Object.keys(GROUPS).filter((name) => !['smoke', 'sweep', 'forms'].includes(name));

const HELP = `How much slower pages get, instrumented and profiled, beside other ways to profile:

    npm run bench -- [options]

  --pairs N          blocks of visits; in each every variant is visited twice, in a fresh browser each time; 5 by default
  --engines a,b      of ${ENGINE_NAMES.join(', ')}; default: those of POLYPROF_BROWSERS, or all
  --workloads a,b    of ${WORKLOADS.join(', ')}; default: all
  --variants a,b     groups of variants beside the plain page; default: ${USUAL.join()}
${Object.entries(GROUPS)
  .map(([name, what]) => `                       ${name.padEnd(8)} ${what}`)
  .join('\n')}
  --interval MS      between samples, 10 by default
  --turns            in each visit all variants are frames of one page, which take turns, in place of a browser for each: quicker, and more precise
                     where code runs as fast in one frame as in another; --pairs is the number of such visits. What changes a whole browser is left out
  --in-node          in place of browsers, processes of Node, which are V8 with nothing beside it: most precise, and only of what nobody samples
  --scale S          share of a workload's usual work, 0.3 by default: some seconds
  --out NAME         bench/results/NAME.{json,md}, written after each comparison; overhead by default
  --quick            a smoke run: one small workload, one block, no control but in turns, nothing is written

Exit status 1 when a comparison was refused, because the same page differs from itself by more than 2 %.
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean' },
    quick: { type: 'boolean' },
    turns: { type: 'boolean' },
    'in-node': { type: 'boolean' },
    pairs: { type: 'string' },
    engines: { type: 'string' },
    workloads: { type: 'string' },
    variants: { type: 'string' },
    interval: { type: 'string' },
    scale: { type: 'string' },
    out: { type: 'string', default: 'overhead' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const { quick, 'in-node': inNode } = values;
if (inNode && (values.turns || values.engines))
  refuse('--in-node goes without --turns and --engines: it needs no browser');
const browsers = values.engines ? chosen('--engines', values.engines, ENGINE_NAMES) : selectedEngines();
const engines = inNode ? /** @type {const} */ (['node']) : browsers;
const workloads = chosen('--workloads', values.workloads ?? (quick ? 'preact' : undefined), WORKLOADS);
const groups = chosen(
  '--variants',
  values.variants ?? (quick ? (inNode ? 'default' : 'smoke') : USUAL.join()),
  Object.keys(GROUPS),
);
const blocks = positive('--pairs', values.pairs ?? (quick ? '1' : '5'));
const interval = positive('--interval', values.interval ?? '10');
const scale = positive('--scale', values.scale ?? (quick ? '0.002' : '0.3'));

const host = machine();
/** @type {import('./overhead/comparison.js').Comparison[]} */
const comparisons = [];
/** @type {string[]} */
const failures = [];
const begin = performance.now();
for (const workload of workloads) {
  const built = await variantsOf(workload, interval, groups);
  const variants = inNode ? built.filter(runsInNode) : built;
  for (const engine of engines) {
    const show = (/** @type {number} */ done, /** @type {number} */ all) => {
      const line = `${engine}, ${workload}: visit ${done} of ${all}, ${((performance.now() - begin) / 1000).toFixed(0)} s`;
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line}`);
      else if (done % 20 === 0) process.stderr.write(`${line}\n`);
    };
    try {
      const work = { workload, scale };
      const comparison =
        values.turns && engine !== 'node'
          ? await compareInTurns(engine, workload, variants, blocks, { scale, onVisit: show })
          : await compare(engine, workload, variants, blocks, {
              visit: (name, variant) =>
                name === 'node' ? visitInNode(variant, work) : visit(name, variant, work),
              onVisit: show,
              once: quick,
            });
      comparisons.push(comparison);
      const { refusal, rows } = comparison;
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
      console.log(
        `${engine}, ${workload}: ${refusal ?? rows.map(({ name, ratio }) => `${name} ${ratio.toFixed(3)}`).join('; ')}`,
      );
    } catch (error) {
      // One browser that fails must not cost the other hours.
      failures.push(`${engine}, ${workload}: ${/** @type {Error} */ (error).message}`);
      console.error(`\n${failures.at(-1)}`);
    }
    if (!quick) save();
  }
}
if (!quick) console.log(`\n${markdown(host, comparisons)}`);
for (const failure of failures) console.error(`failed: ${failure}`);
if (failures.length > 0 || (!quick && comparisons.some(({ refusal }) => refusal))) process.exitCode = 1;

function save() {
  const all = {
    host,
    options: { blocks, interval, scale, groups, turns: values.turns ?? false, inNode: inNode ?? false },
    comparisons,
    failures,
  };
  writeResult(`${values.out}.json`, `${JSON.stringify(all, null, 2)}\n`);
  writeResult(`${values.out}.md`, markdown(host, comparisons));
}
