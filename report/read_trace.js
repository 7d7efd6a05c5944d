import { existsSync, readFileSync } from 'node:fs';
import { checkTrace } from './check_trace.js';
import { detailsOf } from './details.js';
import { inputFiles } from './input_files.js';
import { readBytes } from './read_bytes.js';
import { TraceError } from './trace_error.js';
import { tracesIn } from './traces_in.js';

/** @import { ProfilerTrace } from './check_trace.js' */
/** @import { Profile } from './formats.js' */
/** @import { InputFile } from './input_files.js' */

/**
 * @param {string} file a ProfilerTrace in JSON, or what else `tracesIn` knows; also gzipped
 * @returns {Promise<ProfilerTrace>} the first one in it, valid; rejects with a `TraceError` when there is no such file or something
 *   else is in it
 */
export async function readTrace(file) {
  for await (const { trace } of readProfiles({ file, name: file })) return trace;
  throw new TraceError(file, '', 'has no trace in it');
}

/**
 * All traces of many files, one after the other, so that only one file is in memory. A file that cannot be read, and a line of one, is
 * told and passed over.
 * @param {string[]} paths files, folders or `-`: standard input
 * @param {object} options
 * @param {number} [options.maxBytes]
 * @param {(error: TraceError) => void} options.onError
 * @param {(done: number, all: number) => void} [options.onProgress] files
 * @returns {AsyncGenerator<Profile>}
 */
export async function* readAllProfiles(paths, { maxBytes, onError, onProgress }) {
  const files = paths.flatMap((path) => {
    const found = inputFiles(path);
    if (found.length === 0)
      onError(new TraceError(path, '', 'has no traces (*.json, *.ndjson, *.gz of these) in it'));
    return found;
  });
  for (const [i, input] of files.entries()) {
    onProgress?.(i, files.length);
    try {
      yield* readProfiles(input, { maxBytes, onError });
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      onError(error);
    }
  }
  onProgress?.(files.length, files.length);
}

/**
 * @param {InputFile} input
 * @param {{maxBytes?: number, onError?: (error: TraceError) => void}} [options] `onError`: of one trace among several; by default it is
 *   thrown
 * @returns {AsyncGenerator<Profile>}
 */
async function* readProfiles({ file, name }, { maxBytes, onError } = {}) {
  const bytes = await readBytes(file, maxBytes);
  const beside = detailsBeside(file);
  for (const { trace, details, place } of tracesIn(bytes, file)) {
    try {
      const checked = checkTrace(trace, file);
      yield { name: place ? `${name} ${place}` : name, trace: checked, details: { ...beside, ...details } };
    } catch (error) {
      if (!place || !(error instanceof TraceError)) throw error;
      const placed = new TraceError(file, `${place}: ${error.place}`, error.problem);
      if (!onError) throw placed;
      onError(placed);
    }
  }
}

/** What `npm start` writes as `<name>.counters.json` beside `<name>.trace.json`. @param {string} file */
function detailsBeside(file) {
  const counters = file.replace(/\.trace\.json(\.gz)?$/, '.counters.json');
  if (counters === file || !existsSync(counters)) return {};
  try {
    return detailsOf(JSON.parse(readFileSync(counters, 'utf8')));
  } catch {
    return {};
  }
}
