/**
 * The one JS module that touches the core's memory: loads the WebAssembly core and wraps its raw exports.
 *
 * Views of the memory are made anew for each access, since any call may grow it and leave older views too short. Text goes in
 * through a private buffer: `TextEncoder.encodeInto` and `TextDecoder.decode` refuse shared memory in V8 and SpiderMonkey.
 */

/** What `polyprof_abi_version()` must answer: raised with every change of an export's meaning. */
export const ABI_VERSION = 2;

/** As declared to the linker in CMakeLists.txt; a memory must not have a larger maximum than the module declares. */
const PAGES = { initial: 16, maximum: 2048 };

/**
 * Where the prelude of a script with shadow probes puts its stack of function ids, in a memory that it makes (docs/hook.md): bytes from
 * the beginning, and 32-bit cells. The linker leaves the place free.
 */
export const SHADOW = Object.freeze({ offset: 1024, cells: 32768 });

/** Bytes of stack for each further instance over the same memory; the first one uses the linker's. */
const STACK_BYTES = 65536;

/** Values of `Status` in runtime/status.h, by name; kept in step by a test. */
export const Status = Object.freeze({
  OK: 0,
  OUT_OF_MEMORY: 1,
  INVALID_ARGUMENT: 2,
  TOO_MANY_SESSIONS: 3,
  UNKNOWN_SESSION: 4,
  UNKNOWN_SCRIPT: 5,
  PENDING_TABLE: 6,
  BAD_TABLE: 7,
  TABLE_MISMATCH: 8,
});

/** Values of `ProbePoint` in runtime/stack_mapper.h. */
export const ProbePoint = Object.freeze({ ENTER: 0, LEAVE: 1, RESUME: 2 });

/** @typedef {{instance: WebAssembly.Instance, memory: WebAssembly.Memory}} Loaded */
/** @typedef {Record<string, (...args: number[]) => number>} Exports */

/** A core call that failed; `status` is one of `Status`. */
export class CoreError extends Error {
  /** @param {string} what @param {number} status */
  constructor(what, status) {
    super(`polyprof core: ${what} failed with status ${status}`);
    this.status = status;
  }
}

/** @returns {WebAssembly.Memory} shared memory that fits the core */
export function createMemory() {
  return new WebAssembly.Memory({ ...PAGES, shared: true });
}

export class Core {
  #exports;
  #memory;
  #pointer;
  #encoder = new TextEncoder();
  /** Address of the further instance’s stack; 0: there is none. */
  #seat = 0;

  /** @param {Exports} exports @param {WebAssembly.Memory} memory @param {number} pointer of the `polyprof::Core` */
  constructor(exports, memory, pointer) {
    this.#exports = exports;
    this.#memory = memory;
    this.#pointer = pointer;
  }

  /**
   * The first instance over a memory: makes the core.
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Memory} memory
   * @param {number} epochMs time of tick 0, ms since the page's time origin
   */
  static async create(module, memory, epochMs) {
    const exports = await instantiate(module, memory);
    const pointer = exports.polyprof_core_create(epochMs);
    if (pointer === 0) throw new CoreError('polyprof_core_create', Status.OUT_OF_MEMORY);
    return new Core(exports, memory, pointer);
  }

  /**
   * A further instance over the same memory, with a stack of its own.
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Memory} memory
   * @param {{pointer: number, stackTop: number}} seat from `seat()` of the first
   */
  static async attach(module, memory, { pointer, stackTop }) {
    const exports = await instantiate(module, memory);
    /** @type {any} */ (exports.__stack_pointer).value = stackTop;
    return new Core(exports, memory, pointer);
  }

  /** Frees what the core holds. No other thread may be attached any more, and this is not used again. */
  destroy() {
    this.#exports.polyprof_core_destroy(this.#pointer);
    if (this.#seat !== 0) this.#exports.polyprof_release(this.#seat);
  }

  /** What another thread needs to `attach`. Its stack lives as long as the memory. */
  seat() {
    const stack = this.#allocate(STACK_BYTES);
    this.#seat = stack;
    return { pointer: this.#pointer, stackTop: (stack + STACK_BYTES) & ~15 };
  }

  /** @param {number} intervalMs @param {number} maxSamples uint32 @param {number} nowMs @returns {number} session id */
  openSession(intervalMs, maxSamples, nowMs) {
    return checked(
      'polyprof_session_open',
      this.#exports.polyprof_session_open(this.#pointer, intervalMs, maxSamples, nowMs),
    );
  }

  /** @param {number} session @returns {number} the interval really used, ms */
  intervalMs(session) {
    return this.#exports.polyprof_session_interval_ms(this.#pointer, session);
  }

  /** Takes ticks up to now, also when they are recorded later, and none after. @param {number} session @param {number} nowMs */
  closeSession(session, nowMs) {
    checked('polyprof_session_close', -this.#exports.polyprof_session_close(this.#pointer, session, nowMs));
  }

  /** Frees the session's samples. @param {number} session */
  releaseSession(session) {
    checked('polyprof_session_release', -this.#exports.polyprof_session_release(this.#pointer, session));
  }

  /** @param {number} session */
  isFull(session) {
    return this.#exports.polyprof_session_is_full(this.#pointer, session) !== 0;
  }

  /** @returns {number} greatest common divisor of the open sessions' intervals in ticks; 0 without sessions */
  commonIntervalTicks() {
    return this.#exports.polyprof_common_interval_ticks(this.#pointer);
  }

  /** @param {number} nowMs @returns {number} the latest tick due at or before now */
  tickAt(nowMs) {
    return this.#exports.polyprof_tick_at(this.#pointer, nowMs);
  }

  /** @param {number} nowMs */
  msUntilNextTick(nowMs) {
    return this.#exports.polyprof_ms_until_next_tick(this.#pointer, nowMs);
  }

  /** @param {number} tick @returns {number} soonest tick at which a session would be full; 2147483647: never */
  fillsAtTick(tick) {
    return this.#exports.polyprof_fills_at_tick(this.#pointer, tick);
  }

  /**
   * @param {string} stackText whose top frame is in the script
   * @param {number} key u32
   * @param {number} [firstFunctionId] of its shadow probes; 0: it has none
   * @returns {number} script id
   */
  registerScript(stackText, key, firstFunctionId = 0) {
    return checked(
      'polyprof_script_register',
      this.#withText(stackText, (data, bytes) =>
        this.#exports.polyprof_script_register(this.#pointer, data, bytes, key, firstFunctionId),
      ),
    );
  }

  /** @param {number} script @returns {string} its address */
  scriptUrl(script) {
    const data = this.#exports.polyprof_script_url(this.#pointer, script);
    return this.#text(data, this.#exports.polyprof_script_url_bytes(this.#pointer, script));
  }

  /** @param {number} script @param {Uint8Array} bytes of the function table @returns {number} a `Status` */
  loadTable(script, bytes) {
    return this.#withBytes(bytes, (data) =>
      this.#exports.polyprof_table_load(this.#pointer, script, data, bytes.length),
    );
  }

  /** The script's table is not to be had. @param {number} script */
  failTable(script) {
    this.#exports.polyprof_table_fail(this.#pointer, script);
  }

  /**
   * @param {string} text of `Error.stack`
   * @param {number} point one of `ProbePoint`
   * @param {number} skip leading frames that are the hook's own
   * @returns {number} stack id + 1; 0: nothing ran (idle); negative: minus a `Status`, e.g. `PENDING_TABLE`
   */
  stackOfText(text, point, skip) {
    return this.#withText(text, (data, bytes) =>
      this.#exports.polyprof_stack_of_text(this.#pointer, data, bytes, point, skip),
    );
  }

  /** @returns {number} what the memory's shadow stack says is running now; as `stackOfText` */
  stackOfShadow() {
    return this.#exports.polyprof_stack_of_shadow(this.#pointer, SHADOW.offset, SHADOW.cells);
  }

  /**
   * Gives each open session its due ticks in (after, last].
   * @param {number} after @param {number} last @param {number} stack as from `stackOfText`
   * @returns {number} how many sessions became full
   */
  record(after, last, stack) {
    return this.#exports.polyprof_record(this.#pointer, after, last, stack);
  }

  /** @param {number} session @returns {Uint8Array} the ProfilerTrace as JSON in UTF-8, a copy */
  encodeTrace(session) {
    // The export has one way to say that there is no trace.
    if (this.intervalMs(session) === 0) throw new CoreError('polyprof_trace_encode', Status.UNKNOWN_SESSION);
    const result = this.#exports.polyprof_trace_encode(this.#pointer, session);
    if (result === 0) throw new CoreError('polyprof_trace_encode', Status.OUT_OF_MEMORY);
    const [data, bytes] = new Uint32Array(this.#memory.buffer, result, 2);
    const copy = this.#bytes(data, bytes).slice();
    this.#exports.polyprof_trace_release(result);
    return copy;
  }

  /** @returns {Record<string, number>} what was lost so far, by reason */
  counters() {
    const start = this.#exports.polyprof_counters(this.#pointer) >> 2;
    const cells = new Uint32Array(this.#memory.buffer);
    return Object.fromEntries(COUNTER_NAMES.map((name, i) => [name, cells[start + i]]));
  }

  /** @param {number} bytes @returns {number} address */
  #allocate(bytes) {
    const address = this.#exports.polyprof_allocate(bytes);
    if (address === 0) throw new CoreError('polyprof_allocate', Status.OUT_OF_MEMORY);
    return address;
  }

  /** @param {string} text @param {(data: number, bytes: number) => number} call */
  #withText(text, call) {
    const bytes = this.#encoder.encode(text);
    return this.#withBytes(bytes, (data) => call(data, bytes.length));
  }

  /** @param {Uint8Array} bytes @param {(data: number) => number} call */
  #withBytes(bytes, call) {
    const data = this.#allocate(Math.max(bytes.length, 1));
    this.#bytes(data, bytes.length).set(bytes);
    try {
      return call(data);
    } finally {
      this.#exports.polyprof_release(data);
    }
  }

  /** @param {number} data @param {number} bytes */
  #bytes(data, bytes) {
    return new Uint8Array(this.#memory.buffer, data, bytes);
  }

  /** @param {number} data @param {number} bytes */
  #text(data, bytes) {
    return new TextDecoder().decode(this.#bytes(data, bytes).slice());
  }
}

/** Fields of `Counters` in runtime/counters.h, in its order; kept in step by a test. */
export const COUNTER_NAMES = Object.freeze([
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
]);

/** @param {WebAssembly.Module} module @param {WebAssembly.Memory} memory @returns {Promise<Exports>} */
async function instantiate(module, memory) {
  const instance = await WebAssembly.instantiate(module, {
    env: { memory, emscripten_notify_memory_growth() {} },
    wasi_snapshot_preview1: { proc_exit: aborted },
  });
  const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  const version = exports.polyprof_abi_version();
  if (version !== ABI_VERSION) {
    throw new Error(
      `polyprof.wasm speaks ABI version ${version}, this script ${ABI_VERSION}: serve both from one release`,
    );
  }
  return exports;
}

function aborted() {
  throw new Error('polyprof core: aborted');
}

/** @param {string} what @param {number} result negative: minus a `Status` @returns {number} */
function checked(what, result) {
  if (result < 0) throw new CoreError(what, -result);
  return result;
}
