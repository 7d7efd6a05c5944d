import { printable } from './terminal/terminal.js';
import { FileError } from './reading/trace_error.js';

/** @import { TraceError } from './reading/trace_error.js' */

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
    this.#hasOtherFiles ||= error.place === '' && !(error instanceof FileError);
    this.addText(error.message);
  }

  /** @param {string} message */
  addText(message) {
    this.#count++;
    this.#tell(`error: ${message}`);
  }

  /** @param {string} message of what is no failure */
  warn(message) {
    this.#tell(`warning: ${message}`);
  }

  /** @param {string} path @returns {boolean} whether one was told of this file or folder itself */
  isAbout(path) {
    return this.#files.has(path);
  }

  /** @returns {boolean} whether there were none */
  finish() {
    if (this.#hasOtherFiles) this.#tell(ADVICE);
    return this.#count === 0;
  }

  /** @param {string} line */
  #tell(line) {
    this.#complain(`${printable(line)}\n`);
  }
}
