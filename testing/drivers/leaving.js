/** @import { Leave } from './driver.js' */

/** So long the next document waits for what was recorded of the last one; a page that is not left after all, as for a download, hands over nothing. */
const HAND_OVER_MS = 5000;

/**
 * Firefox reads what a page hands over from the page itself, some messages later: the answer that takes the page's place has to wait for that.
 */
export class Leaving {
  #leave;
  /** The page shows a document that hands over what it has recorded, if it is left. */
  #isAwaited = false;
  #arrived = () => {};

  /** @param {Leave} leave */
  constructor(leave) {
    this.#leave = leave;
  }

  /** A document has loaded that records, or will when it is asked to. */
  started() {
    this.#isAwaited = true;
  }

  /** @type {Leave} */
  leave = (json) => {
    this.#isAwaited = false;
    this.#arrived();
    this.#leave(json);
  };

  /**
   * @param {boolean} isRecording documents that are not recorded hand over nothing
   * @returns {Promise<void>} when another document may take the page's place
   */
  async over(isRecording) {
    const isAwaited = this.#isAwaited && isRecording;
    this.#isAwaited = false;
    if (!isAwaited) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    await new Promise((resolve) => {
      this.#arrived = () => resolve(undefined);
      timer = setTimeout(resolve, HAND_OVER_MS);
    });
    clearTimeout(timer);
  }
}
