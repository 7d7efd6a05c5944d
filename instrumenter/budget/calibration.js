/**
 * What a workload showed of a program's functions: `polyprof.calibration.json`. One line per function that was called, sorted, so that a
 * difference of two is readable.
 *
 * @typedef {object} Calibration
 * @property {1} version
 * @property {'measured' | 'estimated'} selfTime whether a profiler told it, or the functions' size
 * @property {number} busyMs how long the workload's own code ran, without probes
 * @property {Record<string, CalibratedFunction[]>} sources by path
 * @property {import('./unseen.js').Unseen} [unseen] what it did not show; nobody knows without
 *
 * @typedef {[name: string, shape: string, calls: number, selfUs: number, starts?: number]} CalibratedFunction as FunctionKey has the first
 *   two; `calls`: how often it was entered or resumed; `selfUs`: microseconds that it ran itself, all calls together; `starts`: how many
 *   pages and workers called it, if it was more than one
 */

export const CALIBRATION_FILE = 'polyprof.calibration.json';

/** A file that is no calibration: what is wrong with it, and where. */
export class CalibrationError extends Error {
  /** @override */
  name = 'CalibrationError';
}

/** Finer than clocks are; a workload that hardly ran still took some time, and readers ask for that. */
const BUSY_STEPS_PER_MS = 10;

/** @param {Calibration} calibration @returns {string} JSON */
export function writeCalibration({ version, selfTime, busyMs, sources, unseen }) {
  const groups = Object.keys(sources)
    .sort()
    .map((source) => {
      const lines = [...sources[source]]
        .sort((a, b) => (`${a[0]}\n${a[1]}` < `${b[0]}\n${b[1]}` ? -1 : 1))
        .map((entry) => `      ${JSON.stringify(entry)}`);
      return `    ${JSON.stringify(source)}: [\n${lines.join(',\n')}\n    ]`;
    });
  const busy = Math.max(Math.round(busyMs * BUSY_STEPS_PER_MS), 1) / BUSY_STEPS_PER_MS;
  const head = `  "version": ${version},\n  "selfTime": "${selfTime}",\n  "busyMs": ${busy}`;
  const more = unseen ? `,\n  "unseen": ${JSON.stringify(unseen)}` : '';
  return `{\n${head}${more},\n  "sources": {\n${groups.join(',\n')}\n  }\n}\n`;
}

/**
 * @param {string} text
 * @param {string} file for messages
 * @returns {Calibration}
 * @throws {CalibrationError}
 */
export function readCalibration(text, file) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CalibrationError(`${file} is no JSON: ${/** @type {Error} */ (error).message}`, {
      cause: error,
    });
  }
  const problem = problemOf(value);
  if (problem) {
    throw new CalibrationError(`${file}: ${problem}; polyprof calibrate makes a new one`);
  }
  return value;
}

/** @param {any} value @returns {string} empty: none */
export function problemOf(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'it must hold an object';
  if (value.version !== 1) return `its version must be 1, not ${JSON.stringify(value.version)}`;
  if (!/^(measured|estimated)$/.test(value.selfTime)) return "selfTime must be 'measured' or 'estimated'";
  if (!(value.busyMs > 0 && value.busyMs < Infinity)) return 'busyMs must be a number above 0';
  if (value.unseen !== undefined && !(Array.isArray(value.unseen) && value.unseen.every(isCount)))
    return 'unseen must be a list of [weight, functions]';
  if (typeof value.sources !== 'object' || value.sources === null) return 'sources must be an object';
  for (const [source, entries] of Object.entries(value.sources)) {
    const bad = Array.isArray(entries) ? entries.find((entry) => !isEntry(entry)) : entries;
    if (bad !== undefined)
      return `sources[${JSON.stringify(source)}] must hold [name, shape, calls, selfUs] and maybe starts, not ${JSON.stringify(bad)}`;
  }
  return '';
}

/** @param {any} count */
function isCount(count) {
  return Array.isArray(count) && count.length === 2 && count.every((number) => number >= 0);
}

/** @param {any} entry */
function isEntry(entry) {
  if (!Array.isArray(entry) || entry.length < 4 || entry.length > 5) return false;
  const [name, shape, calls, selfUs, starts = 1] = entry;
  return typeof name === 'string' && typeof shape === 'string' && calls >= 0 && selfUs >= 0 && starts >= 1;
}
