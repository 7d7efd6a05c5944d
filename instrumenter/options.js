/** Probe kinds that can be built. */
export const PROBE_KINDS = ['flag', 'shadow'];

export const DEFAULT_MIN_WEIGHT = 10;

/**
 * @typedef {object} InstrumentOptions
 * @property {string} [file] name of the script; its function table is `<base name>.ppft`, next to it
 * @property {import('./parse.js').SourceType} [sourceType] default `unambiguous`
 * @property {string} [probe] default `flag`
 * @property {number} [minWeight] functions lighter than this get no probes: statements, members of comma sequences, calls and
 *   loops of their own count 1 each; 0: all functions get probes
 * @property {string | object} [inputMap] source map of the code
 * @property {boolean} [sourceMap] make a source map of the output; default true
 */

const SOURCE_TYPES = ['unambiguous', 'module', 'script', 'commonjs'];

const NAMES = ['file', 'sourceType', 'probe', 'minWeight', 'inputMap', 'sourceMap'];

/**
 * @param {InstrumentOptions} options
 * @returns {Required<Omit<InstrumentOptions, 'inputMap'>> & {tableName: string}}
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
    minWeight = DEFAULT_MIN_WEIGHT,
    sourceMap = true,
  } = options;
  if (typeof file !== 'string' || baseName(file) === '') {
    throw new TypeError(`file must be the name of a file, not '${file}'`);
  }
  if (!SOURCE_TYPES.includes(sourceType)) {
    throw new TypeError(`unknown sourceType '${sourceType}': there is ${SOURCE_TYPES.join(', ')}`);
  }
  if (!PROBE_KINDS.includes(probe)) {
    throw new TypeError(`unknown probe '${probe}': there is ${PROBE_KINDS.join(', ')}`);
  }
  if (!(Number.isFinite(minWeight) && minWeight >= 0)) {
    throw new TypeError(`minWeight must be a number of at least 0, not ${minWeight}`);
  }
  return { file, sourceType, probe, minWeight, sourceMap, tableName: `${baseName(file)}.ppft` };
}

/** @param {string} file @returns {string} */
export function baseName(file) {
  return file.slice(file.search(/[^\\/]*$/));
}
