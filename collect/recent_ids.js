/** About 10 MB. */
const MAX_IDS = 100_000;

/**
 * The ids of the traces that were stored last. A page that did not get the response sends its trace again; by its id it is stored only once.
 */
export class RecentIds {
  /** In the order of arrival; settled when stored. @type {Map<string, Promise<void>>} */
  #stored = new Map();

  /**
   * @param {string} id
   * @param {() => Promise<void>} store
   * @returns {Promise<void>} of the first call with this id; a failed one is forgotten, so that the next one tries again
   */
  once(id, store) {
    const before = this.#stored.get(id);
    if (before) return before;
    const stored = store();
    this.#stored.set(id, stored);
    stored.catch(() => this.#stored.delete(id));
    if (this.#stored.size > MAX_IDS) {
      const [oldest] = this.#stored.keys();
      this.#stored.delete(oldest);
    }
    return stored;
  }
}
