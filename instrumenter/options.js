/** Probe kinds that can be built. */
export const PROBE_KINDS = ['flag'];

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

/**
 * @param {InstrumentOptions} options
 * @returns {Required<Omit<InstrumentOptions, 'inputMap'>> & {tableName: string}}
 * @throws {TypeError} on an unknown probe or a weight that is none
 */
export function completeOptions({
  file = 'script.js',
  sourceType = 'unambiguous',
  probe = 'flag',
  minWeight = DEFAULT_MIN_WEIGHT,
  sourceMap = true,
}) {
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
