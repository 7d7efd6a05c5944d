/** Bytes from the beginning of the core's memory: see wasm/core_lock.js. */
export const LOCK_OFFSET = 1016;

/** Runs in a page with shadow probes: `coreLock` takes the core as a worker does, and gives it back. @param {number} lockOffset */
export function rememberCoreLock(lockOffset) {
  const { m } = /** @type {any} */ (globalThis).__polyprof__;
  const lock = new Int32Array(m.buffer, lockOffset, 1);
  /** @type {any} */ (globalThis).coreLock = {
    take() {
      while (Atomics.compareExchange(lock, 0, 0, 1) !== 0);
    },
    give() {
      Atomics.store(lock, 0, 0);
      Atomics.notify(lock, 0);
    },
  };
}
