import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { positive } from '../lib/options.js';
import { machine } from '../lib/report.js';
import { blockOrder } from '../lib/block_order.js';
import { median, medianInterval } from '../lib/statistics.js';
import { instrument } from '../../instrumenter/instrument.js';

/**
 * What probes cost code that engines have just loaded, and that they have not compiled yet: reading it, the first call of each of many functions,
 * and the calls after it, in V8 (Node).
 *
 *     node bench/probes/first_calls.js [--pairs N] [--functions N]
 *
 * `--pairs`: blocks of processes, 5 by default. Each variant, the plain one again as control, is measured twice in each.
 */

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '5' },
    functions: { type: 'string', default: '3000' },
  },
});
const blocks = positive('--pairs', values.pairs);
const functions = positive('--functions', values.functions);

const RUN = fileURLToPath(new URL('first_calls_run.js', import.meta.url));
/** So many calls of each function at a time, one after the other. */
const CALLS = [1, 10, 100, 1000];
const STAGES = [
  'reading it',
  'the first call',
  ...CALLS.slice(1).map((calls) => `each of the next ${calls}`),
];

const host = machine();
const folder = mkdtempSync(join(tmpdir(), 'polyprof-first-calls-'));
try {
  const source = sourceOf(functions);
  const codes = {
    plain: source,
    'plain again': source,
    flag: withProbes(source, 'flag'),
    shadow: withProbes(source, 'shadow'),
  };
  const names = Object.keys(codes);
  for (const [name, code] of Object.entries(codes)) writeFileSync(join(folder, `${name}.js`), code);

  /** By variant, block and stage: ns for each function. @type {Map<string, number[][]>} */
  const times = new Map(names.map((name) => [name, []]));
  for (let block = 0; block < blocks; block++) {
    /** @type {Map<string, number[][]>} */
    const runs = new Map(names.map((name) => [name, []]));
    for (const name of blockOrder(names, block)) runs.get(name)?.push(timesOf(name));
    for (const [name, [a, b]] of runs) times.get(name)?.push(a.map((ns, stage) => (ns + b[stage]) / 2));
  }

  console.log(
    `${host.cores} × ${host.cpu}, Node ${host.node}, ${host.date}. ${functions} functions, called in turn; ns of each, beyond the plain ones, ` +
      `of which reading takes ${ns(median(ofStage(times.get('plain'), 0)))} and the first call ${ns(median(ofStage(times.get('plain'), 1)))}.\n`,
  );
  console.log(`| variant | ${STAGES.join(' | ')} |\n|---|${STAGES.map(() => '---|').join('')}`);
  for (const name of names.slice(1)) {
    const cells = STAGES.map((_, stage) => {
      const plain = ofStage(times.get('plain'), stage);
      const beyond = ofStage(times.get(name), stage).map((time, block) => time - plain[block]);
      return `${ns(median(beyond))} (${medianInterval(beyond).map(ns).join(' – ')})`;
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
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

/** @param {number[][] | undefined} series @param {number} stage */
function ofStage(series = [], stage) {
  return series.map((stages) => stages[stage]);
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
