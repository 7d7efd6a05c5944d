import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/folders.js';
import { positive } from './lib/options.js';
import { encodeRates } from './core/encode.js';
import { internInMap } from './core/javascript.js';
import { machine, writeLines } from './lib/report.js';

/**
 * The core's hot loops: natively by Google Benchmark, the same code in wasm, and what one would write without it.
 *
 *     npm run bench:core -- [--seconds S]        per loop; 0.5 by default, which takes about a minute
 *
 * Writes bench/results/core.md.
 */

const OUT = join(ROOT, 'build/bench');
const DEPTHS = [20, 50, 200];
const HITS = [0, 90, 99];

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '0.5' } } });
const seconds = positive('--seconds', values.seconds);

mkdirSync(OUT, { recursive: true });
const run = (/** @type {string} */ program, /** @type {string[]} */ args) =>
  execFileSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: '/usr/share/nodejs' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const SHARED = ['-std=c++20', '-I.', 'bench/core/loops.cpp', 'runtime/stack_text.cpp'];
console.error('building …');
run('g++', [
  '-O2',
  '-DNDEBUG',
  ...SHARED,
  'bench/core/native.cpp',
  '-lbenchmark',
  '-lpthread',
  '-o',
  join(OUT, 'core'),
]);
const EXPORTS = [
  'prepare_stacks',
  'intern_stacks',
  'intern_stacks_in_map',
  'bytes_per_node',
  'bytes_per_sample',
  'prepare_text',
  'parse_text',
];
run('em++', [
  '-O3',
  '-fno-exceptions',
  '-fno-rtti',
  '-DNDEBUG',
  ...SHARED,
  '--no-entry',
  '-sSTANDALONE_WASM',
  '-sALLOW_MEMORY_GROWTH',
  `-sEXPORTED_FUNCTIONS=${EXPORTS.map((name) => `_${name}`)}`,
  '-o',
  join(OUT, 'core.wasm'),
]);

console.error('native …');
const native = new Map(
  JSON.parse(
    run(join(OUT, 'core'), ['--benchmark_format=json', `--benchmark_min_time=${seconds}`]),
  ).benchmarks.map((/** @type {{name: string}} */ benchmark) => [benchmark.name, benchmark]),
);
console.error('wasm and JavaScript …');
const nothing = new Proxy({}, { get: () => () => 0 });
const { instance } = await WebAssembly.instantiate(readFileSync(join(OUT, 'core.wasm')), {
  env: nothing,
  wasi_snapshot_preview1: nothing,
});
const wasm = /** @type {Record<string, (...args: number[]) => number>} */ (instance.exports);
wasm._initialize?.();

/** @param {() => unknown} loop @returns {number} ns per round, the median of tenths of the time */
function nanoseconds(loop) {
  for (let i = 0; i < 20; i++) loop();
  const rounds = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const start = performance.now();
    loop();
    rounds.push((performance.now() - start) * 1e6);
  }
  return rounds.sort((a, b) => a - b)[rounds.length >> 1];
}

const host = machine();
const lines = [
  `${host.cores} × ${host.cpu}, Node ${host.node}, ${host.date}. Nanoseconds per interned frame; a round interns 1,000 stacks into an empty trie.`,
  '',
  '| depth | known before | trie, native | trie, wasm | wasm / native | `std::unordered_map`, native | `Map`, JavaScript |',
  '|---|---|---|---|---|---|---|',
];
for (const depth of DEPTHS) {
  for (const hits of HITS) {
    const frames = wasm.prepare_stacks(depth, hits);
    const ofNative = (/** @type {string} */ name) =>
      1e9 / native.get(`${name}/${depth}/${hits}`).items_per_second;
    const inWasm = nanoseconds(() => wasm.intern_stacks()) / frames;
    const inJavaScript = nanoseconds(internInMap(depth, hits)) / frames;
    lines.push(
      `| ${depth} | ${hits} % | ${ofNative('trie').toFixed(1)} | ${inWasm.toFixed(1)} | ${(inWasm / ofNative('trie')).toFixed(2)} | ${ofNative('unordered_map').toFixed(1)} | ${inJavaScript.toFixed(1)} |`,
    );
  }
}
wasm.prepare_stacks(50, 90);
wasm.intern_stacks();
lines.push(
  '',
  `Memory: ${wasm.bytes_per_sample()} bytes per sample, ${wasm.bytes_per_node().toFixed(1)} per node of the trie with its hash table.`,
  '',
);
lines.push('| text of `Error.stack` | native, MB/s | wasm, MB/s |', '|---|---|---|');
for (const depth of DEPTHS) {
  const bytes = wasm.prepare_text(depth);
  const rate = (bytes * 1000) / nanoseconds(() => wasm.parse_text());
  lines.push(
    `| ${depth} frames | ${(native.get(`text/${depth}`).bytes_per_second / 1e6).toFixed(0)} | ${rate.toFixed(0)} |`,
  );
}
const { core, json, bytes } = await encodeRates(nanoseconds);
lines.push(
  '',
  `A trace of ${(bytes / 1000).toFixed(0)} kB as JSON: ${core.toFixed(0)} MB/s by the core in wasm, ${json.toFixed(0)} MB/s by \`JSON.stringify\` of the same trace as objects.`,
);
lines.push('', 'Merging of traces: `node bench/traces/merge.js`.');
writeLines('core.md', lines);
