import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { isGzip, MAX_BYTES, readError, tooBig } from './read_bytes.js';

const NEWLINE = 10;

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
    for await (const chunk of streamOf(file, hasPacked)) {
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
