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
 * looked for where a minifier leaves it: `function a(`, `a(` of a method, `a=(`, `a=b=>` and `a=function(` of an assignment.
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

/** Of a segment. */
const [SOURCES_INDEX, SOURCE_LINE, SOURCE_COLUMN, NAMES_INDEX] = /** @type {const} */ ([1, 2, 3, 4]);

/** @typedef {NonNullable<ReturnType<typeof traceSegment>>} Segment */

/** Between a name with its `=` and the parameters. */
const FUNCTIONS = ['function', 'function*', 'async function', 'async function*'];

/** @param {TraceMap} map @param {string} name @param {number} line @param {number} column 0-based @returns {string | null} */
function nameBefore(map, name, line, column) {
  const length = name.split('.').at(-1)?.length ?? 0;
  if (length === 0) return null;
  for (const gap of [0, 1]) {
    const named = segmentAt(map, line, column - length - gap);
    if (named?.length === 5) return map.names[named[NAMES_INDEX]];
  }
  for (const { length: keywords } of FUNCTIONS) {
    const start = column - keywords;
    const named = segmentAt(map, line, start - 1 - length);
    if (named?.length !== 5) continue;
    const original = map.names[named[NAMES_INDEX]];
    if (isAssigned(original, named, segmentAt(map, line, start))) return original;
  }
  return null;
}

/** One that begins before is about something else. @param {TraceMap} map @param {number} line @param {number} column 0-based */
function segmentAt(map, line, column) {
  if (column < 0) return null;
  const segment = traceSegment(map, line - 1, column);
  return segment?.[0] === column ? segment : null;
}

/**
 * Whether a function follows its name in the source, too: of `a.b = function` some minifiers say that `b` is called `a`.
 * @param {string} name @param {Segment} named where the name begins @param {Segment | null} value where the function begins
 */
function isAssigned(name, named, value) {
  if (!value || named.length === 1 || value.length === 1) return false;
  const isOneLine =
    named[SOURCES_INDEX] === value[SOURCES_INDEX] && named[SOURCE_LINE] === value[SOURCE_LINE];
  const between = value[SOURCE_COLUMN] - named[SOURCE_COLUMN] - name.length;
  return isOneLine && between >= '='.length && between <= ' = '.length;
}
