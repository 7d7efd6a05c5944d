import { sharedSymbols } from '../report/symbols/table_symbols.js';
import { withoutQuery } from './site_names.js';

/** @import { Symbols } from '../report/symbols/symbolicate.js' */

/** The function tables of a site's scripts and pages. */
export class SiteTables {
  /** By address, for each address without its query. @type {Map<string, Map<string, Uint8Array>>} */
  #tables = new Map();

  /** @param {string} url of the script or page @param {Uint8Array} table in the place of an earlier one */
  add(url, table) {
    const path = withoutQuery(url);
    const sameFile = this.#tables.get(path) ?? new Map();
    this.#tables.set(path, sameFile.set(url, table));
  }

  /** @param {string} resource as a trace names it: of WebKit without its query @returns {Symbols | null} */
  symbolsOf(resource) {
    const tables = this.#tables.get(withoutQuery(resource));
    if (!tables) return null;
    const own = tables.get(resource);
    const others = [...tables.values()].filter((table) => table !== own);
    if (!own) return sharedSymbols(others, resource);
    return sharedSymbols(resource.includes('?') ? [own] : [own, ...others], resource);
  }
}
