import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { WORKLOADS } from '../examples/workloads/build.js';
import { selectedEngines } from '../web-test/lib/browsers.js';
import { compare } from './comparison.js';
import { machine, markdown } from './report.js';
import { variantsOf } from './variants.js';
import { visit } from './visit.js';

/**
 * How much slower pages get, instrumented and profiled, in each engine:
 *
 *     npm run bench -- [--quick] [--workloads a,b] [--blocks N] [--interval MS]
 *
 * Engines are those of POLYPROF_BROWSERS. Writes bench/results/overhead.{json,md}; exit code 1 when a comparison was refused.
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    workloads: { type: 'string' },
    blocks: { type: 'string' },
    interval: { type: 'string' },
  },
});
const workloads = values.workloads?.split(',') ?? (values.quick ? WORKLOADS.slice(0, 1) : WORKLOADS);
const blocks = Number(values.blocks ?? (values.quick ? 3 : 10));

const host = machine();
const comparisons = [];
for (const workload of workloads) {
  const variants = await variantsOf(workload, Number(values.interval ?? 10));
  for (const engine of selectedEngines()) {
    const comparison = await compare(engine, workload, variants, blocks, visit);
    comparisons.push(comparison);
    console.log(
      `${engine}, ${workload}: ${comparison.refusal ?? `${comparison.rows.length} variants measured`}`,
    );
  }
}

const folder = new URL('results/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('overhead.json', folder), `${JSON.stringify({ host, comparisons }, null, 2)}\n`);
writeFileSync(new URL('overhead.md', folder), markdown(host, comparisons));
console.log(`\n${markdown(host, comparisons)}`);
if (comparisons.some(({ refusal }) => refusal)) process.exitCode = 1;
