import { Worker } from 'node:worker_threads';
import { defaultCacheFolder } from '../cache_folder.js';
import { STACK_MB } from '../stack.js';

/**
 * @typedef {import('./instrument_chunk.js').Project} Project
 * @typedef {import('./instrument_chunk.js').Chunk} Chunk
 * @typedef {import('./instrument_chunk.js').Done} Done
 *
 * @typedef {object} Task
 * @property {Project} project
 * @property {Chunk} chunk
 * @property {{needsHeap?: number, heapMb?: number}} [limits]
 * @property {(done: Done) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** Chunks that need more memory than the thread may have go to a process of their own (big_chunk.js). */
const IN_A_PROCESS = { needsHeap: 0 };

/** The thread's side is chunk_thread.js. */
export class InstrumenterThread {
  #resourceLimits;
  /** @type {Worker | null} */
  #worker = null;
  /** Keys of the projects that the thread knows. @type {Set<string>} */
  #known = new Set();
  /** What the thread has not answered, oldest first. @type {Task[]} */
  #tasks = [];

  /** @param {import('node:worker_threads').ResourceLimits} [resourceLimits] default: as much memory as Node gives a thread */
  constructor(resourceLimits) {
    this.#resourceLimits = resourceLimits;
  }

  /** It takes a while to load. The process may end while the thread has nothing to do. */
  start() {
    if (this.#worker) return;
    // What the bundler's process was started with, as loaders of TypeScript, is nothing for ours.
    const worker = new Worker(new URL('./start_thread.cjs', import.meta.url), {
      execArgv: [],
      workerData: { cacheFolder: defaultCacheFolder() },
      resourceLimits: { stackSizeMb: STACK_MB, ...this.#resourceLimits },
    });
    worker.on('message', ({ done, error }) => this.#answer(done, error));
    worker.on('error', (error) => this.#ended(error));
    worker.unref();
    this.#worker = worker;
  }

  /**
   * @param {Project} project
   * @param {Chunk} chunk
   * @param {Task['limits']} [limits]
   * @returns {Promise<Done>} in the order in which chunks were given
   */
  instrument(project, chunk, limits) {
    return new Promise((resolve, reject) => {
      const task = { project, chunk, limits, resolve, reject };
      this.#post(task);
      this.#tasks.push(task);
    });
  }

  /** @param {Task} task */
  #post({ project, chunk, limits }) {
    this.start();
    const worker = /** @type {Worker} */ (this.#worker);
    const { key } = project;
    worker.postMessage({ key, chunk, limits, ...(!this.#known.has(key) && { project }) });
    this.#known.add(key);
    worker.ref();
  }

  /** @param {Done | undefined} done @param {unknown} error */
  #answer(done, error) {
    const { resolve, reject } = /** @type {Task} */ (this.#tasks.shift());
    if (this.#tasks.length === 0) this.#worker?.unref();
    if (done) resolve(done);
    else reject(error);
  }

  /** @param {any} error by which the thread ended */
  #ended(error) {
    this.#worker = null;
    this.#known.clear();
    const [first, ...others] = this.#tasks;
    const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY' && first?.limits?.needsHeap !== 0;
    if (isFull) first.limits = { ...first.limits, ...IN_A_PROCESS };
    else first?.reject(error);
    this.#tasks = isFull ? this.#tasks : others;
    // A new thread does what was not done.
    for (const task of this.#tasks) this.#post(task);
  }
}

/** For all plugins of a process. */
export const instrumenterThread = new InstrumenterThread();
