import { instantiate, CoreError, SHADOW } from './boundary.js';
import { CoreLock } from './core_lock.js';
import { BUSY } from './status.js';

/**
 * What any thread may ask the core that is in a shared memory: its schedule, and to sample.
 */
export class CoreSeat {
  _exports;
  _pointer;
  #lock;

  /**
   * @param {import('./boundary.js').Exports} exports
   * @param {number} pointer of the `polyprof::Core`
   * @param {CoreLock} lock
   */
  constructor(exports, pointer, lock) {
    this._exports = exports;
    this._pointer = pointer;
    this.#lock = lock;
  }

  /** @returns {number} most ticks from one that is due to an open session to the next; 0 without sessions */
  longestWaitTicks() {
    return this._exports.polyprof_longest_wait_ticks(this._pointer);
  }

  /** @param {number} tick @returns {number} the first one after it that is due to an open session; `NEVER`: there is none */
  nextTick(tick) {
    return this._exports.polyprof_next_tick(this._pointer, tick);
  }

  /** @param {number} nowMs @returns {number} the latest tick that is due to an open session; without sessions, of all */
  tickAt(nowMs) {
    return this._exports.polyprof_tick_at(this._pointer, nowMs);
  }

  /** @param {number} nowMs */
  msUntilNextTick(nowMs) {
    return this._exports.polyprof_ms_until_next_tick(this._pointer, nowMs);
  }

  /** @returns {number} what the memory's shadow stack says is running now; as `stackOfText` */
  stackOfShadow() {
    return this._alone(() =>
      this._exports.polyprof_stack_of_shadow(this._pointer, SHADOW.offset, SHADOW.cells),
    );
  }

  /**
   * Gives each open session its due ticks in (after, last].
   * @param {number} after @param {number} last @param {number} stack as from `stackOfText`
   * @returns {number} how many sessions became full
   */
  record(after, last, stack) {
    return this._alone(() => this._exports.polyprof_record(this._pointer, after, last, stack));
  }

  /** Is a thread inside, or did one die there? */
  get isBusy() {
    return this.#lock.isTaken;
  }

  /** For when the thread that is inside is known to be gone. */
  breakLock() {
    this.#lock.give();
  }

  /** Not to be nested. @template T @param {() => T} call @returns {T} */
  _alone(call) {
    if (!this.#lock.take()) throw new CoreError('lock', BUSY);
    try {
      return call();
    } finally {
      this.#lock.give();
    }
  }
}

/**
 * A further instance over the same memory, with a stack of its own, in a thread that may wait.
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} memory
 * @param {{pointer: number, stackTop: number}} seat from `seat()` of the first
 */
export async function attachSeat(module, memory, { pointer, stackTop }) {
  const exports = await instantiate(module, memory);
  /** @type {any} */ (exports.__stack_pointer).value = stackTop;
  return new CoreSeat(exports, pointer, new CoreLock(memory, true));
}
