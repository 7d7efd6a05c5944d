import { readFunctionTable } from './function_table.js';

/** @import { Symbols } from './symbolicate.js' */

/**
 * @callback OnStray
 * @param {string} file of the table
 * @param {{name: string, line: number, column: number}} frame where the table has no function
 */

/**
 * Symbols of an instrumented script, from its function table.
 * @param {Uint8Array} bytes of the `.ppft` file
 * @param {string} [file] for messages
 * @param {OnStray} [onStray] called with each frame that is not the table's, again and again
 * @returns {Symbols} throws an `Error` that names the file when it is no function table
 */
export function tableSymbols(bytes, file = 'function table', onStray = () => {}) {
  const { functions } = readFunctionTable(bytes, file);
  const byPlace = new Map(functions.map((each) => [`${each.line}:${each.column}`, each.origin]));
  return (frame) => {
    const origin = byPlace.get(`${frame.line}:${frame.column}`);
    if (origin === undefined) onStray(file, frame);
    if (!origin) return null;
    return { name: origin.name || null, file: origin.source, line: origin.line, column: origin.column };
  };
}
