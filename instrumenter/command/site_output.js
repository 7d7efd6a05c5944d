import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { copyFileAtomically, writeFileAtomically } from '../files/write_file.js';

/** @typedef {import('./plan_files.js').FileJob} FileJob */

/** Writes the output folder, or with --check only counts: each file is a copy of an input, or has a content of its own. */
export class SiteOutput {
  /** Those that are no copies. @type {Set<string>} */
  #replaced = new Set();
  #done = 0;
  #all;
  #options;
  #report;

  /**
   * @param {Pick<import('./instrument_files.js').FileOptions, 'check' | 'onProgress'>} options
   * @param {number} all files that will be written
   * @param {import('./instrument_files.js').Report} report whose numbers of files are counted here
   */
  constructor(options, all, report) {
    this.#options = options;
    this.#all = all;
    this.#report = report;
  }

  /** @param {FileJob} job */
  copy({ input, output }) {
    if (!this.isReplaced(output)) {
      if (!this.#options.check) copyFileAtomically(input, output);
      this.#report.copied++;
    }
    this.done();
  }

  /** @param {FileJob} job that gets no probes @param {string} before @param {string} after @param {BufferEncoding} [encoding] */
  update(job, before, after, encoding = 'utf8') {
    if (after === before) this.copy(job);
    else this.adapt(job, Buffer.from(after, encoding));
  }

  /** @param {FileJob} job that gets no probes @param {string | Uint8Array} content */
  adapt(job, content) {
    if (!this.isReplaced(job.output)) this.#report.adapted++;
    this.replace(job.output, content);
    this.done();
  }

  /** @param {string} file @param {string | Uint8Array} content */
  replace(file, content) {
    if (!this.#options.check) writeFileAtomically(file, content);
    this.leaveOut(file);
  }

  /** @param {string} file that nothing is copied to */
  leaveOut(file) {
    this.#replaced.add(file);
  }

  /** @param {string} file @returns {boolean} */
  isReplaced(file) {
    return this.#replaced.has(file);
  }

  /** @param {string} file that was replaced @returns {Buffer | null} null: it was left out. With --check it is empty, since nothing is written */
  contentOf(file) {
    if (this.#options.check) return Buffer.alloc(0);
    return fs.existsSync(file) ? fs.readFileSync(file) : null;
  }

  /** @param {string} file @param {string} algorithm @returns {string | undefined} undefined: it is a copy */
  digestOf(file, algorithm) {
    const content = this.isReplaced(file) && this.contentOf(file);
    return content ? createHash(algorithm).update(content).digest('hex') : undefined;
  }

  /** One file more. */
  done() {
    this.#options.onProgress?.(++this.#done, this.#all);
  }
}
