/**
 * What both threads must know of polyprof.wasm to use it.
 */

/** What `polyprof_abi_version()` must answer: raised with every change of an export's meaning. */
export const ABI_VERSION = 9;

/** As declared to the linker in CMakeLists.txt; a memory must not have a larger maximum than the module declares. */
const PAGES = { initial: 16, maximum: 2048 };

/**
 * Where the prelude of a script with shadow probes puts its stack of function ids, in a memory that it makes (docs/hook.md): bytes from
 * the beginning, and 32-bit cells. The linker leaves the place free.
 */
export const SHADOW = /** @type {const} */ ({ offset: 1024, cells: 32768 });

/** Its cell 0, the index of the first free one, when nothing runs. */
export const NOTHING_ON_SHADOW = 1;

/** Stack of a thread that runs nothing. */
export const IDLE_STACK = 0;

/** A tick that never comes: `nextTick` without sessions, `fillsAtTick` of buffers without end. */
export const NEVER = 2 ** 31 - 1;

/** @typedef {{instance: WebAssembly.Instance, memory: WebAssembly.Memory}} Loaded */
/** @typedef {Record<string, (...args: (number | boolean | undefined)[]) => number>} Exports WebAssembly makes numbers of them */

/** A core call that failed; `status` is one of `Status`. */
export class CoreError extends Error {
  /** @param {string} what @param {number} status */
  constructor(what, status) {
    super(`polyprof core: ${what}: status ${status}`);
    this.status = status;
  }
}

/** @returns {WebAssembly.Memory} shared memory that fits the core */
export function createMemory() {
  return new WebAssembly.Memory({ ...PAGES, shared: true });
}

/**
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} memory
 * @param {(data: number, bytes: number) => unknown} [take] gets the pieces of traces, which are at an address for the time of the call
 * @returns {Promise<Exports>}
 */
export async function instantiate(module, memory, take = () => {}) {
  const instance = await WebAssembly.instantiate(module, { env: { memory, take } });
  const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  const version = exports.polyprof_abi_version();
  if (version !== ABI_VERSION) {
    throw new Error(`polyprof.wasm has ABI ${version}, not ${ABI_VERSION}: serve both from one release`);
  }
  return exports;
}
