/**
 * The source map from an edited file to its input: a segment at the start of each word and each run of other characters, so that
 * debuggers and minified files find every identifier.
 *
 * Written for one case: text is inserted into a file that otherwise stays as it is. That makes it ten times as fast as a general encoder, which
 * would take longer than parsing the file.
 */

const BASE64 = Uint8Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', (c) =>
  c.charCodeAt(0),
);
const COMMA = 44;
const SEMICOLON = 59;

/** The most that one segment takes: a separator and four numbers of up to seven digits. */
const MAX_SEGMENT = 1 + 4 * 7;

/** @type {Uint8Array} 1: letters, digits, `_` and `$`; all that is not ASCII counts as letters */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w$]/.test(String.fromCharCode(code))),
);

/**
 * @param {string} input
 * @param {import('../text/edits.js').Edit[]} edits sorted; no text has a line terminator, and no removed range
 * @param {number[]} lineStarts of the input
 * @returns {string} `mappings` of a source map with the input as its only source
 */
export function encodeMappings(input, edits, lineStarts) {
  const writer = new SegmentWriter();
  let edit = 0;
  for (let line = 0; line < lineStarts.length; line++) {
    if (line > 0) writer.nextLine();
    const start = lineStarts[line];
    const end = lineStarts[line + 1] ?? input.length + 1;
    let shift = 0;
    let at = start;
    for (; edit < edits.length && edits[edit].at < end; edit++) {
      const { at: editAt, end: editEnd, text } = edits[edit];
      writer.words(input, at, editAt, start, shift, line);
      if (editEnd > editAt) writer.segment(editAt - start + shift, line, editAt - start);
      shift += text.length - (editEnd - editAt);
      at = editEnd;
    }
    writer.words(input, at, Math.min(end, input.length), start, shift, line);
  }
  return writer.finish();
}

/**
 * The map of an edited file to the sources of its input: the input's own map, moved with the text. Inserted text belongs to the segment before it.
 * @param {import('@jridgewell/trace-mapping').SourceMapSegment[][]} mappings of the input, decoded
 * @param {import('../text/edits.js').Edit[]} edits sorted; no text has a line terminator, and no removed range
 * @param {number[]} lineStarts of the input
 * @returns {import('@jridgewell/trace-mapping').SourceMapSegment[][]}
 */
export function moveMappings(mappings, edits, lineStarts) {
  let next = 0;
  return mappings.map((row, line) => {
    const start = lineStarts[line] ?? Infinity;
    while (next < edits.length && edits[next].at < start) next++;
    let shift = 0;
    let removedTo = start;
    /** @type {import('@jridgewell/trace-mapping').SourceMapSegment[]} */
    const moved = [];
    for (const segment of row) {
      const offset = start + segment[0];
      for (; next < edits.length && isBefore(edits[next], offset); next++) {
        const { at, end, text } = edits[next];
        shift += text.length - (end - at);
        removedTo = end;
      }
      if (offset < removedTo) continue;
      const copy = /** @type {typeof segment} */ ([...segment]);
      copy[0] += shift;
      moved.push(copy);
    }
    return moved;
  });
}

/** @param {import('../text/edits.js').Edit} edit @param {number} offset @returns {boolean} does what stands there come after it? */
function isBefore({ at, end }, offset) {
  return at < offset || (at === offset && end === at);
}

class SegmentWriter {
  #buffer = new Uint8Array(1 << 16);
  #length = 0;
  #isFirst = true;
  #outputColumn = 0;
  #inputLine = 0;
  #inputColumn = 0;

  /** @returns {string} */
  finish() {
    return new TextDecoder('latin1').decode(this.#buffer.subarray(0, this.#length));
  }

  nextLine() {
    this.#reserve();
    this.#buffer[this.#length++] = SEMICOLON;
    this.#isFirst = true;
    this.#outputColumn = 0;
  }

  /**
   * Segments for text that stays, from one offset to another on one line.
   * @param {string} input @param {number} from @param {number} to
   * @param {number} lineStart @param {number} shift added to columns in the output @param {number} line 0-based
   */
  words(input, from, to, lineStart, shift, line) {
    let previous = -1;
    for (let at = from; at < to; at++) {
      const code = input.charCodeAt(at);
      const isWord = code < 128 ? IS_WORD[code] : 1;
      if (isWord !== previous) this.segment(at - lineStart + shift, line, at - lineStart);
      previous = isWord;
    }
  }

  /** All 0-based. @param {number} outputColumn @param {number} line @param {number} inputColumn */
  segment(outputColumn, line, inputColumn) {
    this.#reserve();
    if (!this.#isFirst) this.#buffer[this.#length++] = COMMA;
    this.#isFirst = false;
    this.#number(outputColumn - this.#outputColumn);
    this.#number(0);
    this.#number(line - this.#inputLine);
    this.#number(inputColumn - this.#inputColumn);
    this.#outputColumn = outputColumn;
    this.#inputLine = line;
    this.#inputColumn = inputColumn;
  }

  /** Base64 VLQ. @param {number} value */
  #number(value) {
    let rest = value < 0 ? (-value << 1) | 1 : value << 1;
    while (rest > 31) {
      this.#buffer[this.#length++] = BASE64[(rest & 31) | 32];
      rest >>>= 5;
    }
    this.#buffer[this.#length++] = BASE64[rest];
  }

  #reserve() {
    if (this.#length + MAX_SEGMENT <= this.#buffer.length) return;
    const larger = new Uint8Array(this.#buffer.length * 2);
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}
