import { CoreError, instantiate } from './boundary.js';
import { CoreLock } from './core_lock.js';
import { CoreSeat } from './core_seat.js';
import { OUT_OF_MEMORY } from './status.js';

export { ABI_VERSION, CoreError, createMemory, SHADOW } from './boundary.js';
export { ProbePoint } from './probe_point.js';
export { Status } from './status.js';

/**
 * The one JS module that touches the core's memory: loads the WebAssembly core and wraps its raw exports.
 *
 * Views of the memory are made anew for each access, since any call may grow it and leave older views too short. Text goes in
 * through a private buffer: `TextEncoder.encodeInto` and `TextDecoder.decode` refuse shared memory in V8 and SpiderMonkey.
 */

/** Bytes of stack for each further instance over the same memory; the first one uses the linker's. */
const STACK_BYTES = 65536;

/**
 * @typedef {[epochMs: number, jitter?: boolean, doublesAsync?: boolean, marksUnknown?: boolean, hidesQuiet?: boolean, hasStarts?: boolean]} CoreOptions time of tick 0, ms since
 *   the page's time origin; keep samples out of step with what the page does periodically (runtime/jitter.h); stacks are JavaScriptCore's, scripts that are
 *   not instrumented have a frame, quiet functions are as those without probes, frames have where their functions start (all four: runtime/stack_mapper.h)
 */

/** Of `polyprof_core_create`: the specification has markers in pages that are cross-origin isolated. */
const MARKERS = globalThis.crossOriginIsolated;

export class Core extends CoreSeat {
  #memory;
  #encoder = new TextEncoder();
  /** Address of the further instance’s stack; 0: there is none. */
  #seat = 0;
  #pieces;

  /**
   * @param {import('./boundary.js').Exports} exports
   * @param {WebAssembly.Memory} memory
   * @param {Uint8Array<ArrayBuffer>[]} pieces where the module puts those of a trace, or of an address
   */
  constructor(exports, memory, pieces) {
    super(exports, 0, new CoreLock(memory, false));
    this.#memory = memory;
    this.#pieces = pieces;
  }

  /**
   * The first instance over a memory: makes the core.
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Memory} memory
   * @param {CoreOptions} options
   */
  static async create(module, memory, ...options) {
    const core = await coreOver(module, memory);
    core._pointer = core._alone(() => core._exports.polyprof_core_create(MARKERS, ...options));
    if (!core._pointer) throw new CoreError('create', OUT_OF_MEMORY);
    return core;
  }

  /** Frees what the core holds. No other thread may be attached any more, and this is not used again. */
  destroy() {
    this._alone(() => {
      this._exports.polyprof_core_destroy(this._pointer);
      if (this.#seat !== 0) this._exports.polyprof_release(this.#seat);
    });
  }

  /** What another thread needs to `attach`. Its stack lives as long as the memory. */
  seat() {
    const stack = this._alone(() => this.#allocate(STACK_BYTES));
    this.#seat = stack;
    return { pointer: this._pointer, stackTop: (stack + STACK_BYTES) & ~15 };
  }

  /** @param {number} intervalMs @param {number} maxSamples uint32 @param {number} nowMs @returns {number} session id */
  openSession(intervalMs, maxSamples, nowMs) {
    return checked(
      'open',
      this._alone(() => this._exports.polyprof_session_open(this._pointer, intervalMs, maxSamples, nowMs)),
    );
  }

  /** Takes ticks up to now, also when they are recorded later, and none after. @param {number} session @param {number} nowMs */
  closeSession(session, nowMs) {
    checked(
      'close',
      this._alone(() => -this._exports.polyprof_session_close(this._pointer, session, nowMs)),
    );
  }

  /** All open sessions take a sample of that stack now. @param {number} nowMs @param {number} stack @returns {number} how many became full */
  forceSample(nowMs, stack) {
    return this._alone(() => this._exports.polyprof_force_sample(this._pointer, nowMs, stack));
  }

  /** Frees the session's samples. @param {number} session */
  releaseSession(session) {
    checked(
      'release',
      this._alone(() => -this._exports.polyprof_session_release(this._pointer, session)),
    );
  }

  /** @param {number} session */
  isFull(session) {
    return this._exports.polyprof_session_is_full(this._pointer, session) !== 0;
  }

  /** @param {number} tick @returns {number} soonest tick at which a session would be full; `NEVER`: not at all */
  fillsAtTick(tick) {
    return this._exports.polyprof_fills_at_tick(this._pointer, tick);
  }

  /**
   * @param {string} stackText whose top frame is in the script
   * @param {number} scriptId u32, of its prelude
   * @param {number} [firstFunctionId] of its shadow probes; 0: it has none
   * @returns {number} its row in the core's table of scripts
   */
  registerScript(stackText, scriptId, firstFunctionId = 0) {
    return checked(
      'register',
      this.#withText(stackText, (data, bytes) =>
        this._exports.polyprof_script_register(this._pointer, data, bytes, scriptId, firstFunctionId),
      ),
    );
  }

  /** @param {number} row of the script @returns {string} its address */
  scriptUrl(row) {
    return new TextDecoder().decode(this.#taken(() => this._exports.polyprof_script_url(this._pointer, row)));
  }

  /** @param {number} row of the script @param {Uint8Array} bytes of the function table @returns {number} a `Status` */
  loadTable(row, bytes) {
    return this.#withBytes(bytes, (data) =>
      this._exports.polyprof_table_load(this._pointer, row, data, bytes.length),
    );
  }

  /** The script's table is not to be had. Waits for nobody. @param {number} row of it */
  failTable(row) {
    this._exports.polyprof_table_load(this._pointer, row, 0, 0);
  }

  /**
   * @param {string} text of `Error.stack`
   * @param {number} point one of `ProbePoint`
   * @param {number} skip leading frames that are the hook's own
   * @returns {number} stack id + 1; 0: nothing ran (idle); negative: minus a `Status`, e.g. `PENDING_TABLE`
   */
  stackOfText(text, point, skip) {
    return this.#withText(text, (data, bytes) =>
      this._exports.polyprof_stack_of_text(this._pointer, data, bytes, point, skip),
    );
  }

  /** @param {number} session @returns {Uint8Array} the ProfilerTrace as JSON in UTF-8, a copy */
  encodeTrace(session) {
    return this.#taken(() =>
      checked(
        'encode',
        this._alone(() => -this._exports.polyprof_trace_encode(this._pointer, session)),
      ),
    );
  }

  /** @param {() => void} call @returns {Uint8Array} what the module hands over during it, a copy */
  #taken(call) {
    const pieces = this.#pieces;
    try {
      call();
      const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
      let end = 0;
      for (const piece of pieces) {
        bytes.set(piece, end);
        end += piece.length;
      }
      return bytes;
    } finally {
      pieces.length = 0;
    }
  }

  /** @returns {Record<string, number>} what was lost so far, by reason */
  counters() {
    const start = this._exports.polyprof_counters(this._pointer) >> 2;
    const cells = new Uint32Array(this.#memory.buffer);
    return Object.fromEntries(COUNTER_NAMES.map((name, i) => [name, cells[start + i]]));
  }

  /** @param {number} bytes @returns {number} address */
  #allocate(bytes) {
    const address = this._exports.polyprof_allocate(bytes);
    if (!address) throw new CoreError('allocate', OUT_OF_MEMORY);
    return address;
  }

  /** @param {string} text @param {(data: number, bytes: number) => number} call */
  #withText(text, call) {
    const bytes = this.#encoder.encode(text);
    return this.#withBytes(bytes, (data) => call(data, bytes.length));
  }

  /** @param {Uint8Array} bytes @param {(data: number) => number} call */
  #withBytes(bytes, call) {
    return this._alone(() => {
      const data = this.#allocate(Math.max(bytes.length, 1));
      new Uint8Array(this.#memory.buffer, data, bytes.length).set(bytes);
      try {
        return call(data);
      } finally {
        this._exports.polyprof_release(data);
      }
    });
  }
}

/** Fields of `Counters` in runtime/counters.h, in its order; kept in step by a test. @type {readonly string[]} */
export const COUNTER_NAMES = [
  'filledTicks',
  'truncatedStacks',
  'unparsedFrames',
  'rejectedSamples',
  'badTables',
  'mismatchedTables',
  'missingTables',
  'fallbackFrames',
  'lostToMemory',
  'tornStacks',
  'garbledStacks',
];

/**
 * A further instance over the same memory that does all that the first one does; its lock never waits.
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} memory
 * @param {{pointer: number, stackTop: number}} seat from `seat()` of the first
 */
export async function attachCore(module, memory, { pointer, stackTop }) {
  const core = await coreOver(module, memory);
  /** @type {any} */ (core._exports.__stack_pointer).value = stackTop;
  core._pointer = pointer;
  return core;
}

/** @param {WebAssembly.Module} module @param {WebAssembly.Memory} memory */
async function coreOver(module, memory) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  const exports = await instantiate(module, memory, (data, bytes) =>
    pieces.push(new Uint8Array(memory.buffer, data, bytes).slice()),
  );
  return new Core(exports, memory, pieces);
}

/** @param {string} what @param {number} result negative: minus a `Status` @returns {number} */
function checked(what, result) {
  if (result < 0) throw new CoreError(what, -result);
  return result;
}
