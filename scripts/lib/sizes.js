import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Sizes of what a page loads, as servers send it, and the budget they must keep. */

/** @typedef {{name: string, raw: number, gzip: number, brotli: number}} Size bytes */

/** @param {string} name @param {Uint8Array} bytes @returns {Size} */
export function sizeOf(name, bytes) {
  return {
    name,
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }).length,
  };
}

/** @param {Size[]} sizes @returns {string} a table, one line each */
export function sizeTable(sizes) {
  const width = Math.max(...sizes.map(({ name }) => name.length));
  const line = (/** @type {(string | number)[]} */ [name, ...cells]) =>
    String(name).padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join('');
  return [
    line(['', 'raw', 'gzip', 'brotli']),
    ...sizes.map(({ name, raw, gzip, brotli }) => line([name, raw, gzip, brotli])),
  ].join('\n');
}

/**
 * @param {Size[]} sizes
 * @returns {string[]} a sentence for each entry of size_budget.json that is exceeded
 */
export function overBudget(sizes) {
  /** @type {{what: string, names: string[], gzipBytes: number}[]} */
  const budget = JSON.parse(readFileSync(new URL('../size_budget.json', import.meta.url), 'utf8'));
  return budget.flatMap(({ what, names, gzipBytes }) => {
    const counted = names.map((name) => {
      const size = sizes.find((candidate) => candidate.name === name);
      if (!size) throw new Error(`size_budget.json names ${name}, which the build does not make`);
      return size.gzip;
    });
    const total = counted.reduce((sum, bytes) => sum + bytes, 0);
    return total > gzipBytes ? [`${what}: ${total} bytes gzipped, the budget is ${gzipBytes}`] : [];
  });
}
