import { posix } from 'node:path';
import { originalPositionFor, traceSegment, TraceMap } from '@jridgewell/trace-mapping';
import { decodedMap } from '../../instrumenter/maps/decoded_map.js';

/** @import { Symbols } from './symbolicate.js' */

/** Addresses, and modules that are no file: `\0name` or `virtual:name`. */
const WHOLE = /^[\0/]|^[\w+.-]+:/;

/**
 * Symbols of a script that has a source map but no function table.
 *
 * Maps know names of identifiers, not of functions, and a trace has the place of the parameter list, not of the name. So the name is
 * looked for where a minifier leaves it: `function a(`, `a(` of a method, `a=(` and `a=b=>` of an assignment.
 *
 * @param {string | object} source map or its text
 * @param {string} [file] for messages
 * @param {string} [path] of the map, `assets/app.js.map`: where the way to its sources begins
 * @returns {Symbols} throws an `Error` that names the file when it is no source map
 */
export function sourceMapSymbols(source, file = 'source map', path = '') {
  const map = traceMapOf(source, file);
  const folder = posix.dirname(path);
  return ({ name, line, column }) => {
    const place = originalPositionFor(map, { line, column: column - 1 });
    if (!place.source) return null;
    return {
      name: nameBefore(map, name, line, column - 1),
      file: WHOLE.test(place.source) ? place.source : posix.join(folder, place.source),
      line: place.line,
      column: place.column + 1,
    };
  };
}

/** @param {string | object} source @param {string} file @returns {TraceMap} */
function traceMapOf(source, file) {
  try {
    return new TraceMap(decodedMap(source));
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
    const segment = traceSegment(map, line - 1, start);
    // One that begins before is about something else.
    if (segment?.length === 5 && segment[0] === start) return map.names[segment[4]];
  }
  return null;
}
