import { createMemory, NOTHING_ON_SHADOW, SHADOW } from '../../wasm/boundary.js';

/** @import { Capture } from './capture.js' */

/**
 * An exception that nobody catches leaves the functions that it left on the shadow stack. At the root of a task of ours nothing is running:
 * so often they are cleared away.
 */
const CLEARING_INTERVAL_MS = 100;

/**
 * Makes the realm's shadow stack as the first prelude would, so that scripts to come use it, in a memory that a sampler can share already.
 * @param {import('../hook/hook.js').Hook} hook
 */
export function awaitShadowProbes(hook) {
  if (hook.d || hook.s[0]) return;
  hook.m = createMemory();
  hook.d = new Int32Array(hook.m.buffer, SHADOW.offset, SHADOW.cells);
  hook.d[0] = hook.n = NOTHING_ON_SHADOW;
}

/**
 * The main thread's side of the shadow probe: the worker samples, so there is next to nothing to do.
 *
 * @implements {Capture}
 */
export class ShadowCapture {
  #cells;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** The worker counts what is late. */
  unwoken = 0;
  unlocated = 0;

  /** @param {Int32Array} cells */
  constructor(cells) {
    this.#cells = cells;
  }

  arm() {
    this.#clear();
    this.#timer = setInterval(() => this.#clear(), CLEARING_INTERVAL_MS);
  }

  disarm() {
    clearInterval(this.#timer);
  }

  pause() {
    this.disarm();
  }

  resume() {
    this.arm();
  }

  look() {}

  replan() {}

  settle() {}

  #clear() {
    this.#cells[0] = NOTHING_ON_SHADOW;
  }
}
