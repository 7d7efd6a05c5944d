import { problemOf } from './budget/calibration.js';

/** Probe kinds that pages are profiled with. */
export const PROBE_KINDS = ['flag', 'shadow'];

/**
 * By `node bench/builds/growth.js`: the lightest at which the probes add less than 4 % to minified bundles. Shadow probes are longer.
 * @type {Readonly<Record<string, number>>}
 */
export const DEFAULT_MIN_WEIGHTS = Object.freeze({ flag: 13, shadow: 29, count: 0 });

/**
 * @typedef {object} InstrumentOptions
 * @property {string} [file] name of the script; its function table is `<base name>.ppft`, next to it
 * @property {import('./syntax/parse.js').SourceType} [sourceType] default `unambiguous`
 * @property {string} [probe] `flag`, the default, or `shadow`; `count` makes a calibration
 * @property {number} [minWeight] functions lighter than this get no probes: statements, members of comma sequences, calls and
 *   loops of their own count 1 each; 0: all functions get probes; default 12 with `flag`, 29 with `shadow`; what the event loop or a framework calls may be lighter
 * @property {string | object} [inputMap] source map of the code
 * @property {boolean} [sourceMap] make a source map of the output; default true
 * @property {boolean | object} [chainMap] where the map leads to: `true`, the default, to where the `inputMap` does, if there is one; `false` to the
 *   code that was given; or to where this source map of the code leads
 * @property {(source: string) => boolean} [selectSource] may functions of this original source have probes? It is asked with the
 *   source's name in the `inputMap`, `file` without one, and the empty text for what the map does not know
 * @property {string} [tableName] name that the code expects its table under, resolved against the script's address; default
 *   `<base name of file>.ppft`
 * @property {string} [prologue] statements on one line that run before those of a script, not of a page, that gets probes
 * @property {boolean} [inlineTable] the table is a data: URL in the code itself; default false
 * @property {import('./variants/references.js').References} [references] other names for scripts that this one loads
 * @property {import('./budget/calibration.js').Calibration} [calibration] what a workload showed: functions that it called are selected
 *   by the budget, others by `minWeight`
 * @property {number} [budget] share of the time that probes may cost; default 0.01 with a calibration, else there is none. Without a
 *   calibration what functions cost is guessed from the text
 * @property {string} [endpoint] of probe `count`: the URL that counts are sent to
 */

const SOURCE_TYPES = ['unambiguous', 'module', 'script', 'commonjs'];

const NAMES = [
  'file',
  'sourceType',
  'probe',
  'minWeight',
  'inputMap',
  'sourceMap',
  'chainMap',
  'selectSource',
  'tableName',
  'prologue',
  'inlineTable',
  'references',
  'calibration',
  'budget',
  'endpoint',
];

/**
 * @typedef {Required<Omit<InstrumentOptions, 'inputMap' | 'selectSource' | 'budget' | 'calibration' | 'endpoint' | 'references' | 'prologue'>> &
 *   Pick<InstrumentOptions, 'budget'> & {tableAddress: string}} CompleteOptions `tableAddress`: of `tableName`, relative to the script's
 */

/**
 * @param {InstrumentOptions} options
 * @returns {CompleteOptions}
 * @throws {TypeError} on an option that does not exist, or a value that it cannot have
 */
export function completeOptions(options) {
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) throw new TypeError(`unknown option '${name}': there is ${NAMES.join(', ')}`);
  }
  const {
    file = 'script.js',
    sourceType = 'unambiguous',
    probe = 'flag',
    minWeight = DEFAULT_MIN_WEIGHTS[probe],
    sourceMap = true,
    chainMap = true,
    selectSource,
    inlineTable = false,
    calibration,
    budget,
  } = options;
  if (typeof file !== 'string' || baseName(file) === '') {
    throw new TypeError(`file must be the name of a file, not '${file}'`);
  }
  if (!SOURCE_TYPES.includes(sourceType)) {
    throw new TypeError(`unknown sourceType '${sourceType}': there is ${SOURCE_TYPES.join(', ')}`);
  }
  if (!PROBE_KINDS.includes(probe) && probe !== 'count') {
    throw new TypeError(`unknown probe '${probe}': there is ${PROBE_KINDS.join(', ')}`);
  }
  if (!(Number.isFinite(minWeight) && minWeight >= 0)) {
    throw new TypeError(`minWeight must be a number of at least 0, not ${minWeight}`);
  }
  if (selectSource !== undefined && typeof selectSource !== 'function') {
    throw new TypeError(`selectSource must be a function, not ${selectSource}`);
  }
  if (/[\n\r\u2028\u2029]/.test(options.prologue ?? '')) throw new TypeError('prologue must be one line');
  if (budget !== undefined) checkBudget(budget);
  const problem = calibration === undefined ? '' : problemOf(calibration);
  if (problem) throw new TypeError(`calibration: ${problem}`);
  const ownTable = `${baseName(file)}.ppft`;
  const { tableName = ownTable, tableName: tableAddress = encodeURIComponent(ownTable) } = options;
  if (typeof tableName !== 'string' || tableName === '') {
    throw new TypeError(`tableName must be a relative or absolute URL, not '${tableName}'`);
  }
  return {
    file,
    sourceType,
    probe,
    minWeight,
    sourceMap,
    chainMap,
    tableName,
    tableAddress,
    inlineTable,
    budget,
  };
}

/** @param {unknown} budget @throws {TypeError} */
export function checkBudget(budget) {
  if (!(typeof budget === 'number' && budget > 0 && budget <= 1)) {
    throw new TypeError(`budget must be a number above 0, at most 1, such as 0.01 for 1 %; not ${budget}`);
  }
}

/** @param {string} file @returns {string} */
export function baseName(file) {
  return file.slice(file.search(/[^\\/]*$/));
}
