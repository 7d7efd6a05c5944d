import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isGzip } from '../report/reading/read_bytes.js';
import { Refusal } from './refusal.js';

/** @import { IncomingMessage } from 'node:http' */

const unpack = promisify(gunzip);

/**
 * @param {IncomingMessage} request
 * @param {number} maxBytes packed and unpacked
 * @param {(bytes: number) => void} onBytes they are in memory now
 * @returns {Promise<Buffer>} the body, unpacked if it is gzip, whatever the request calls it: pages that close may call it text, to be
 *   spared a preflight; rejects with a `Refusal`, as soon as it is known to be too long
 */
export async function readBody(request, maxBytes, onBytes) {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (!/^(gzip|identity)$/i.test(encoding)) {
    throw new Refusal(415, `Content-Encoding ${encoding} is not known: send gzip or plain text`);
  }
  const tooLong = () =>
    new Refusal(413, `the body has more than ${maxBytes} bytes: see --max-body and the beacon's maxBytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLong();
  const chunks = [];
  let length = 0;
  for await (const chunk of iterate(request)) {
    length += chunk.length;
    onBytes(chunk.length);
    if (length > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isGzip(body)) return body;
  try {
    const unpacked = await unpack(body, { maxOutputLength: maxBytes });
    onBytes(unpacked.length);
    return unpacked;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong();
    throw new Refusal(400, `the body is damaged gzip (${message})`);
  }
}

/** Leaves the connection open for the answer when reading ends early. @param {IncomingMessage} request @returns {AsyncIterable<Buffer>} */
function iterate(request) {
  return request.iterator({ destroyOnReturn: false });
}
