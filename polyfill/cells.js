/**
 * The cells of the hook's shared array (`hook.f`, see docs/hook.md) and who may touch them.
 *
 * FLAG  worker: Atomics.store 1 after TICK. Main thread: Atomics.store 0, before it reads TICK. Probes: plain loads.
 * TICK  worker only: the latest tick that is due. Since the main thread clears FLAG first, a tick that comes in between raises
 *       the flag again, and the next look finds nothing new: a tick can be seen late, never lost.
 * WAKE  main thread: Atomics.add 1 + notify when the plan of sessions changed; STOP to end the worker. Worker: waits on it.
 * LATE  worker only, before TICK: Atomics.add ticks that it slept through, because the machine was busy, while the flag was down.
 */
export const FLAG = 0;
export const TICK = 1;
export const WAKE = 2;
export const LATE = 3;

/** Value of WAKE that ends the worker. Ordinary values count up from 0. */
export const STOP = -1;
