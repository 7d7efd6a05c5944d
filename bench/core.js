import { loadWasm, runNative } from './core/build.js';
import { encodeRates } from './core/encode.js';
import { internInMap } from './core/javascript.js';
import { hostLine } from './lib/host.js';
import { positive, readOptions } from './lib/options.js';
import { writeLines } from './lib/results.js';
import { median } from './lib/statistics.js';
import { row, tableHead } from './lib/table.js';

/**
 * The core's hot loops: natively by Google Benchmark, the same code in wasm, and what one would write without it.
 *
 * Writes bench/results/core.md.
 */

const DEPTHS = [20, 50, 200];
const HITS = [0, 90, 99];

const { seconds } = readOptions(
  "The core's hot loops: natively, in wasm, and what one would write without it. Takes about a minute.",
  { seconds: positive('of each loop', 0.5, 's') },
);

console.error('native …');
const native = runNative(seconds);
console.error('wasm and JavaScript …');
const wasm = await loadWasm();
const lines = [
  `${hostLine()}. Nanoseconds per interned frame; a round interns 1,000 stacks into an empty trie.`,
  '',
  ...internTable(),
  '',
  `Memory: ${memory()}.`,
  '',
  ...textTable(),
  '',
  await encoding(),
  '',
  'Merging of traces: `node bench/traces/merge.js`.',
];
writeLines('core.md', lines);

/** @returns {string[]} lines */
function internTable() {
  const others = ['`std::unordered_map`, native', '`Map`, JavaScript'];
  const heads = ['depth', 'known before', 'trie, native', 'trie, wasm', 'wasm / native', ...others];
  const rows = DEPTHS.flatMap((depth) =>
    HITS.map((hits) => {
      const frames = wasm.prepare_stacks(depth, hits);
      const ofNative = (/** @type {string} */ name) =>
        1e9 / nativeOf(`${name}/${depth}/${hits}`).items_per_second;
      const inTrie = ofNative('trie');
      const inWasm = nanoseconds(() => wasm.intern_stacks()) / frames;
      const inJavaScript = nanoseconds(internInMap(depth, hits)) / frames;
      return row([
        String(depth),
        `${hits} %`,
        inTrie.toFixed(1),
        inWasm.toFixed(1),
        (inWasm / inTrie).toFixed(2),
        ofNative('unordered_map').toFixed(1),
        inJavaScript.toFixed(1),
      ]);
    }),
  );
  return [...tableHead(heads), ...rows];
}

function memory() {
  wasm.prepare_stacks(50, 90);
  wasm.intern_stacks();
  return `${wasm.bytes_per_sample()} bytes per sample, ${wasm.bytes_per_node().toFixed(1)} per node of the trie with its hash table`;
}

/** @returns {string[]} lines */
function textTable() {
  const rows = DEPTHS.map((depth) => {
    const bytes = wasm.prepare_text(depth);
    const inWasm = (bytes * 1000) / nanoseconds(() => wasm.parse_text());
    const inNative = nativeOf(`text/${depth}`).bytes_per_second / 1e6;
    return row([`${depth} frames`, inNative.toFixed(0), inWasm.toFixed(0)]);
  });
  return [...tableHead(['text of `Error.stack`', 'native, MB/s', 'wasm, MB/s']), ...rows];
}

async function encoding() {
  const { core, json, bytes } = await encodeRates(nanoseconds);
  return `A trace of ${(bytes / 1000).toFixed(0)} kB as JSON: ${core.toFixed(0)} MB/s by the core in wasm, ${json.toFixed(0)} MB/s by \`JSON.stringify\` of the same trace as objects.`;
}

/** @param {string} name in native.cpp */
function nativeOf(name) {
  const result = native.get(name);
  if (!result) throw new Error(`bench/core/native.cpp has no benchmark ${name}`);
  return result;
}

/** @param {() => unknown} loop @returns {number} ns per round, the median of all */
function nanoseconds(loop) {
  for (let i = 0; i < 20; i++) loop();
  const rounds = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const start = performance.now();
    loop();
    rounds.push((performance.now() - start) * 1e6);
  }
  return median(rounds);
}
