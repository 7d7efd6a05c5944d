import { TABLE_VERSION } from '../../instrumenter/tables/function_table.js';
import { fnv1a } from '../../instrumenter/text/fnv1a.js';

/**
 * Reader of function tables, for use after the fact in Node. The format: docs/function-table.md.
 *
 * @typedef {import('../../instrumenter/tables/function_table.js').TableFunction} TableFunction
 */

const MAGIC = 'PPFT';
const HEADER_BYTES = 9;
const CHECKSUM_BYTES = 4;

/**
 * @param {Uint8Array} bytes
 * @param {string} [file] for error messages
 * @returns {{scriptId: number, functions: TableFunction[]}} functions by their start
 * @throws {Error} that names the file and what is wrong with it
 */
export function readFunctionTable(bytes, file = 'function table') {
  const reader = new Reader(bytes, file);
  reader.check(bytes.length >= HEADER_BYTES + CHECKSUM_BYTES, 'it is too short');
  reader.check(String.fromCharCode(...bytes.subarray(0, 4)) === MAGIC, `it does not begin with ${MAGIC}`);
  reader.check(bytes[4] === TABLE_VERSION, `its version is ${bytes[4]}, not ${TABLE_VERSION}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const checksum = view.getUint32(bytes.length - CHECKSUM_BYTES, true);
  reader.check(fnv1a(bytes.subarray(0, -CHECKSUM_BYTES)) === checksum, 'its checksum is wrong');

  const scriptId = view.getUint32(5, true);
  const names = reader.strings();
  const functions = readFunctions(reader, names);
  const sources = reader.strings();
  const originalNames = reader.strings();
  for (const fn of functions) fn.origin = readOrigin(reader, sources, originalNames);
  reader.check(reader.isAtEnd, 'there is something after its last record');
  return { scriptId, functions };
}

/** @param {Reader} reader @param {string[]} names @returns {TableFunction[]} without origins */
function readFunctions(reader, names) {
  /** @type {TableFunction[]} */
  const functions = [];
  const count = reader.varint();
  let start = [1, 1];
  for (let i = 0; i < count; i++) {
    start = reader.position(start);
    const definition = reader.position(start);
    const [endLine, endColumn] = reader.position(definition);
    const name = reader.item(names, reader.varint(), 'name');
    const flags = reader.varint();
    const [startLine, startColumn] = start;
    const [line, column] = definition;
    functions.push({ startLine, startColumn, line, column, endLine, endColumn, name, flags, origin: null });
  }
  return functions;
}

/**
 * @param {Reader} reader @param {string[]} sources @param {string[]} names
 * @returns {import('../../instrumenter/tables/function_table.js').Origin | null}
 */
function readOrigin(reader, sources, names) {
  const source = reader.varint();
  if (source === 0) return null;
  const line = reader.varint();
  const column = reader.varint();
  const name = reader.varint();
  return {
    source: reader.item(sources, source - 1, 'source'),
    line,
    column,
    name: name === 0 ? '' : reader.item(names, name - 1, 'original name'),
  };
}

/** Reads one value after the other from after the header to before the checksum. */
class Reader {
  #at = HEADER_BYTES;

  /** @param {Uint8Array} bytes @param {string} file */
  constructor(bytes, file) {
    this.bytes = bytes;
    this.file = file;
    this.end = bytes.length - CHECKSUM_BYTES;
  }

  get isAtEnd() {
    return this.#at === this.end;
  }

  /** @param {boolean} isRight @param {string} problem */
  check(isRight, problem) {
    if (!isRight)
      throw new Error(`${this.file}: not a function table of version ${TABLE_VERSION}: ${problem}`);
  }

  /** @returns {number} */
  varint() {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      this.check(this.#at < this.end, 'it ends within a number');
      this.check(shift <= 2 ** 28, 'a number in it is too big');
      const byte = this.bytes[this.#at++];
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }

  /** @param {number[]} base line and column of a position before it @returns {number[]} its own */
  position([line, column]) {
    const lines = this.varint();
    const columns = this.varint();
    return [line + lines, lines === 0 ? column + columns : columns];
  }

  /** @returns {string[]} */
  strings() {
    const count = this.varint();
    this.check(count <= this.end - this.#at, 'a list in it is longer than the file');
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return Array.from({ length: count }, () => {
      const length = this.varint();
      this.check(length <= this.end - this.#at, 'it ends within a string');
      this.#at += length;
      return decoder.decode(this.bytes.subarray(this.#at - length, this.#at));
    });
  }

  /** @param {string[]} list @param {number} index @param {string} what @returns {string} */
  item(list, index, what) {
    this.check(index < list.length, `it has no ${what} ${index}`);
    return list[index];
  }
}
