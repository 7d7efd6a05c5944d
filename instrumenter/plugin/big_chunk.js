import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { HEAP_MB } from '../heap.js';

/** @typedef {import('./chunk_instrumenter.js').Chunk} Chunk */

const PROCESS = fileURLToPath(new URL('./chunk_process.js', import.meta.url));

/**
 * Instruments a chunk in a process of its own, which may have more memory than the bundler's: to run out of it would end the whole build.
 * @param {{settings: import('./plugin_options.js').PluginSettings, root: string, chunk: Chunk}} task
 * @param {number} [heapMb]
 * @returns {{result: ReturnType<import('./chunk_instrumenter.js').ChunkInstrumenter['instrumentHere']>, warnings: string[],
 *   totals: import('./chunk_instrumenter.js').Totals} | null} null: that was not enough memory either
 * @throws {Error} if the process failed for another reason
 */
export function instrumentBig({ settings, root, chunk }, heapMb = HEAP_MB) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'polyprof-chunk-'));
  try {
    const [from, to] = [path.join(folder, 'in'), path.join(folder, 'out')];
    // Bundlers' maps have methods.
    const map = chunk.map && JSON.stringify(chunk.map);
    writeFileSync(from, serialize({ settings, root, chunk: { ...chunk, map } }));
    const { stderr, signal } = spawnSync(
      process.execPath,
      [`--max-old-space-size=${heapMb}`, PROCESS, from, to],
      {
        encoding: 'utf8',
      },
    );
    if (existsSync(to)) return deserialize(readFileSync(to));
    // By V8, or by a system that has no more.
    if (/heap out of memory/.test(stderr) || signal === 'SIGKILL') return null;
    throw new Error(`polyprof: ${chunk.file} could not be instrumented:\n${stderr}`);
  } catch (error) {
    // A text or buffer that is longer than there may be any.
    if (error instanceof RangeError) return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
