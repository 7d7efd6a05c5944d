import { existsSync } from 'node:fs';

/** @import { TraceError } from './trace_error.js' */

const ADVICE = 'A trace is the JSON text of what stop() of a profiler resolves with.';

/** Tells what is wrong as it comes, and in the end what a trace is, if a file is none. */
export class Failures {
  #count = 0;
  #hasOtherFiles = false;
  #complain;

  /** @param {(text: string) => void} complain */
  constructor(complain) {
    this.#complain = complain;
  }

  /** @param {TraceError} error */
  add(error) {
    this.#hasOtherFiles ||= existsSync(error.file);
    this.addText(error.message);
  }

  /** @param {string} message */
  addText(message) {
    this.#count++;
    this.#complain(`error: ${message}\n`);
  }

  /** @returns {boolean} whether there were none */
  finish() {
    if (this.#hasOtherFiles) this.#complain(`${ADVICE}\n`);
    return this.#count === 0;
  }
}
