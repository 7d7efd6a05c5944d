const UP = 0x0101010101010101n;

/** @param {Int8Array} bytes `hook.f` */
const wordOf = (bytes) => new BigInt64Array(bytes.buffer, bytes.byteOffset, 1);

/** For good, by those that never raise them. @param {Int8Array} bytes `hook.f` */
export const lowerFlags = (bytes) => void Atomics.store(wordOf(bytes), 0, 0n);

/**
 * The flags that probes look at (docs/hook.md): the first eight bytes of the hook's array, raised and lowered together by one store.
 * One after the other would let the first one decide: while the second is still on its way, a probe that looks at the first sees the
 * tick, and the other one missed it.
 *
 * Worker: raises them, after it told the tick. Main thread: lowers them before it asks for the tick; so a tick that comes in between
 * raises them again, and the next look finds nothing new: a tick can be seen late, never lost. Probes: plain loads.
 */
export class Flags {
  #word;

  /** @param {Int8Array} bytes `hook.f` */
  constructor(bytes) {
    this.#word = wordOf(bytes);
  }

  raise() {
    Atomics.store(this.#word, 0, UP);
  }

  lower() {
    Atomics.store(this.#word, 0, 0n);
  }

  areDown() {
    return Atomics.load(this.#word, 0) === 0n;
  }
}
