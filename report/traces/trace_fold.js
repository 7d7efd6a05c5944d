import { readFileSync } from 'node:fs';

const FILE = new URL('../../dist/polyprof-fold.wasm', import.meta.url);

/** As declared to the linker in wasm/CMakeLists.txt: 1 MiB, and at most 2 GiB. */
const PAGES = { initial: 16, maximum: 32768 };

/** `TraceFold::kNone`: no row. */
const NONE = 2 ** 32 - 1;

/** Where lines and columns end: with 1 added it is a cell, and no mark of `Frame`. */
const MAX_POSITION = 2 ** 32 - 3;

/** `Status::kOutOfMemory` */
const OUT_OF_MEMORY = 1;

/** @import { Location } from './location.js' */
/** @typedef {Record<string, (...args: number[]) => number>} Exports */

/** @type {WebAssembly.Module | undefined} */
let module;

/**
 * @typedef {object} Rows a trace: what refers to each other does so by number, -1: to none
 * @property {Location[]} frames
 * @property {Int32Array} parents by stack
 * @property {Int32Array} frameOfStack by stack
 * @property {Int32Array} samples by sample: its stack
 * @property {ArrayLike<number>} ms by sample
 *
 * @typedef {object} Folded
 * @property {Location[]} frames
 * @property {Int32Array} parents by path: its caller's, or -1. A parent comes before its children
 * @property {Int32Array} frameOfPath by path
 * @property {Float64Array} shares by path, two numbers each: ms and samples
 * @property {{ms: number, samples: number}} idle
 */

/**
 * Any number of traces as one, in the core: runtime/trace_fold.h.
 */
export class TraceFold {
  #memory = new WebAssembly.Memory({ ...PAGES, shared: true });
  /** @type {Exports} */
  #exports;
  #fold;
  #decoder = new TextDecoder();

  constructor() {
    module ??= new WebAssembly.Module(readFileSync(FILE));
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.#exports = /** @type {Exports} */ (/** @type {unknown} */ (exports));
    this.#fold = this.#exports.polyprof_fold_create();
  }

  /** @param {Rows} rows @throws {Error} there is no memory for it; nothing of it was added */
  add({ frames, parents, frameOfStack, samples, ms }) {
    const texts = new Texts();
    const frameRows = Uint32Array.from(
      frames.flatMap(({ name, file, line, column }) => [
        texts.row(name),
        file === '' ? NONE : texts.row(file),
        cellOf(line),
        cellOf(column),
      ]),
    );
    const stackRows = new Int32Array(2 * parents.length);
    for (let i = 0; i < parents.length; i++) {
      stackRows[2 * i] = parents[i];
      stackRows[2 * i + 1] = frameOfStack[i];
    }
    const ends = Uint32Array.from(texts.ends);
    // The widest first, so that all are aligned.
    const columns = [Float64Array.from(ms), frameRows, stackRows, samples, ends, texts.bytes];
    this.#with(columns, ([msAt, framesAt, stacksAt, samplesAt, endsAt, textsAt]) => {
      const status = this.#exports.polyprof_fold_add(
        ...[this.#fold, textsAt, endsAt, ends.length, framesAt, frames.length],
        ...[stacksAt, parents.length, samplesAt, msAt, samples.length],
      );
      if (status !== 0) throw failure(status);
    });
  }

  /** @param {(Float64Array | Uint32Array | Int32Array | Uint8Array)[]} columns @param {(addresses: number[]) => void} call while they are in the memory */
  #with(columns, call) {
    const bytes = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const address = this.#exports.polyprof_fold_allocate(Math.max(bytes, 1)) >>> 0;
    if (address === 0) throw failure(OUT_OF_MEMORY);
    try {
      const memory = new Uint8Array(this.#memory.buffer);
      let end = address;
      const addresses = columns.map(({ buffer, byteOffset, byteLength }) => {
        memory.set(new Uint8Array(buffer, byteOffset, byteLength), end);
        end += byteLength;
        return end - byteLength;
      });
      call(addresses);
    } finally {
      this.#exports.polyprof_fold_release(address);
    }
  }

  /** @returns {Folded} what was added so far */
  result() {
    const exports = this.#exports;
    const fold = this.#fold;
    const count = exports.polyprof_fold_paths(fold);
    const parents = new Int32Array(count);
    const frameOfPath = new Int32Array(count);
    for (let path = 0; path < count; path++) {
      parents[path] = exports.polyprof_fold_parent(fold, path);
      frameOfPath[path] = exports.polyprof_fold_frame_of(fold, path);
    }
    const { buffer } = this.#memory;
    const shares = new Float64Array(buffer, exports.polyprof_fold_shares(fold) >>> 0, 2 * count).slice();
    const idle = {
      ms: exports.polyprof_fold_idle_ms(fold),
      samples: exports.polyprof_fold_idle_samples(fold),
    };
    const frames = Array.from({ length: exports.polyprof_fold_frames(fold) }, (_, i) => this.#frame(i));
    return { frames, parents, frameOfPath, shares, idle };
  }

  /** @param {number} frame @returns {Location} */
  #frame(frame) {
    const address = this.#exports.polyprof_fold_frame(this.#fold, frame) >>> 0;
    const [name, file, line, column] = new Uint32Array(this.#memory.buffer, address, 4);
    return {
      name: this.#text(name),
      file: file === NONE ? '' : this.#text(file),
      line: positionOf(line),
      column: positionOf(column),
    };
  }

  /** @param {number} text @returns {string} */
  #text(text) {
    const address = this.#exports.polyprof_fold_text(this.#fold, text) >>> 0;
    const bytes = this.#exports.polyprof_fold_text_bytes(this.#fold, text);
    return this.#decoder.decode(new Uint8Array(this.#memory.buffer, address, bytes).slice());
  }
}

/** @param {number} status @returns {Error} */
function failure(status) {
  return new Error(
    status === OUT_OF_MEMORY
      ? 'the traces have too many different call paths and names to merge them all'
      : `the core does not take the trace: status ${status}`,
  );
}

/** Each text once, in UTF-8. */
class Texts {
  /** @type {Map<string, number>} */
  #rows = new Map();
  #encoder = new TextEncoder();
  #buffer = new Uint8Array(4096);
  #size = 0;
  /** @type {number[]} by text: where it ends in `bytes` */
  ends = [];

  get bytes() {
    return this.#buffer.subarray(0, this.#size);
  }

  /** @param {string} text @returns {number} */
  row(text) {
    const known = this.#rows.get(text);
    if (known !== undefined) return known;
    const most = this.#size + 3 * text.length;
    if (most > this.#buffer.length) {
      const larger = new Uint8Array(2 * most);
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#size += this.#encoder.encodeInto(text, this.#buffer.subarray(this.#size)).written;
    this.#rows.set(text, this.ends.length);
    return this.ends.push(this.#size) - 1;
  }
}

/** @param {number | undefined} position @returns {number} as in `TraceFold::FrameRow` */
function cellOf(position) {
  return position === undefined ? 0 : Math.min(position, MAX_POSITION) + 1;
}

/** @param {number} cell @returns {number | undefined} */
function positionOf(cell) {
  return cell === 0 ? undefined : cell - 1;
}
