import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

/** @type {Map<string, (body: Buffer) => Promise<Buffer>>} by name in `Content-Encoding` */
const DECODINGS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', inflateEither],
  ['br', promisify(brotliDecompress)],
  ['identity', async (/** @type {Buffer} */ body) => body],
]);

/** Some servers leave the frame of zlib out, and browsers take either. @param {Buffer} body */
function inflateEither(body) {
  return promisify(inflate)(body).catch(() => promisify(inflateRaw)(body));
}

/**
 * For servers that compress whether or not they are asked to.
 * @param {string} [encodings] `Content-Encoding`, in the order in which they were applied
 * @returns {((body: Buffer) => Promise<Buffer>) | null} undoes them, or rejects for a body that is damaged; null: nobody here can
 */
export function decodingOf(encodings = 'identity') {
  const steps = encodings.split(',').map((each) => DECODINGS.get(each.trim().toLowerCase()));
  if (steps.includes(undefined)) return null;
  return async (body) => {
    // Nothing is nothing, without a frame around it, too.
    for (const step of steps.toReversed()) if (step && body.length > 0) body = await step(body);
    return body;
  };
}
