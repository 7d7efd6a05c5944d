import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Segment } from './segment.js';

const pack = promisify(gzip);

/**
 * @typedef {object} StoreOptions
 * @property {boolean} fsync wait for the disk
 * @property {number} fileBytes a file that is longer is complete
 * @property {number} rotateMs a file that is older is complete
 * @property {(file: string, traces: number) => void} onFinished a file is complete
 * @property {(message: string) => void} onProblem one could not be completed; the next start will
 */

/**
 * Lines in files by the hour of their arrival. While one group of lines is packed and written, the next one gathers, so that many
 * requests share one write, and one wait for the disk.
 */
export class TraceStore {
  #folder;
  #options;
  /** @type {Segment | undefined} */
  #segment;
  #partition = '';
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** @type {string[]} */
  #gathered = [];
  /** Of what is gathered. @type {Promise<void> | undefined} */
  #group;
  /** The last thing to do; one at a time touches files. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {string} folder @param {StoreOptions} options */
  constructor(folder, options) {
    this.#folder = folder;
    this.#options = options;
  }

  /**
   * @param {string[]} lines without line breaks
   * @returns {Promise<void>} when they are written; rejects with a system error, and nothing of them is
   */
  append(lines) {
    this.#gathered.push(...lines);
    this.#group ??= this.#inTurn(() => this.#writeGathered());
    return this.#group;
  }

  /** Completes the file that is being written. */
  async close() {
    await this.#inTurn(() => this.#finish());
  }

  /** @template T @param {() => Promise<T>} action @returns {Promise<T>} */
  #inTurn(action) {
    const done = this.#last.then(action);
    this.#last = done.catch(() => {});
    return done;
  }

  async #writeGathered() {
    const lines = this.#gathered;
    this.#gathered = [];
    this.#group = undefined;
    const member = await pack(`${lines.join('\n')}\n`);
    const segment = await this.#segmentFor(new Date());
    try {
      await segment.append(member, lines.length);
    } catch (error) {
      // Perhaps it is this file alone; another one may be had, with the next group.
      await this.#finish();
      throw error;
    }
    if (segment.bytes >= this.#options.fileBytes) await this.#finish();
  }

  /** @param {Date} now */
  async #segmentFor(now) {
    const time = now.toISOString();
    const partition = join(`date=${time.slice(0, 10)}`, `hour=${time.slice(11, 13)}`);
    if (this.#segment && partition !== this.#partition) await this.#finish();
    if (!this.#segment) {
      const { fsync, rotateMs } = this.#options;
      this.#segment = await Segment.create(join(this.#folder, partition), now, fsync);
      this.#partition = partition;
      this.#timer = setTimeout(() => this.close(), rotateMs).unref();
    }
    return this.#segment;
  }

  async #finish() {
    const segment = this.#segment;
    if (!segment) return;
    this.#segment = undefined;
    clearTimeout(this.#timer);
    try {
      await segment.finish();
      if (segment.traces > 0) this.#options.onFinished(segment.file, segment.traces);
    } catch (error) {
      this.#options.onProblem(
        `${segment.file}: cannot be completed (${/** @type {Error} */ (error).message}); the next start will`,
      );
    }
  }
}
