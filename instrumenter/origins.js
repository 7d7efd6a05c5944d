import { TraceMap, sourceContentFor, traceSegment } from '@jridgewell/trace-mapping';
import { LineIndex } from './line_index.js';

/**
 * @typedef {import('./function_table.js').Origin} Origin
 * @typedef {(offset: number) => Origin | null} OriginOf of what stands at an offset of the input file
 */

/** @param {string} file @param {LineIndex} lines of the file @returns {OriginOf} for a file that the user wrote: the file itself */
export function ownOrigins(file, lines) {
  return (offset) => ({ source: file, ...lines.positionAt(offset), name: '' });
}

/**
 * @param {string | object} inputMap source map of the file
 * @param {LineIndex} lines of the file
 * @returns {OriginOf}
 */
export function mappedOrigins(inputMap, lines) {
  const map = new TraceMap(/** @type {any} */ (inputMap));
  /** @type {Map<string, LineIndex>} */
  const originalLines = new Map();

  /** @param {string} source @param {number} line 0-based @param {number} column 0-based */
  function identifierAt(source, line, column) {
    const content = sourceContentFor(map, source);
    if (content == null) return '';
    let index = originalLines.get(source);
    if (!index) originalLines.set(source, (index = new LineIndex(content)));
    const start = index.startOf(line + 1);
    if (start === undefined) return '';
    MODIFIERS.lastIndex = start + column;
    IDENTIFIER.lastIndex = start + column + (MODIFIERS.exec(content)?.[0].length ?? 0);
    const text = IDENTIFIER.exec(content)?.[0] ?? '';
    return NOT_A_NAME.has(text) ? '' : text;
  }

  return (offset) => {
    const { line, column } = lines.positionAt(offset);
    const segment = traceSegment(map, line - 1, column - 1);
    if (!segment || segment.length === 1) return null;
    const [generatedColumn, sourceIndex, originalLine, originalColumn, nameIndex] = segment;
    const source = map.resolvedSources[sourceIndex];
    if (source == null) return null;
    // Only a segment that begins right there is about this identifier; else it is about something to the left.
    let name = '';
    if (generatedColumn === column - 1) {
      if (nameIndex !== undefined) name = map.names[nameIndex];
      else name = identifierAt(String(map.sources[sourceIndex] ?? ''), originalLine, originalColumn);
    }
    return { source, line: originalLine + 1, column: originalColumn + 1, name };
  };
}

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
