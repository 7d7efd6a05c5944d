import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { HEAP_MB } from '../heap.js';

const PROCESS = fileURLToPath(new URL('./chunk_process.js', import.meta.url));

/**
 * Instruments a chunk in a process of its own, which may have more memory than the bundler's: to run out of it would end the whole build.
 * @param {import('./instrument_chunk.js').Project} project
 * @param {import('./instrument_chunk.js').Chunk} chunk
 * @param {number} [heapMb]
 * @returns {import('./instrument_chunk.js').Done | null} null: that was not enough memory either
 * @throws {Error} if the process failed for another reason
 */
export function instrumentBig(project, chunk, heapMb = HEAP_MB) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'polyprof-chunk-'));
  try {
    const [from, to] = [path.join(folder, 'in'), path.join(folder, 'out')];
    writeFileSync(from, serialize({ project, chunk }));
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
