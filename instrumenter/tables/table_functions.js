import { FunctionFlag } from './function_table.js';
import { originOfFunction } from './origins.js';

/**
 * @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {import('./function_table.js').TableFunction} TableFunction
 */

/**
 * What the function table says of a file's functions.
 * @param {import('../script.js').ScriptPlan[]} scripts
 * @param {import('../text/edits.js').Edits} edits sealed
 * @param {import('../text/line_index.js').LineIndex} lines of the input file
 * @param {import('./origins.js').OriginOf} originOf
 * @returns {TableFunction[]}
 */
export function tableFunctions(scripts, edits, lines, originOf) {
  /** @param {number} offset in the input @param {number} output where that ended up */
  const position = (offset, output) => {
    const line = lines.lineAt(offset);
    return { line, column: output - edits.lineStart(lines.startOf(line)) + 1 };
  };

  return scripts.flatMap(({ records, base }) =>
    records.map((record) => {
      const [start, definition, end] = [record.start, record.definition, record.end].map((at) => at + base);
      const first = position(start, outputStart(record, start, edits));
      const { line, column } = position(definition, outputStart(record, definition, edits));
      const last = position(end, edits.endOf(end, record.order));
      return {
        startLine: first.line,
        startColumn: first.column,
        line,
        column,
        endLine: last.line,
        endColumn: last.column,
        name: record.name.text,
        flags: flagsOf(record),
        origin: originOfFunction(record, base, originOf),
      };
    }),
  );
}

/** The top level begins before the prelude. @param {FunctionRecord} record @param {number} start @param {import('../text/edits.js').Edits} edits */
function outputStart(record, start, edits) {
  return record.kind === 'top' ? edits.lineStart(start) : edits.startOf(start, record.order);
}

/** @param {FunctionRecord} record @returns {number} */
function flagsOf(record) {
  return (
    (record.probed ? FunctionFlag.PROBED : 0) |
    (record.isQuiet ? FunctionFlag.QUIET : 0) |
    (record.delegates ? FunctionFlag.DELEGATES : 0) |
    (record.name.runtime ? FunctionFlag.RUNTIME_NAME : 0) |
    (record.kind === 'top' ? FunctionFlag.TOP_LEVEL : 0) |
    (record.kind === 'initializer' ? FunctionFlag.CLASS_INITIALIZER : 0) |
    (record.kind === 'function' && record.node.async && !record.node.generator ? FunctionFlag.ASYNC : 0)
  );
}
