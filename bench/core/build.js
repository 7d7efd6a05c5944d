import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/folders.js';

/** @typedef {{name: string, items_per_second: number, bytes_per_second: number}} NativeResult of Google Benchmark */
/** @typedef {Record<string, (...args: number[]) => number>} Loops see loops.h */

const OUT = join(ROOT, 'build/bench');
const SHARED = ['-std=c++20', '-I.', 'bench/core/loops.cpp', 'runtime/stack_text.cpp'];
const EXPORTS = [
  'prepare_stacks',
  'intern_stacks',
  'intern_stacks_in_map',
  'bytes_per_node',
  'bytes_per_sample',
  'prepare_text',
  'parse_text',
];

/** Builds the loops natively, and runs all. @param {number} seconds for each @returns {Map<string, NativeResult>} by name */
export function runNative(seconds) {
  const program = join(OUT, 'core');
  const libraries = ['-lbenchmark', '-lpthread'];
  mkdirSync(OUT, { recursive: true });
  run('g++', ['-O2', '-DNDEBUG', ...SHARED, 'bench/core/native.cpp', ...libraries, '-o', program]);
  const output = run(program, ['--benchmark_format=json', `--benchmark_min_time=${seconds}`]);
  /** @type {NativeResult[]} */
  const results = JSON.parse(output).benchmarks;
  return new Map(results.map((result) => [result.name, result]));
}

/** Builds the loops for wasm. @returns {Promise<Loops>} */
export async function loadWasm() {
  const file = join(OUT, 'core.wasm');
  mkdirSync(OUT, { recursive: true });
  run('em++', [
    ...['-O3', '-fno-exceptions', '-fno-rtti', '-DNDEBUG', ...SHARED],
    ...['--no-entry', '-sSTANDALONE_WASM', '-sALLOW_MEMORY_GROWTH'],
    `-sEXPORTED_FUNCTIONS=${EXPORTS.map((name) => `_${name}`)}`,
    ...['-o', file],
  ]);
  const nothing = new Proxy({}, { get: () => () => 0 });
  const imports = { env: nothing, wasi_snapshot_preview1: nothing };
  const { instance } = await WebAssembly.instantiate(readFileSync(file), imports);
  const loops = /** @type {Loops} */ (instance.exports);
  loops._initialize?.();
  return loops;
}

/** @param {string} program @param {string[]} args @returns {string} what it prints */
function run(program, args) {
  return execFileSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    // Debian's emscripten looks for its JavaScript modules there and does not say so itself.
    env: { ...process.env, NODE_PATH: '/usr/share/nodejs' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
