import { findScripts } from '../pages/html_scripts.js';
import { LineIndex } from '../text/line_index.js';
import { completeOptions } from '../options.js';
import { mappedOrigins, ownOrigins } from '../tables/origins.js';
import { readScript } from '../script.js';
import { functionKeys } from './function_keys.js';
import { staticEstimate } from './static_estimate.js';
import { weightIfUnseen } from './unseen.js';

/**
 * @typedef {object} ListedFunction
 * @property {import('./function_keys.js').FunctionKey} key
 * @property {number} line of its definition, as engines report it; 1-based
 * @property {number} column 1-based
 * @property {number} nsPerCall of its own work, guessed from the text
 * @property {number} weight as `minWeight` has it; see `weightIfUnseen`
 */

/**
 * The functions of a script that could have probes.
 * @param {string} code
 * @param {import('../options.js').InstrumentOptions} options
 * @returns {ListedFunction[]}
 * @throws {import('../source_error.js').SourceError}
 */
export function listFunctions(code, options) {
  const { file, probe, minWeight, sourceType } = completeOptions(options);
  const lines = new LineIndex(code);
  const originOf = options.inputMap ? mappedOrigins(options.inputMap, lines, code) : ownOrigins(file, lines);
  const script = readScript(code, { file, probe, minWeight, sourceType });
  return listed(script, lines, originOf);
}

/** @param {string} html @param {import('../options.js').InstrumentOptions} options @returns {ListedFunction[]} of its inline scripts */
export function listPageFunctions(html, options) {
  const { file, probe, minWeight } = completeOptions(options);
  const lines = new LineIndex(html);
  const originOf = ownOrigins(file, lines);
  return findScripts(html).flatMap(({ start, end, sourceType }) => {
    const place = { base: start, ...lines.positionAt(start), page: html };
    const script = readScript(html.slice(start, end), { file, probe, minWeight, sourceType, ...place });
    return listed(script, lines, originOf);
  });
}

/**
 * @param {import('../script.js').ScriptPlan} script
 * @param {LineIndex} lines of the file
 * @param {import('../tables/origins.js').OriginOf} originOf
 * @returns {ListedFunction[]}
 */
function listed({ records, base }, lines, originOf) {
  const estimates = new Map(
    staticEstimate(records).map(({ record, calls, selfUs }) => [record, (selfUs * 1000) / calls]),
  );
  return [...functionKeys(records, base, originOf)].map(([record, key]) => ({
    key,
    ...lines.positionAt(record.definition + base),
    nsPerCall: estimates.get(record) ?? 0,
    weight: weightIfUnseen(record),
  }));
}
