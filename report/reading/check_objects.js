import { formatCount } from '../numbers.js';
import { TraceError } from './trace_error.js';

/**
 * Objects and arrays that are read as one. The longest trace of 256 MB has some ten million, and V8's memory has room for them; a small
 * gzip may unpack to a hundred million.
 */
export const MAX_OBJECTS = 24e6;

/** The shortest ones are `{},` and `[],`. */
const SHORTEST = 3;

const [CURLY, SQUARE] = Buffer.from('{[');

/** @param {Uint8Array} bytes of JSON @param {string} file for messages @throws {TraceError} it has so many objects that reading them would end the process */
export function checkObjects(bytes, file) {
  if (bytes.length <= SHORTEST * MAX_OBJECTS) return;
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === CURLY || bytes[i] === SQUARE) count++;
  if (count <= MAX_OBJECTS) return;
  const most = formatCount(MAX_OBJECTS);
  throw new TraceError(file, '', `has ${formatCount(count)} objects, more than the ${most} of any trace`);
}
