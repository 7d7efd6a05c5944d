import { readBody } from './read_body.js';
import { RecentIds } from './recent_ids.js';
import { Refusal } from './refusal.js';
import { traceLines } from './trace_lines.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Line } from './trace_lines.js' */
/** @import { TraceStore } from './trace_store.js' */

/** Bodies in memory, from their arrival to the disk. */
const MAX_PENDING_BYTES = 128 * 2 ** 20;

/** What a sender does best when the disk is full or too much is on its way. */
const RETRY_SECONDS = 30;

/**
 * @typedef {object} IntakeOptions
 * @property {number} maxBytes of a body, packed and unpacked
 * @property {(message: string) => void} onProblem
 */

/** The way of a body from a request that may send into the store. */
export class Intake {
  #store;
  #maxBytes;
  #onProblem;
  #ids = new RecentIds();
  #pendingBytes = 0;
  #lastProblem = '';

  /** @param {TraceStore} store @param {IntakeOptions} options */
  constructor(store, { maxBytes, onProblem }) {
    this.#store = store;
    this.#maxBytes = maxBytes;
    this.#onProblem = onProblem;
  }

  /**
   * @param {IncomingMessage} request
   * @returns {Promise<void>} when all traces in its body are stored; rejects with a `Refusal`, or a `TraceError` for what is no trace
   */
  async take(request) {
    if (this.#pendingBytes >= MAX_PENDING_BYTES) {
      throw new Refusal(503, 'too much is on its way', { 'Retry-After': RETRY_SECONDS });
    }
    let bytes = 0;
    try {
      const body = await readBody(request, this.#maxBytes, (more) => {
        bytes += more;
        this.#pendingBytes += more;
      });
      await this.#storeAll(traceLines(body, new Date()));
    } finally {
      this.#pendingBytes -= bytes;
    }
  }

  /** @param {Line[]} lines @throws {Refusal} */
  async #storeAll(lines) {
    try {
      await Promise.all(lines.map((line) => this.#storeOnce(line)));
      this.#lastProblem = '';
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      // A full disk is said once, not by each request.
      if (message !== this.#lastProblem) this.#onProblem(`traces cannot be stored (${message})`);
      this.#lastProblem = message;
      throw new Refusal(503, 'traces cannot be stored now', { 'Retry-After': RETRY_SECONDS });
    }
  }

  /** @param {Line} line */
  #storeOnce({ id, text }) {
    const store = () => this.#store.append([text]);
    return id === undefined ? store() : this.#ids.once(id, store);
  }
}
