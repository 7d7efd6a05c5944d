const FRAME_LINES = 2;
const FRAME_WIDTH = 100;

/** A script that cannot be parsed: `message` says why, `file`, `line` and `column` (1-based) where, `frame` shows it. */
export class SourceError extends Error {
  /** The thread that worked on it is gone. */
  endsThread = false;
  /** The thread that worked on it has too small a stack. */
  isTooDeep = false;

  /**
   * @param {string} message
   * @param {{file: string, line: number, column: number, code: string}} place `code`: the whole file
   */
  constructor(message, { file, line, column, code }) {
    super(message);
    this.name = 'SourceError';
    this.file = file;
    this.line = line;
    this.column = column;
    this.frame = codeFrame(code.split(/\r\n?|[\n\u2028\u2029]/), line, column);
  }
}

/**
 * The lines around a place, with a caret under it. Of long lines (minified code) only the part around the column is shown.
 * @param {string[]} lines @param {number} line @param {number} column
 */
function codeFrame(lines, line, column) {
  const from = Math.max(1, line - FRAME_LINES);
  const to = Math.min(lines.length, line + FRAME_LINES);
  const left = Math.max(0, column - 1 - FRAME_WIDTH / 2);
  const gutter = String(to).length;
  const shown = [];
  for (let n = from; n <= to; n++) {
    const text = lines[n - 1].slice(left, left + FRAME_WIDTH).replaceAll('\t', ' ');
    shown.push(`${n === line ? '>' : ' '} ${String(n).padStart(gutter)} | ${text}`);
    if (n === line) shown.push(`  ${' '.repeat(gutter)} | ${' '.repeat(column - 1 - left)}^`);
  }
  return shown.join('\n');
}
