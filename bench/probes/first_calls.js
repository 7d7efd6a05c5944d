import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from '../../instrumenter/instrument.js';
import { measureInBlocks } from '../lib/blocks.js';
import { hostLine } from '../lib/host.js';
import { count, readOptions } from '../lib/options.js';
import { mean, median, medianInterval } from '../lib/statistics.js';
import { row, tableHead } from '../lib/table.js';

/**
 * What probes cost code that engines have just loaded, and that they have not compiled yet: reading it, the first call of each of many functions,
 * and the calls after it, in V8 (Node). The plain one again is the control.
 */

const { pairs: blocks, functions } = readOptions('What probes cost code that was just loaded, in V8.', {
  pairs: count('blocks of processes; in each every variant is measured twice', 5),
  functions: count('of the code', 3000),
});

const RUN = fileURLToPath(new URL('first_calls_run.js', import.meta.url));
/** So many calls of each function at a time, one after the other. */
const CALLS = [1, 10, 100, 1000];
const STAGES = [
  'reading it',
  'the first call',
  ...CALLS.slice(1).map((calls) => `each of the next ${calls}`),
];

const folder = mkdtempSync(join(tmpdir(), 'polyprof-first-calls-'));
try {
  const source = sourceOf(functions);
  const codes = {
    plain: source,
    'plain again': source,
    flag: withProbes(source, 'flag'),
    shadow: withProbes(source, 'shadow'),
  };
  for (const [name, code] of Object.entries(codes)) writeFileSync(join(folder, `${name}.js`), code);
  const { plain = [], ...others } = Object.fromEntries(
    await measureInBlocks(Object.keys(codes), blocks, timesOf),
  );
  const [reading, first] = [0, 1].map((stage) => ns(median(inBlocks(plain, stage))));
  console.log(
    `${hostLine()}. ${functions} functions, called in turn; ns of each, beyond the plain ones, of which reading takes ${reading} and the first call ${first}.\n`,
  );
  console.log(tableHead(['variant', ...STAGES]).join('\n'));
  for (const [name, times] of Object.entries(others)) {
    const cells = STAGES.map((_, stage) => {
      const ofPlain = inBlocks(plain, stage);
      const beyond = inBlocks(times, stage).map((time, block) => time - ofPlain[block]);
      return `${ns(median(beyond))} (${medianInterval(beyond).map(ns).join(' – ')})`;
    });
    console.log(row([name, ...cells]));
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} name @returns {number[]} ns of each function, by stage */
function timesOf(name) {
  return JSON.parse(
    execFileSync(process.execPath, [RUN, join(folder, `${name}.js`), ...CALLS.map(String)], {
      encoding: 'utf8',
    }),
  ).map((/** @type {number} */ ms) => (ms * 1e6) / functions);
}

/** @param {number[][][]} times by block and run, of each stage @param {number} stage @returns {number[]} by block */
function inBlocks(times, stage) {
  return times.map((runs) => mean(runs.map((stages) => stages[stage])));
}

/** @param {number} time */
function ns(time) {
  return time.toFixed(0);
}

/** Small functions, which a budget gives probes. @param {number} count @returns {string} a script that leaves them in `__functions` */
function sourceOf(count) {
  const names = Array.from({ length: count }, (_, i) => `f${i}`);
  const bodies = names.map(
    (name, i) => `function ${name}(a, b) {
  let c = a + ${i};
  if (b > c) return c * 2;
  for (let j = 0; j < 2; j++) {
    c += b ^ j;
    if (c > 1e9) return a;
  }
  const o = { x: c, y: b, z: [a, b, ${i}] };
  return o.x + o.y + o.z.length;
}`,
  );
  return `(() => {${bodies.join('\n')}\nglobalThis.__functions = [${names.join()}];})();`;
}

/** @param {string} code @param {'flag' | 'shadow'} probe */
function withProbes(code, probe) {
  return instrument(code, { file: 'first_calls.js', probe, minWeight: 0, sourceMap: false }).code;
}
