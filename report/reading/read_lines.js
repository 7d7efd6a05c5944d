import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { checkEncoding, isGzip, MAX_BYTES, readError, tooBig } from './read_bytes.js';
import { TraceError } from './trace_error.js';

const NEWLINE = 10;

/** What a file that `polyprof collect` is still writing has after its name. */
export const PART = '.part';

/**
 * Lines of a file, so that only one is in memory; unpacked if it is gzip.
 * @param {string} file
 * @param {number} [maxBytes] of a line
 * @returns {AsyncGenerator<Buffer>} without their ends; throws a `TraceError`
 */
export async function* readLines(file, maxBytes = MAX_BYTES) {
  let hasPacked = false;
  try {
    hasPacked = isGzip(await firstBytes(file));
    /** @type {Buffer[]} */
    let parts = [];
    let length = 0;
    let isFirst = true;
    for await (const chunk of streamOf(file, hasPacked)) {
      if (isFirst) checkEncoding(chunk, file);
      isFirst = false;
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        yield Buffer.concat([...parts, chunk.subarray(start, end)]);
        parts = [];
        length = 0;
        start = end + 1;
      }
      parts.push(chunk.subarray(start));
      length += chunk.length - start;
      if (length > maxBytes) throw tooBig(file, 'has a line of', maxBytes);
    }
    if (length > 0) yield Buffer.concat(parts);
  } catch (error) {
    throw readError(file, error, hasPacked);
  }
}

/**
 * Lines of a gzip file that is still being written, or whose writer was killed: those before the place where it is torn.
 * @param {string} file that may have got its final name, without `.part`, meanwhile
 * @param {number} [maxBytes] of a line
 * @returns {AsyncGenerator<Buffer>}
 */
export async function* readPart(file, maxBytes) {
  try {
    yield* readLines(existsSync(file) ? file : file.slice(0, -PART.length), maxBytes);
  } catch (error) {
    if (!(error instanceof TraceError && /damaged gzip/.test(error.problem))) throw error;
  }
}

/** @param {string} file @returns {Promise<Buffer>} as many as tell what it is */
async function firstBytes(file) {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** @param {string} file @param {boolean} hasPacked @returns {AsyncIterable<Buffer>} */
function streamOf(file, hasPacked) {
  const source = createReadStream(file);
  if (!hasPacked) return source;
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => source.destroy());
  return source.pipe(unpacked);
}
