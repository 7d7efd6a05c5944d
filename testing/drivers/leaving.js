/** @import { Leave } from './driver.js' */

/** So long the next document waits for what the last one saw; a page that is not left after all, as for a download, hands over nothing. */
const PATIENCE_MS = 5000;

/**
 * Firefox reads what a page hands over from the page itself, some messages later: the answer that takes the page's place has to wait for that.
 */
export class Leaving {
  #leave;
  /** The page shows a document that will hand over something. */
  #isAwaited = false;
  #arrived = () => {};

  /** @param {Leave} leave */
  constructor(leave) {
    this.#leave = leave;
  }

  /** A document that records has loaded. */
  started() {
    this.#isAwaited = true;
  }

  /** @type {Leave} */
  leave = (json) => {
    this.#isAwaited = false;
    this.#arrived();
    this.#leave(json);
  };

  /** @returns {Promise<void>} when another document may take the page's place */
  async over() {
    if (!this.#isAwaited) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await new Promise((resolve) => {
      this.#arrived = () => resolve(undefined);
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    clearTimeout(timer);
    this.#isAwaited = false;
  }
}
