import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { readFunctionTable } from './read_function_table.js';

/** @import { Symbols } from './symbolicate.js' */
/** @import { TableFunction } from './read_function_table.js' */

/**
 * @callback OnStray
 * @param {string} file of the table
 * @param {{name: string, line: number, column: number}} frame where the table has no function
 */

/**
 * Symbols of an instrumented script, from its function table. A frame has the place where its function is defined, or, when the page ended
 * before its table came, that of a call within it, or in V8 of its first character.
 * @param {Uint8Array} bytes of the `.ppft` file
 * @param {string} [file] for messages
 * @param {OnStray} [onStray] called with each frame that is not the table's, again and again
 * @returns {Symbols} throws an `Error` that names the file when it is no function table
 */
export function tableSymbols(bytes, file = 'function table', onStray = () => {}) {
  const functionOf = finderIn(bytes, file);
  return (frame) => {
    const found = functionOf(frame);
    if (!found) onStray(file, frame);
    return originOf(found);
  };
}

/**
 * Symbols of several scripts that the browser gave one address, as WebKit does with those whose queries differ: a frame is of the one that has
 * a function of its name there.
 * @param {Uint8Array[]} tables at least one
 * @param {string} file for messages
 * @returns {Symbols}
 */
export function sharedSymbols(tables, file) {
  const finders = tables.map((bytes) => finderIn(bytes, file));
  return (frame) => {
    const found = finders.flatMap((functionOf) => functionOf(frame) ?? []);
    return originOf(found.find(({ name }) => name === frame.name) ?? found[0]);
  };
}

/** @param {Uint8Array} bytes @param {string} file @returns {(frame: Parameters<Symbols>[0]) => TableFunction | undefined} */
function finderIn(bytes, file) {
  const { functions } = readFunctionTable(bytes, file);
  const byPlace = new Map(functions.map((each) => [`${each.line}:${each.column}`, each]));
  return (frame) => byPlace.get(`${frame.line}:${frame.column}`) ?? functionAround(frame, functions);
}

/** @param {TableFunction | undefined} found @returns {ReturnType<Symbols>} */
function originOf(found) {
  const origin = found?.origin;
  if (!origin) return null;
  return { name: origin.name || null, file: origin.source, line: origin.line, column: origin.column };
}

/**
 * The innermost one, if it is the one that was called. Of another build, functions lie elsewhere.
 * @param {{name: string, line: number, column: number}} call @param {TableFunction[]} functions @returns {TableFunction | undefined}
 */
function functionAround({ name, line, column }, functions) {
  const found = functions.findLast(
    (each) =>
      !isBefore(line, column, each.startLine, each.startColumn) &&
      isBefore(line, column, each.endLine, each.endColumn),
  );
  return found && (found.name === name || found.flags & FunctionFlag.RUNTIME_NAME) ? found : undefined;
}

/** @type {(line: number, column: number, otherLine: number, otherColumn: number) => boolean} */
function isBefore(line, column, otherLine, otherColumn) {
  return line < otherLine || (line === otherLine && column < otherColumn);
}
