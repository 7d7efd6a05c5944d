/**
 * The flags that probes look at (docs/hook.md): the first eight bytes of the hook's array, raised and lowered together by one store.
 * One after the other would let the first one decide: while the second is still on its way, a probe that looks at the first sees the
 * tick, and the other one missed it.
 *
 * Worker: raises them, after it told the tick. Main thread: lowers them before it asks for the tick; so a tick that comes in between
 * raises them again, and the next look finds nothing new: a tick can be seen late, never lost. It raises them, too, when it had not looked
 * for long: some checks then look whether a tick is due; and after a look it warms up the checks that come: flags that are neither down nor raised. Probes: plain loads.
 *
 * @typedef {BigInt64Array} Flags one cell
 */

const UP = 0x0101010101010101n;

/** Neither up nor down: whoever checks calls, and no tick waits. Not the flags of quiet functions: V8 keeps their code anyway. */
const COLD = 0x02020202n;

/** Each byte of the others then. */
export const COLD_BYTE = 2;

/**
 * The byte of `hook.f` by which enter and resume count down while they find their flag up: the one that gets to 0 calls. Nobody but the page's thread has to do with it. Where every check that finds a flag
 * is to call, it is 1 before each.
 */
export const COUNTDOWN = 9;

/** @param {Int8Array} bytes `hook.f` @returns {Flags} */
export const flagsOf = (bytes) => new BigInt64Array(bytes.buffer, bytes.byteOffset, 1);

/** @param {Flags} flags */
export const raise = (flags) => void Atomics.store(flags, 0, UP);

/** @param {Flags} flags */
export const lower = (flags) => void Atomics.store(flags, 0, 0n);

/** No tick waits. @param {Flags} flags */
export const areDown = (flags) => Atomics.load(flags, 0) !== UP;

/** From now on checks call, though no tick waits. @param {Flags} flags */
export const warm = (flags) => void Atomics.store(flags, 0, COLD);

/** After `warm`: no longer. A tick that waits by now is left alone. @param {Flags} flags */
export const cool = (flags) => void Atomics.compareExchange(flags, 0, COLD, 0n);
