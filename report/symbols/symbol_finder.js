import { symbolsAt } from './server_symbols.js';
import { folderBelow, symbolsIn } from './symbol_files.js';

/** @import { Symbols } from './symbolicate.js' */

/** More names than this say no more. */
const MAX_NAMED = 10;

/**
 * @typedef {object} SymbolFolder where the symbols of some scripts are
 * @property {string} folder a folder, or the address of a server: `http://localhost:5173`
 * @property {string} [pattern] of the scripts' addresses, with `*` for anything; by default all. What comes before the first `*` is no
 *   part of the path in the folder
 */

/** Symbols from several folders and servers, each script read once; and what was missing, for one message in the end. */
export class SymbolFinder {
  /** @type {{matches: RegExp, prefix: number, folder: string, symbolsOf: (resource: string, debugId?: string) => Symbols | null | Promise<Symbols | null>}[]} */
  #folders;
  /** @type {Map<string, Promise<Symbols | null>>} */
  #known = new Map();
  /** @type {Set<string>} */
  #missing = new Set();
  /** Those of the missing ones for which a file was found, but could not be read. @type {Set<string>} */
  #unread = new Set();
  /** Functions that tables do not have, by table. @type {Map<string, Set<string>>} */
  #strays = new Map();
  /** @type {string[]} files that are broken, in words */
  broken = [];

  /** @param {SymbolFolder[]} folders the first one that has something wins */
  constructor(folders) {
    this.#folders = folders.map(({ folder, pattern = '*' }) => ({
      folder,
      matches: new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's'),
      prefix: pattern.indexOf('*'),
      symbolsOf: isAddress(folder) ? symbolsAt(folder, this.#onStray) : symbolsIn(folder, this.#onStray),
    }));
  }

  /**
   * @param {string} resource address of a script or of a page with inline scripts
   * @param {string} [debugId] of the script, if known
   * @returns {Promise<Symbols | null>} never rejects: a broken file is noted, and as good as none
   */
  find(resource, debugId) {
    const key = `${debugId ?? ''} ${resource}`;
    const known = this.#known.get(key) ?? this.#look(resource, debugId);
    this.#known.set(key, known);
    return known;
  }

  /** @returns {string[]} what was missing, and which tables seem not to be those of the scripts */
  warnings() {
    const warnings = [...this.#strays].map(
      ([file, strays]) =>
        `${file} has no function ${someOf([...strays])}: was it made by another build than the script?`,
    );
    const missing = [...this.#missing];
    if (missing.length === 0 || this.#folders.length === 0) return warnings;
    const folders = this.#folders.map(({ folder }) => folder);
    const count = missing.length === 1 ? '' : `${missing.length} scripts: `;
    const elsewhere = missing.filter((resource) => !this.#unread.has(resource));
    return [
      `${folders.join(' and ')} has no function table and no source map of ${count}${someOf(missing)}${hintFor(elsewhere, folders)}`,
      ...warnings,
    ];
  }

  /** @type {import('./table_symbols.js').OnStray} */
  #onStray = (file, { name, line, column }) => {
    const strays = this.#strays.get(file) ?? new Set();
    this.#strays.set(file, strays.add(`${name || '(anonymous)'} at ${line}:${column}`));
  };

  /** @param {string} resource @param {string} [debugId] @returns {Promise<Symbols | null>} */
  async #look(resource, debugId) {
    for (const { matches, prefix, symbolsOf } of this.#folders) {
      if (!matches.test(resource)) continue;
      try {
        const symbols = await symbolsOf(prefix > 0 ? `/${resource.slice(prefix)}` : resource, debugId);
        if (symbols) return symbols;
      } catch (error) {
        this.#unread.add(resource);
        this.broken.push(/** @type {Error} */ (error).message);
      }
    }
    this.#missing.add(resource);
    return null;
  }
}

/** @param {string[]} resources that were not found @param {string[]} folders and servers @returns {string} where they may be, if anything tells */
function hintFor(resources, folders) {
  const [deeper] = folders.flatMap((folder) =>
    isAddress(folder) ? [] : (folderBelow(folder, resources) ?? []),
  );
  if (deeper !== undefined) return `; --tables ${deeper} has`;
  const starts = folders.filter(isAddress).map((address) => new URL(address).href);
  const unasked = resources.find(
    (resource) => isAddress(resource) && !starts.some((start) => resource.startsWith(start)),
  );
  if (starts.length === 0 || unasked === undefined) return '';
  return `; only what begins with ${starts.join(' or ')} is asked for: give --tables ${new URL(unasked).origin}`;
}

/** @param {string} folder @returns {boolean} */
export function isAddress(folder) {
  return /^https?:\/\//.test(folder) && URL.canParse(folder);
}

/** @param {string[]} names @returns {string} */
function someOf(names) {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return names.slice(0, MAX_NAMED).join(', ') + more;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
