/**
 * What the page's thread and the worker tell each other: cells at the beginning of the core's memory, away from the flags' cache line,
 * and who may touch them.
 *
 * TICK  the latest tick that is due. Written by the worker; while it is paused, by the page's thread, before PAUSED ends.
 * WAKE  main thread: Atomics.add 1 + notify when the plan of sessions changed; STOP to end the worker. Worker: waits on it.
 * LATE  worker only, before TICK: Atomics.add ticks that it slept through, because the machine was busy, while the flags were down.
 * LOST  worker only: Atomics.add ticks that it could not record.
 * SEEN  worker only: the value of WAKE that it has acted on, written after everything that it recorded for it. The page recognises a worker that is gone by it.
 * SINCE main thread, before WAKE and before PAUSED ends: the tick from which on the worker watches, when it waited without sessions or the page
 *       was hidden; and at a look, the tick up to which the page knows what ran, however late the worker is. Worker, before TICK: the tick up
 *       to which nobody knows, as the worker itself was stopped for long.
 * PAUSED main thread: 1 while the page is hidden. The worker then waits for WAKE, as without sessions.
 * SAMPLING main thread, before a worker starts, and later from 0 to 1, after SINCE: 1 if the worker is to sample by itself, 0 if it is to raise
 *       the flags.
 * LIFE  main thread, before a worker starts: the number of the current worker. One that the page gave up, but that is still alive, ends itself when it sees another's number.
 */
export const TICK = 0;
export const WAKE = 1;
export const LATE = 2;
export const LOST = 3;
export const SEEN = 4;
export const PAUSED = 5;
export const SINCE = 6;
export const SAMPLING = 7;
/** The last one: a new worker finds zeros before it. */
export const LIFE = 8;

/** Value of WAKE that ends the worker. Ordinary values count up from 0. */
export const STOP = -1;

/** Bytes from the beginning of the memory; nothing else is in this cache line and its neighbour. */
const OFFSET = 768;

/** @param {WebAssembly.Memory} memory @returns {Int32Array} */
export function cellsOf(memory) {
  return new Int32Array(memory.buffer, OFFSET, LIFE + 1);
}
