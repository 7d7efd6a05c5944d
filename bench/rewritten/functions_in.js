import { collectFunctions } from '../../instrumenter/functions/collect_functions.js';
import { parseScript } from '../../instrumenter/syntax/parse.js';
import { LineIndex } from '../../instrumenter/text/line_index.js';

/**
 * @typedef {object} Definition of a function in a script
 * @property {number} line of its definition, as engines say it
 * @property {number} column
 * @property {number} start offset of that
 * @property {number} end offset
 * @property {number} weight as the instrumenter reckons it
 * @property {any} node of the syntax tree
 */

/** @param {string} code of a classic script @returns {Definition[]} its functions, by their start */
export function functionsIn(code) {
  const { program } = parseScript(code, { file: 'script.js', sourceType: 'script' });
  const lines = new LineIndex(code);
  return collectFunctions(program, code)
    .records.filter(({ kind }) => kind === 'function')
    .map(({ definition, end, weight, node }) => ({
      ...lines.positionAt(definition),
      start: definition,
      end,
      weight,
      node,
    }))
    .sort((a, b) => a.start - b.start);
}

/** @param {Definition[]} functions by their start @param {number} offset @returns {number} index of the innermost one around it, or -1 */
export function innermost(functions, offset) {
  return functions.findLastIndex(({ start, end }) => start <= offset && offset < end);
}
