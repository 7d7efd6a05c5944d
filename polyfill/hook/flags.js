/**
 * The flags that probes look at (docs/hook.md): the first eight bytes of the hook's array, raised and lowered together by one store.
 * One after the other would let the first one decide: while the second is still on its way, a probe that looks at the first sees the
 * tick, and the other one missed it.
 *
 * Worker: raises them, after it told the tick. Main thread: lowers them before it asks for the tick; so a tick that comes in between
 * raises them again, and the next look finds nothing new: a tick can be seen late, never lost. It raises them, too, when it had not looked
 * for long: some checks then look whether a tick is due. Probes: plain loads.
 *
 * @typedef {BigInt64Array} Flags one cell
 */

const UP = 0x0101010101010101n;

/** @param {Int8Array} bytes `hook.f` @returns {Flags} */
export const flagsOf = (bytes) => new BigInt64Array(bytes.buffer, bytes.byteOffset, 1);

/** @param {Flags} flags */
export const raise = (flags) => void Atomics.store(flags, 0, UP);

/** @param {Flags} flags */
export const lower = (flags) => void Atomics.store(flags, 0, 0n);

/** @param {Flags} flags */
export const areDown = (flags) => Atomics.load(flags, 0) === 0n;
