import { existsSync } from 'node:fs';

/** @import { TraceError } from './trace_error.js' */

const ADVICE = 'A trace is the JSON text of what stop() of a profiler resolves with.';

/** Tells what is wrong as it comes, and in the end what a trace is, if a file is none. */
export class Failures {
  #count = 0;
  /** @type {Set<string>} */
  #files = new Set();
  #hasOtherFiles = false;
  #complain;

  /** @param {(text: string) => void} complain */
  constructor(complain) {
    this.#complain = complain;
  }

  /** @param {TraceError} error */
  add(error) {
    this.#files.add(error.file);
    this.#hasOtherFiles ||= existsSync(error.file);
    this.addText(error.message);
  }

  /** @param {string} message */
  addText(message) {
    this.#count++;
    this.#complain(`error: ${message}\n`);
  }

  /** @param {string} path @returns {boolean} whether one was told of this file or folder itself */
  isAbout(path) {
    return this.#files.has(path);
  }

  /** @returns {boolean} whether there were none */
  finish() {
    if (this.#hasOtherFiles) this.#complain(`${ADVICE}\n`);
    return this.#count === 0;
  }
}
