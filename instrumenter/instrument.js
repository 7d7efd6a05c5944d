import { encode } from '@jridgewell/sourcemap-codec';
import { Edits } from './text/edits.js';
import { decider } from './budget/decide.js';
import { functionKeys } from './budget/function_keys.js';
import { byteOrderMark } from './text/byte_order_mark.js';
import { scriptIdOf } from './text/fnv1a.js';
import { writeFunctionTable } from './tables/function_table.js';
import { decodedMap } from './maps/decoded_map.js';
import { exclusions, isPolyfill } from './exclusions.js';
import { LineIndex } from './text/line_index.js';
import { baseName, completeOptions } from './options.js';
import { mappedOrigins, originOfFunction, ownOrigins } from './tables/origins.js';
import { placeReferences } from './variants/references.js';
import { placeScripts } from './probes/place_scripts.js';
import { readScript } from './script.js';
import { encodeMappings, moveMappings } from './maps/source_map.js';
import { summarize } from './summary.js';
import { appendTable, tableFunctionName } from './tables/inline_table.js';
import { tableFunctions } from './tables/table_functions.js';

export { SourceError } from './source_error.js';

/**
 * @typedef {object} Instrumented
 * @property {string} code
 * @property {object | null} map source map (version 3) from `code` to what `inputMap` maps to, or to the input; null: nothing was
 *   changed, or none was asked for
 * @property {Uint8Array | null} table the function table; null: nothing was changed
 * @property {string} tableName file name that the code expects it under, next to itself
 * @property {import('./summary.js').Summary} summary
 */

/**
 * Puts probes into a script. Pure: the same text and options, the same result.
 * @param {string} code
 * @param {import('./options.js').InstrumentOptions} [options]
 * @returns {Instrumented}
 * @throws {import('./source_error.js').SourceError} if it does not parse
 * @throws {TypeError} on bad options
 */
export function instrument(code, options = {}) {
  const { file, tableName, tableAddress, inlineTable, sourceMap, chainMap, ...settings } =
    completeOptions(options);
  const inputMap = options.inputMap ? decodedMap(options.inputMap) : undefined;
  const { selectSource, references, calibration, endpoint, prologue } = options;
  const mark = byteOrderMark(code);
  const input = code.slice(mark.length);

  const edits = new Edits();
  const scriptId = scriptIdOf(file, input);
  const lines = new LineIndex(input);
  const originOf = inputMap ? mappedOrigins(inputMap, lines, input) : ownOrigins(file, lines);
  // The polyfill's sources are not called like its files, so the name of the file decides.
  const exclusion = isPolyfill(file) ? () => 'polyfill' : exclusions(selectSource);
  const exclusionOf = (/** @type {typeof script.records[0]} */ record) =>
    exclusion(originOfFunction(record, 0, originOf)?.source ?? '');
  const { budget, probe, minWeight, sourceType } = settings;
  const decide = decider(calibration, { budget, probe, minWeight, originOf });
  const script = readScript(input, { file, exclusionOf, decide, probe, minWeight, sourceType });
  const tableFunction = inlineTable ? tableFunctionName(scriptId) : undefined;
  const keysOf = (/** @type {typeof script} */ { records }) => functionKeys(records, 0, originOf);
  placeScripts([script], { edits, probe, scriptId, tableAddress, tableFunction, prologue, keysOf, endpoint });
  if (references) script.unseen = placeReferences(script.program, input, references, edits);
  if (edits.isEmpty) {
    return {
      code,
      map: null,
      table: null,
      tableName,
      summary: summarize(file, [script], code, code, lines, probe),
    };
  }

  edits.seal();
  const table = writeFunctionTable({ scriptId, functions: tableFunctions([script], edits, lines, originOf) });
  if (tableFunction) appendTable(tableFunction, table, script, edits);
  const output = mark + edits.applyTo(input);
  const before = chainMap === true ? inputMap : chainMap && decodedMap(chainMap);
  return {
    code: output,
    map: sourceMap ? mapOf(input, edits, lines, file, before) : null,
    table,
    tableName,
    summary: summarize(file, [script], code, output, lines, probe),
  };
}

/**
 * @param {string} input
 * @param {Edits} edits
 * @param {LineIndex} lines
 * @param {string} file
 * @param {import('@jridgewell/trace-mapping').DecodedSourceMap | false | undefined} inputMap
 * @returns {object}
 */
function mapOf(input, edits, lines, file, inputMap) {
  const name = baseName(file);
  if (inputMap) {
    const mappings = encode(moveMappings(inputMap.mappings, edits.all, lines.starts));
    return { ...inputMap, version: 3, file: name, mappings };
  }
  return {
    version: 3,
    file: name,
    sources: [name],
    sourcesContent: [input],
    names: [],
    mappings: encodeMappings(input, edits.all, lines.starts),
  };
}
