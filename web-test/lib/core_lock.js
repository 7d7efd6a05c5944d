/** Bytes from the beginning of the core's memory: see wasm/core_lock.js. */
export const LOCK_OFFSET = 1016;
