/**
 * What bundlers put into names of scripts, so that they change with what is in them: 8 characters of which some may be `-`, or more, or 6
 * or 7 hexadecimal ones, as Git's. Words rarely have digits or capitals, and those that have are told apart by the runs.
 */
const HASH = /[.-](?=[\w-]*[\dA-Z])(?:[\da-f]{6,7}|[\w-]{8}|\w{9,})(?=(?:\.\w+)*\.[cm]?js$)/;

/** Which files of several builds are the same: those whose names differ in the hash alone, unless a run has two of them. */
export class BuildFiles {
  /** Names without hash that are of several files in a run. @type {Set<string>} */
  #ambiguous = new Set();

  /** @param {string[]} addresses of one run */
  add(addresses) {
    /** @type {Set<string>} */
    const names = new Set();
    for (const path of new Set(addresses.map(pathOf))) {
      const name = path.replace(HASH, '');
      if (names.has(name)) this.#ambiguous.add(name);
      names.add(name);
    }
  }

  /** When all runs are known. @param {string} path @returns {string} the same for the same file of all builds */
  nameOf(path) {
    const name = path.replace(HASH, '');
    return this.#ambiguous.has(name) ? path : name;
  }
}

/** @param {string} address @returns {string} without what differs between two servers, or from one blob to the next */
export function pathOf(address) {
  if (address.startsWith('blob:')) return 'blob:';
  return address.replace(/[?#].*$/, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '');
}
