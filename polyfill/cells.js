/**
 * The cells of the hook's shared array (`hook.f`, see docs/hook.md) and who may touch them.
 *
 * FLAGS worker: Atomics.store 1 to each after TICK. Main thread: Atomics.store 0 to each, before it reads TICK. Probes: plain
 *       loads. Why there are several: instrumenter/flag_probe.js.
 * TICK  worker only: the latest tick that is due. Since the main thread lowers the flags first, a tick that comes in between raises
 *       them again, and the next look finds nothing new: a tick can be seen late, never lost.
 * WAKE  main thread: Atomics.add 1 + notify when the plan of sessions changed; STOP to end the worker. Worker: waits on it.
 * LATE  worker only, before TICK: Atomics.add ticks that it slept through, because the machine was busy, while the flags were down.
 * LOST  worker only: Atomics.add ticks that it could not record.
 */
const FLAGS = [0, 1, 2, 3];
// Cell 4 belongs to the probes: each enter stores to it, nobody reads it.
export const TICK = 5;
export const WAKE = 6;
export const LATE = 7;
export const LOST = 8;

/** @param {Int32Array} cells @param {0 | 1} value */
export function setFlags(cells, value) {
  for (const flag of FLAGS) Atomics.store(cells, flag, value);
}

/** @param {Int32Array} cells */
export function areFlagsDown(cells) {
  return Atomics.load(cells, FLAGS[0]) === 0;
}

/** Value of WAKE that ends the worker. Ordinary values count up from 0. */
export const STOP = -1;
