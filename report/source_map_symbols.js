import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping';

/** @import { TraceMap } from '@jridgewell/trace-mapping' */
/** @import { Symbols } from './symbolicate.js' */

/**
 * Symbols of a script that has a source map but no function table.
 *
 * Maps know names of identifiers, not of functions, and a trace has the place of the parameter list, not of the name. So the name is
 * looked for where a minifier leaves it: `function a(`, `a(` of a method, `a=(` and `a=b=>` of an assignment.
 *
 * @param {string} json text of the map
 * @param {string} [file] for messages
 * @returns {Symbols} throws an `Error` that names the file when it is no source map
 */
export function sourceMapSymbols(json, file = 'source map') {
  const map = parseMap(json, file);
  return ({ name, line, column }) => {
    const place = originalPositionFor(map, { line, column: column - 1 });
    if (place.source === null) return null;
    return {
      name: nameBefore(map, name, line, column - 1),
      file: place.source,
      line: place.line,
      column: place.column + 1,
    };
  };
}

/** @param {string} json @param {string} file @returns {TraceMap} */
function parseMap(json, file) {
  try {
    // Also takes maps with sections, which some bundlers write.
    return new FlattenMap(json);
  } catch (error) {
    throw new Error(`${file}: not a source map (${/** @type {Error} */ (error).message})`, { cause: error });
  }
}

/** @param {TraceMap} map @param {string} name @param {number} line @param {number} column 0-based @returns {string | null} */
function nameBefore(map, name, line, column) {
  const length = name.split('.').at(-1)?.length ?? 0;
  if (length === 0) return null;
  for (const gap of [0, 1]) {
    const start = column - length - gap;
    if (start < 0) break;
    const found = originalPositionFor(map, { line, column: start });
    if (found.name !== null) return found.name;
  }
  return null;
}
