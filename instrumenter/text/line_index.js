/** Every ECMAScript line terminator counts: engines count the rare ones too, also inside string literals. */
const LINE_TERMINATOR = /\r\n?|[\n\u2028\u2029]/g;

/** Where the lines of a text start. Offsets are 0-based UTF-16 code units, lines and columns 1-based. */
export class LineIndex {
  /** @param {string} text */
  constructor(text) {
    this.starts = [0];
    for (const match of text.matchAll(LINE_TERMINATOR)) this.starts.push(match.index + match[0].length);
  }

  /** @param {number} offset @returns {number} the 1-based line that holds it */
  lineAt(offset) {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** @param {number} line 1-based @returns {number} offset of its first character */
  startOf(line) {
    return this.starts[line - 1];
  }

  /** @param {number} offset @returns {{line: number, column: number}} */
  positionAt(offset) {
    const line = this.lineAt(offset);
    return { line, column: offset - this.startOf(line) + 1 };
  }
}
