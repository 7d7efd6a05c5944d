import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

/** @type {Map<string, (body: Buffer) => Promise<Buffer>>} by name in `Content-Encoding` */
const DECODINGS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['identity', async (/** @type {Buffer} */ body) => body],
]);

/**
 * For servers that compress whether or not they are asked to.
 * @param {string} [encodings] `Content-Encoding`, in the order in which they were applied
 * @returns {((body: Buffer) => Promise<Buffer>) | null} undoes them; null: nobody here can
 */
export function decodingOf(encodings = 'identity') {
  const steps = encodings.split(',').map((each) => DECODINGS.get(each.trim().toLowerCase()));
  if (steps.includes(undefined)) return null;
  return async (body) => {
    for (const step of steps.toReversed()) if (step) body = await step(body);
    return body;
  };
}
