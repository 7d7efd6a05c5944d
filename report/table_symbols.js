import { readFunctionTable } from './function_table.js';

/** @import { Symbols } from './symbolicate.js' */

/**
 * Symbols of an instrumented script, from its function table.
 * @param {Uint8Array} bytes of the `.ppft` file
 * @param {string} [file] for messages
 * @returns {Symbols} throws an `Error` that names the file when it is no function table
 */
export function tableSymbols(bytes, file) {
  const { functions } = readFunctionTable(bytes, file);
  const byPlace = new Map(functions.map((each) => [`${each.line}:${each.column}`, each.origin]));
  return ({ line, column }) => {
    const origin = byPlace.get(`${line}:${column}`);
    if (!origin) return null;
    return { name: origin.name || null, file: origin.source, line: origin.line, column: origin.column };
  };
}
