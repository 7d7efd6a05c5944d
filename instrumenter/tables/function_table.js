import { fnv1a } from '../text/fnv1a.js';

/**
 * Writer of function tables. The format: docs/function-table.md.
 *
 * @typedef {{source: string, line: number, column: number, name: string}} Origin 1-based; `name` may be empty: not known
 * @typedef {object} TableFunction
 * @property {number} startLine of its first character; 1-based, in the instrumented file, as are the other five
 * @property {number} startColumn
 * @property {number} line of its definition
 * @property {number} column
 * @property {number} endLine
 * @property {number} endColumn exclusive
 * @property {string} name
 * @property {number} flags of FunctionFlag
 * @property {Origin | null} origin
 */

export const FunctionFlag = Object.freeze({
  PROBED: 1,
  DELEGATES: 2,
  RUNTIME_NAME: 4,
  TOP_LEVEL: 8,
  CLASS_INITIALIZER: 16,
  ASYNC: 32,
  QUIET: 64,
});

export const TABLE_VERSION = 2;

/**
 * @param {{scriptId: number, functions: TableFunction[]}} table functions in any order; of two that start at one place the
 *   surrounding one first
 * @returns {Uint8Array}
 */
export function writeFunctionTable({ scriptId, functions }) {
  const sorted = [...functions].sort((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn);
  const names = new Numbering();
  const sources = new Numbering();
  const originalNames = new Numbering();

  const records = new ByteWriter();
  let before = [1, 1];
  for (const fn of sorted) {
    const start = [fn.startLine, fn.startColumn];
    const definition = [fn.line, fn.column];
    records.position(start, before);
    records.position(definition, start);
    records.position([fn.endLine, fn.endColumn], definition);
    records.varint(names.of(fn.name));
    records.varint(fn.flags);
    before = start;
  }

  const origins = new ByteWriter();
  for (const { origin } of sorted) {
    if (!origin) {
      origins.varint(0);
      continue;
    }
    origins.varint(sources.of(origin.source) + 1);
    origins.varint(origin.line);
    origins.varint(origin.column);
    origins.varint(origin.name ? originalNames.of(origin.name) + 1 : 0);
  }

  const file = new ByteWriter();
  file.bytes([...'PPFT'].map((letter) => letter.charCodeAt(0)));
  file.bytes([TABLE_VERSION]);
  file.u32(scriptId);
  file.strings(names.all);
  file.varint(sorted.length);
  file.bytes(records.written);
  file.strings(sources.all);
  file.strings(originalNames.all);
  file.bytes(origins.written);
  file.u32(fnv1a(file.written));
  return file.written;
}

/** Numbers different strings from 0, in the order of their first use. */
class Numbering {
  /** @type {Map<string, number>} */
  #numbers = new Map();

  /** @param {string} text @returns {number} */
  of(text) {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  get all() {
    return [...this.#numbers.keys()];
  }
}

class ByteWriter {
  #buffer = new Uint8Array(1024);
  #length = 0;

  get written() {
    return this.#buffer.slice(0, this.#length);
  }

  /** @param {ArrayLike<number>} bytes */
  bytes(bytes) {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(needed * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }

  /** @param {number} value unsigned, below 2^32 */
  u32(value) {
    this.bytes([value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24]);
  }

  /** @param {number} value unsigned LEB128, below 2^31 */
  varint(value) {
    if (!(value >= 0))
      throw new RangeError(`function table: ${value} cannot be written as an unsigned number`);
    while (value > 127) {
      this.bytes([(value & 127) | 128]);
      value >>>= 7;
    }
    this.bytes([value]);
  }

  /** @param {number[]} position line and column @param {number[]} base of one before it */
  position([line, column], [baseLine, baseColumn]) {
    this.varint(line - baseLine);
    this.varint(line === baseLine ? column - baseColumn : column);
  }

  /** @param {string[]} strings */
  strings(strings) {
    this.varint(strings.length);
    const encoder = new TextEncoder();
    for (const string of strings) {
      const bytes = encoder.encode(string);
      this.varint(bytes.length);
      this.bytes(bytes);
    }
  }
}
