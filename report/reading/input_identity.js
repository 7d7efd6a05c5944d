import { fstatSync, statSync } from 'node:fs';
import { inputFiles, STDIN } from './input_files.js';

/** What is read, to be asked about a file that is to be written. */
export class InputIdentity {
  #paths;
  /** @type {Map<string, string> | undefined} files as they are called, by what they are */
  #files;

  /** @param {string[]} paths files, folders of them or `-`: standard input */
  constructor(paths) {
    this.#paths = paths;
  }

  /** @param {string} file @returns {string | undefined} the input that it is, whatever link or other name leads there */
  inputAt(file) {
    const identity = identityOf(file);
    return identity === undefined ? undefined : this.#known().get(identity);
  }

  /** Only when asked: thousands of files are looked at. */
  #known() {
    if (this.#files) return this.#files;
    this.#files = new Map();
    for (const file of this.#paths.flatMap(filesOrNone)) {
      const identity = identityOf(file);
      if (identity !== undefined && !this.#files.has(identity)) this.#files.set(identity, file);
    }
    return this.#files;
  }
}

/** @param {string} path @returns {string[]} */
function filesOrNone(path) {
  try {
    return inputFiles(path).map(({ file }) => file);
  } catch {
    // Whoever reads says why it cannot be read.
    return [];
  }
}

/** @param {string} file @returns {string | undefined} undefined: there is none, or what writing does not replace */
function identityOf(file) {
  try {
    const options = /** @type {const} */ ({ bigint: true });
    const stats = file === STDIN ? fstatSync(0, options) : statSync(file, options);
    return stats.isFile() ? `${stats.dev} ${stats.ino}` : undefined;
  } catch {
    return undefined;
  }
}
