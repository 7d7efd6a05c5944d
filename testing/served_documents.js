/** @import { Start } from './in_page/page_script.js' */

/**
 * @typedef {object} ServedDocument
 * @property {Start} start
 * @property {number} servedAt ms since 1970
 * @property {Promise<unknown>} started when it has said that sampling runs, or why it does not
 * @property {() => void} settle it has
 * @property {boolean} isSampled it has said that sampling runs
 */

/** The documents that were served with our scripts in them. */
export class ServedDocuments {
  /** @type {Map<string, ServedDocument>} by id */
  #documents = new Map();
  /** @type {Set<string>} */
  #problems = new Set();

  /** Why some could not be sampled; of those that have not said yet nothing. */
  get problems() {
    return this.#problems;
  }

  /** For the next profile of the page. */
  forgetProblems() {
    this.#problems.clear();
  }

  get isEmpty() {
    return this.#documents.size === 0;
  }

  /** @param {Omit<Start, 'id'>} start @returns {string} id */
  add(start) {
    const id = String(this.#documents.size + 1);
    let settle = () => {};
    const started = new Promise((resolve) => (settle = () => resolve(undefined)));
    this.#documents.set(id, {
      start: { ...start, id },
      servedAt: Date.now(),
      started,
      settle,
      isSampled: false,
    });
    return id;
  }

  /** @param {string} id @returns {ServedDocument | undefined} undefined: there is none */
  get(id) {
    return this.#documents.get(id);
  }

  /** @param {ServedDocument} document that has said whether sampling runs @param {string} problem why not; empty: it does */
  hasStarted(document, problem) {
    if (problem) this.#problems.add(problem);
    document.isSampled = !problem;
    document.settle();
  }

  /** @param {number} since ms since 1970 @returns {string[]} ids of those that were served since then, and are sampled */
  sampledSince(since) {
    const some = [...this.#documents].filter(([, { servedAt, isSampled }]) => servedAt >= since && isSampled);
    return some.map(([id]) => id);
  }
}
