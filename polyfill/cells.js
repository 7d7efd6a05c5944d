/**
 * What the page's thread and the worker tell each other: cells at the beginning of the core's memory, away from the flags' cache line,
 * and who may touch them.
 *
 * TICK  worker only: the latest tick that is due.
 * WAKE  main thread: Atomics.add 1 + notify when the plan of sessions changed; STOP to end the worker. Worker: waits on it.
 * LATE  worker only, before TICK: Atomics.add ticks that it slept through, because the machine was busy, while the flags were down.
 * LOST  worker only: Atomics.add ticks that it could not record.
 */
export const TICK = 0;
export const WAKE = 1;
export const LATE = 2;
export const LOST = 3;

/** Value of WAKE that ends the worker. Ordinary values count up from 0. */
export const STOP = -1;

/** Bytes from the beginning of the memory; nothing else is in this cache line and its neighbour. */
const OFFSET = 768;

/** @param {WebAssembly.Memory} memory @returns {Int32Array} */
export function cellsOf(memory) {
  return new Int32Array(memory.buffer, OFFSET, 4);
}
