import { LEAST_UPPER_BOUND, originalPositionFor, TraceMap, traceSegment } from '@jridgewell/trace-mapping';
import { LineIndex } from '../text/line_index.js';

/**
 * @typedef {import('./function_table.js').Origin} Origin
 * @typedef {Origin & {isHere: boolean, isDeclared?: boolean}} FoundOrigin `isHere`: it is of what stands there, not of something to the left, which may
 *   be of another source; `isDeclared`: the name is that of a function which begins there
 * @typedef {(offset: number) => FoundOrigin | null} OriginOf of what stands at an offset of the input file
 */

/** @param {string} file @param {LineIndex} lines of the file @returns {OriginOf} for a file that the user wrote: the file itself */
export function ownOrigins(file, lines) {
  return (offset) => ({ source: file, ...lines.positionAt(offset), name: '', isHere: true });
}

/**
 * @param {string | object} inputMap source map of the file
 * @param {LineIndex} lines of the file
 * @param {string} code of the file
 * @returns {OriginOf}
 */
export function mappedOrigins(inputMap, lines, code) {
  const map = new TraceMap(/** @type {any} */ (inputMap));
  /** By index of the source: some maps have several of one name. @type {Map<number, LineIndex>} */
  const originalLines = new Map();

  /**
   * @param {number} source its index @param {number} line 0-based @param {number} column 0-based
   * @returns {{name: string, isDeclared?: boolean}}
   */
  function nameAt(source, line, column) {
    const content = map.sourcesContent?.[source];
    if (content == null) return { name: '' };
    let index = originalLines.get(source);
    if (!index) originalLines.set(source, (index = new LineIndex(content)));
    const start = index.startOf(line + 1);
    if (start === undefined) return { name: '' };
    const at = start + column;
    FUNCTION_HEAD.lastIndex = at;
    const declared = FUNCTION_HEAD.exec(content)?.[1];
    if (declared) return { name: declared, isDeclared: true };
    const assigned = FUNCTION_START.test(content.slice(at, at + LOOK_AROUND))
      ? ASSIGNED_TO.exec(content.slice(Math.max(start, at - LOOK_AROUND), at))?.[1]
      : undefined;
    if (assigned) return { name: assigned, isDeclared: true };
    MODIFIERS.lastIndex = at;
    IDENTIFIER.lastIndex = at + (MODIFIERS.exec(content)?.[0].length ?? 0);
    const text = IDENTIFIER.exec(content)?.[0] ?? '';
    return { name: NOT_A_NAME.has(text) ? '' : text };
  }

  /**
   * Of a function that a minifier has moved into its only call, some maps have two segments: that of the call, and then that of the function.
   * @param {number} line @param {number} column @param {Origin} first
   * @returns {FoundOrigin | null} where it is from
   */
  function movedHere(line, column, first) {
    const last = originalPositionFor(map, { line, column: column - 1, bias: LEAST_UPPER_BOUND });
    if (last.source === null) return null;
    const place = { source: last.source, line: last.line, column: last.column + 1 };
    if (place.source === first.source && place.line === first.line && place.column === first.column)
      return null;
    const name = nameAt(map.resolvedSources.indexOf(last.source), last.line - 1, last.column);
    return name.isDeclared ? { ...place, ...name, isHere: true } : null;
  }

  return (offset) => {
    const { line, column } = lines.positionAt(offset);
    const segment = traceSegment(map, line - 1, column - 1);
    if (!segment || segment.length === 1) return null;
    const [generatedColumn, sourceIndex, originalLine, originalColumn, nameIndex] = segment;
    const source = map.resolvedSources[sourceIndex];
    if (source == null) return null;
    // Only a segment that begins right there is about this identifier; else it is about something to the left.
    /** @type {{name: string, isDeclared?: boolean}} */
    let name = { name: '' };
    const isHere = generatedColumn === column - 1;
    if (isHere && nameIndex !== undefined) name = { name: map.names[nameIndex] };
    else if (isHere || OPENING.test(code.slice(offset - (column - 1 - generatedColumn), offset))) {
      const found = nameAt(sourceIndex, originalLine, originalColumn);
      if (isHere || found.isDeclared) name = found;
    }
    const found = { source, line: originalLine + 1, column: originalColumn + 1, isHere, ...name };
    return (isHere && !name.isDeclared && movedHere(line, column, found)) || found;
  };
}

/**
 * Where a function is from: what its name is from, or, if that is a key which a bundler has made, the function itself.
 * @param {import('../functions/function_record.js').FunctionRecord} record
 * @param {number} base of its script
 * @param {OriginOf} originOf
 * @returns {Origin | null}
 */
export function originOfFunction({ name: { at, hint }, kind, start }, base, originOf) {
  const origin = originOf(at + base);
  if (!origin?.isHere && kind === 'function' && start !== at) {
    const begin = originOf(start + base);
    if (begin?.isHere) return { ...begin, name: (begin.isDeclared && begin.name) || (hint ?? '') };
  }
  if (!origin || hint === undefined) return origin;
  // Without anything to be called by, what stands there is a parameter or the like; unless a minifier took its name away.
  if (hint === null) return { ...origin, name: origin.isDeclared ? origin.name : '' };
  return { ...origin, name: origin.name || hint };
}

/** What minifiers put before a function that they call on the spot. */
const OPENING = /^[!(]{1,2}$/;

/** How far names are looked for: further away they are hardly on the same line. */
const LOOK_AROUND = 200;

/** What a minifier made a nameless function of: one that was declared, or one in a variable. */
const FUNCTION_HEAD =
  /(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\b\s*\*?|class\b)\s*(?!extends\b)([\p{ID_Start}$_][\p{ID_Continue}$]*)/uy;
const FUNCTION_START =
  /^(?:async\b\s*)?(?:function\b|class\b|\([^()]*\)\s*(?::[^=]*)?=>|[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>)/u;
const ASSIGNED_TO = /(?:const|let|var)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(?::[^=]*)?=\s*$/u;

/** Before a member's name, of TypeScript too; what follows tells them from a member that is called so. */
const MODIFIERS =
  /(?:(?:private|protected|public|static|override|abstract|declare|readonly|async|get|set)\s+(?=[\p{ID_Start}$_#*])(?:\*\s*)?)*/uy;
const IDENTIFIER = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NOT_A_NAME = new Set([
  'async',
  'function',
  'class',
  'get',
  'set',
  'static',
  'constructor',
  'return',
  'export',
]);
