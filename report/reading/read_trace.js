import { existsSync, readFileSync } from 'node:fs';
import { checkTrace } from './check_trace.js';
import { detailsOf } from './details.js';
import { evenSamples } from './even_samples.js';
import { inputFiles } from './input_files.js';
import { readBytes, readError } from './read_bytes.js';
import { PART, readLines, readPart } from './read_lines.js';
import { TraceError } from './trace_error.js';
import { entriesIn, isBlank, tracesOf } from './traces_in.js';

/** @import { ProfilerTrace } from './check_trace.js' */
/** @import { Details } from './details.js' */
/** @import { Profile } from '../formats/formats.js' */
/** @import { InputFile } from './input_files.js' */
/** @import { Entry } from './traces_in.js' */

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
    try {
      const found = inputFiles(path);
      if (found.length > 0) return found;
      onError(new TraceError(path, '', 'has no traces (*.json, *.ndjson, *.gz of these) in it'));
    } catch (error) {
      onError(readError(path, error, false));
    }
    return [];
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
  const tell = (/** @type {unknown} */ error) => {
    if (!onError || !(error instanceof TraceError)) throw error;
    onError(error);
  };
  const beside = detailsBeside(file);
  for await (const entry of entriesOf(file, maxBytes)) {
    try {
      for (const { trace, details, place } of tracesOf(entry, file)) {
        const checked = checkedOr(trace, file, place, tell);
        if (!checked) continue;
        yield evened(place ? `${name} ${place}` : name, checked, { ...beside, ...details });
      }
    } catch (error) {
      tell(error);
    }
  }
}

/** @param {string} name @param {ProfilerTrace} checked @param {Details} details @returns {Profile} */
function evened(name, checked, details) {
  const { trace, ...found } = evenSamples(checked);
  const losses = Object.entries(found).filter(([, count]) => count > 0);
  if (losses.length === 0) return { name, trace, details };
  return {
    name,
    trace,
    details: { ...details, losses: { ...details.losses, ...Object.fromEntries(losses) } },
  };
}

/**
 * A file as a whole, or line by line if it has or is said to have lines.
 * @param {string} file @param {number} [maxBytes] @returns {AsyncGenerator<Entry>} none: a writer has just begun with it
 */
async function* entriesOf(file, maxBytes) {
  if (!/\.(ndjson|jsonl)(\.gz)?(\.part)?$/.test(file)) {
    yield* entriesIn(await readBytes(file, maxBytes), file);
    return;
  }
  const isPart = file.endsWith(PART);
  let isEmpty = true;
  let number = 0;
  for await (const bytes of (isPart ? readPart : readLines)(file, maxBytes)) {
    number++;
    if (isBlank(bytes)) continue;
    isEmpty = false;
    yield { bytes, line: `line ${number}` };
  }
  if (isEmpty && !isPart) throw new TraceError(file, '', 'is empty');
}

/** @param {unknown} trace @param {string} file @param {string} place in it @param {(error: unknown) => void} tell @returns {ProfilerTrace | null} */
function checkedOr(trace, file, place, tell) {
  try {
    return checkTrace(trace, file);
  } catch (error) {
    tell(error instanceof TraceError ? error.within(place) : error);
    return null;
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
