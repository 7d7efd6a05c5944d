import { timeNow } from './clock.js';

/**
 * Lets one thread at a time into the core: its heap and its tables know nothing of threads. One cell below everything that the
 * linker places: 0 free, 1 taken. Only the schedule is asked without it.
 */

/** Bytes from the beginning of the memory. */
const OFFSET = 1016;

/**
 * A page's thread may not wait, so it spins. The worker is done in microseconds, unless the system stops it in the midst, which it does for
 * more than 50 ms where many processes want few cores; if it was killed there, the page goes on without us.
 */
const PATIENCE_MS = 200;

const TRIES_PER_LOOK_AT_THE_CLOCK = 500;

export class CoreLock {
  #cell;
  #canWait;
  /** It would wait for itself: what the page put in place of a built-in may have probes. */
  #isMine = false;

  /** @param {WebAssembly.Memory} memory @param {boolean} canWait false in a page's thread */
  constructor(memory, canWait) {
    this.#cell = new Int32Array(memory.buffer, OFFSET, 1);
    this.#canWait = canWait;
  }

  /** @returns {boolean} false: another thread kept it for too long, or this one has it */
  take() {
    if (this.#isMine) return false;
    let deadline = 0;
    for (let tries = 1; Atomics.compareExchange(this.#cell, 0, 0, 1) !== 0; tries++) {
      if (this.#canWait) {
        Atomics.wait(this.#cell, 0, 1, PATIENCE_MS);
      } else if (tries % TRIES_PER_LOOK_AT_THE_CLOCK === 0) {
        deadline ||= timeNow() + PATIENCE_MS;
        if (timeNow() > deadline) return false;
      }
    }
    return (this.#isMine = true);
  }

  get isTaken() {
    return Atomics.load(this.#cell, 0) !== 0;
  }

  give() {
    this.#isMine = false;
    Atomics.store(this.#cell, 0, 0);
    Atomics.notify(this.#cell, 0, 1);
  }
}
