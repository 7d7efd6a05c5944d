import { readFile } from 'node:fs/promises';
import { checkTrace } from './check_trace.js';
import { TraceError } from './trace_error.js';

/** @import { ProfilerTrace } from './check_trace.js' */

/**
 * @param {string} file JSON of a ProfilerTrace
 * @returns {Promise<ProfilerTrace>} valid; rejects with a `TraceError` when there is no such file or something else is in it
 */
export async function readTrace(file) {
  let value;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new TraceError(file, '', `is not JSON (${error.message})`);
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new TraceError(file, '', code === 'ENOENT' ? 'does not exist' : `cannot be read (${message})`);
  }
  return checkTrace(value, file);
}
