import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomNumbers } from './statistics.js';

/**
 * How fast traces are merged, and in how much memory: `node bench/merge.js [traces]`, 10,000 by default. They are written to a temporary
 * folder first, 19 kB each on average, as pages would send them: 300 samples of a program with 400 functions.
 */

/** @import { ProfilerTrace } from '../report/check_trace.js' */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const FUNCTIONS = 400;
const SAMPLES = 300;

const count = Number(process.argv[2] ?? 10_000);
const random = randomNumbers(1);
/** Who calls whom; the first callee is the usual one. */
const callees = Array.from({ length: FUNCTIONS }, () =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * FUNCTIONS)),
);

/** @returns {ProfilerTrace} stacks that grow and shrink from sample to sample */
function randomTrace() {
  /** @type {ProfilerTrace} */
  const trace = {
    resources: ['a', 'b', 'c'].map((name) => `https://example.org/static/${name}.js`),
    frames: [],
    stacks: [],
    samples: [],
  };
  /** @type {Map<string, number>} */
  const ids = new Map();
  const intern = (/** @type {string} */ key, /** @type {() => number} */ add) => {
    const id = ids.get(key) ?? add() - 1;
    ids.set(key, id);
    return id;
  };
  let path = [0];
  for (let i = 0; i < SAMPLES; i++) {
    path = path.slice(0, Math.max(1, path.length - Math.floor(random() * 4)));
    while (random() < 0.65 && path.length < 25) {
      const choices = callees[path[path.length - 1]];
      path.push(choices[Math.floor(random() ** 9 * choices.length)]);
    }
    /** @type {number | undefined} */
    let stackId;
    for (const id of path) {
      const frameId = intern(`${id}`, () =>
        trace.frames.push({ name: `fn${id}`, resourceId: id % 3, line: id + 1, column: 7 }),
      );
      const parentId = stackId;
      stackId = intern(`${parentId} ${frameId}`, () =>
        trace.stacks.push(parentId === undefined ? { frameId } : { frameId, parentId }),
      );
    }
    const timestamp = 1000 + i * 10 + Math.round(random() * 1000) / 1000;
    trace.samples.push(random() < 0.2 ? { timestamp } : { timestamp, stackId });
  }
  return trace;
}

const folder = mkdtempSync(join(tmpdir(), 'polyprof-merge-'));
try {
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    const text = JSON.stringify(randomTrace());
    bytes += text.length;
    writeFileSync(join(folder, `${i}.json`), text);
  }
  console.log(`${count} traces of ${(bytes / count / 1000).toFixed(1)} kB on average`);
  for (const output of ['merged.pb.gz', 'merged.speedscope.json', 'merged.cpuprofile', 'merged.folded']) {
    const start = performance.now();
    const args = ['report', folder, '--merge', '-o', join(folder, output)];
    const code = `process.argv.push(...${JSON.stringify(args)}); await import(${JSON.stringify(CLI)}); console.log(process.resourceUsage().maxRSS)`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `${output.padEnd(24)} ${seconds.toFixed(1).padStart(5)} s  ${Math.round(count / seconds)} traces/s  ${Math.round(Number(stdout) / 1000)} MB at most`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
