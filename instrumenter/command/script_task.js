import path from 'node:path';
import { instrument } from '../instrument.js';
import { decodedMap } from '../maps/decoded_map.js';
import { sourceFilter } from '../sources/source_filter.js';
import { withSourcePaths } from '../sources/source_path.js';
import { twinReferences } from '../variants/twins.js';

/**
 * One script's work: all that its result depends on but the calibration, which is one for all, in values that can go to another thread.
 *
 * @typedef {object} ScriptTask
 * @property {string} code
 * @property {string} name of the output file, relative to the output folder
 * @property {string} folder absolute, of the input: what relative sources of its map start from
 * @property {string} root absolute: what `sources` are relative to
 * @property {string} probe
 * @property {number} minWeight
 * @property {number} [budget]
 * @property {string} [endpoint]
 * @property {{include: string[], exclude: string[]}} sources whose functions may have probes, as of the plugin's options
 * @property {boolean} sourceMap
 * @property {object | null} inputMap
 * @property {string[]} [twins] the script is a twin (docs/build.md, Variants): names of others that are there twice
 *
 * @typedef {object} ScriptResult
 * @property {string} code
 * @property {string | null} map JSON
 * @property {Uint8Array | null} table
 * @property {string} tableName
 * @property {import('../summary.js').Summary} summary
 */

/** @type {Record<string, import('../syntax/parse.js').SourceType>} */
const SOURCE_TYPES = { '.mjs': 'module', '.cjs': 'commonjs' };

/**
 * @param {ScriptTask} task
 * @param {import('../budget/calibration.js').Calibration} [calibration]
 * @returns {ScriptResult}
 * @throws {import('../source_error.js').SourceError}
 */
export function instrumentScript(
  { code, name, folder, root, sources, inputMap, twins, ...options },
  calibration,
) {
  const selects = sourceFilter(sources);
  const hasFilter = sources.include.length + sources.exclude.length > 0;
  const before = inputMap && decodedMap(inputMap);
  const result = instrument(code, {
    file: name,
    sourceType: SOURCE_TYPES[path.extname(name).toLowerCase()],
    ...(before && { inputMap: withSourcePaths(before, { root, folder }), chainMap: before }),
    // Without a map a script is its own source.
    selectSource: hasFilter ? selects : undefined,
    ...(twins && { references: { rename: twinReferences(name, { files: new Set(twins) }), warns: true } }),
    ...options,
    calibration,
  });
  const { map, table, tableName, summary } = result;
  return { code: result.code, map: map && JSON.stringify(map), table, tableName, summary };
}
