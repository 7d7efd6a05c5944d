import { createReadStream, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { STDIN } from './input_files.js';
import { FileError, TraceError } from './trace_error.js';

/**
 * More than any trace of a page: about ten million samples. A file that is longer, or that unpacks to more, is a mistake or an attack.
 */
export const MAX_BYTES = 256 * 2 ** 20;

/** What V8 takes as one string. */
export const MAX_MAX_BYTES = 512 * 2 ** 20 - 1024;

const unpack = promisify(gunzip);

/**
 * @param {string} file or `-`: standard input
 * @param {number} [maxBytes] limit, packed and unpacked
 * @returns {Promise<Buffer>} the content, unpacked if it is gzip, whatever its name; rejects with a `TraceError`
 */
export async function readBytes(file, maxBytes = MAX_BYTES) {
  const bytes = await readAll(file, maxBytes);
  const unpacked = isGzip(bytes) ? await unpackedOf(bytes, file, maxBytes) : bytes;
  checkEncoding(unpacked, file);
  return unpacked;
}

/** @param {Buffer} bytes @param {string} file @param {number} maxBytes @returns {Promise<Buffer>} */
async function unpackedOf(bytes, file, maxBytes) {
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? tooBig(file, 'unpacks to', maxBytes)
      : readError(file, error, true);
  }
}

/** @param {Uint8Array} bytes the first ones */
export function isGzip(bytes) {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** PowerShell writes UTF-16, with a mark or without. @param {Uint8Array} bytes the first ones @param {string} file @throws {FileError} */
export function checkEncoding([first, second], file) {
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasMark || (first === 0) !== (second === 0)) throw new FileError(file, 'is UTF-16: save it as UTF-8');
}

/** @param {string} file @param {unknown} error of reading it @param {boolean} hasPacked @returns {TraceError} */
export function readError(file, error, hasPacked) {
  if (error instanceof TraceError) return error;
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'ENOENT') return new FileError(file, 'does not exist');
  return new FileError(file, hasPacked ? `is damaged gzip (${message})` : `cannot be read (${message})`);
}

/** @param {string} file @param {number} maxBytes @returns {Promise<Buffer>} */
async function readAll(file, maxBytes) {
  if (file === STDIN && process.stdin.readableEnded) {
    throw new FileError(file, 'is standard input, which can be read once only');
  }
  const chunks = [];
  let length = 0;
  try {
    if (file !== STDIN && statSync(file).size > maxBytes) throw tooBig(file, 'has', maxBytes);
    const stream = file === STDIN ? process.stdin : createReadStream(file);
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch (error) {
    throw readError(file, error, false);
  }
  if (length > maxBytes) throw tooBig(file, 'has', maxBytes);
  return Buffer.concat(chunks);
}

/** @param {string} file @param {string} verb @param {number} maxBytes */
export function tooBig(file, verb, maxBytes) {
  const megabytes = Number((maxBytes / 2 ** 20).toPrecision(3));
  return new FileError(file, `${verb} more than ${megabytes} MB; --max-size raises that limit`);
}
