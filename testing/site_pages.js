import { instrumentHtml } from '../instrumenter/pages/html.js';
import { SourceError } from '../instrumenter/source_error.js';
import { pageReplacements } from './html_page.js';
import { nameOf, tableName } from './site_names.js';

/** @import { Replacement } from '../instrumenter/pages/html_scripts.js' */
/** @import { Functions } from './no_probes.js' */
/** @import { RunSettings } from './options.js' */

/** @typedef {{code: string, name?: string, table?: Uint8Array}} SitePage with probes in its inline scripts, and their function table with the name of that, if there is one */

/** The pages of a site: our scripts come first in them, and their inline scripts get probes. */
export class SitePages {
  #instrument;
  #note;
  #addressOfTable;
  /** Of inline scripts, by address of the page. @type {Map<string, Functions>} */
  #functions = new Map();

  /**
   * @param {RunSettings} settings
   * @param {(note: string) => void} note
   * @param {(name: string) => string} addressOfTable by which scripts get theirs
   */
  constructor({ instrument }, note, addressOfTable) {
    this.#instrument = instrument;
    this.#note = note;
    this.#addressOfTable = addressOfTable;
  }

  /** @returns {Functions[]} of inline scripts, by page */
  get functions() {
    return [...this.#functions.values()];
  }

  /** @param {string} url @param {string} html @param {string} ownTags that have to come first @returns {SitePage} */
  page(url, html, ownTags) {
    const name = tableName(url, html);
    const replacements = pageReplacements(html, ownTags);
    try {
      const { code, summary, table } = instrumentHtml(html, {
        file: nameOf(url, 'index.html'),
        tableName: this.#addressOfTable(name),
        probe: this.#instrument.probe,
        minWeight: this.#instrument.minWeight,
        replacements,
      });
      this.#functions.set(url, summary);
      return table ? { code, name, table } : { code };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.#note(
        `${url}:${error.line}:${error.column}: ${error.message}; inline scripts of the page have no probes`,
      );
      return { code: replaced(html, replacements) };
    }
  }
}

/** @param {string} text @param {Replacement[]} replacements */
function replaced(text, replacements) {
  return [...replacements]
    .sort((a, b) => b.start - a.start)
    .reduce((before, { start, end, value }) => before.slice(0, start) + value + before.slice(end), text);
}
