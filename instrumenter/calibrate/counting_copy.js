import path from 'node:path';
import { listFunctions, listPageFunctions } from '../budget/list_functions.js';
import { instrument, SourceError } from '../instrument.js';
import { decodedMap } from '../maps/decoded_map.js';
import { withSourcesFrom } from '../maps/moved_sources.js';
import { sourceMapUrl } from '../maps/source_map_comment.js';
import { decodedAddress } from '../pages/decoded_address.js';
import { withoutDigests } from '../pages/digests.js';
import { instrumentHtml } from '../pages/html.js';
import { SiteTexts } from '../pages/site_texts.js';
import { withSourcePaths } from '../sources/source_path.js';

/** @typedef {import('../budget/list_functions.js').ListedFunction} ListedFunction */

const FETCH_TIMEOUT_MS = 10_000;

/**
 * The scripts and pages of a site as counting ones, and what functions they have.
 */
export class CountingCopies {
  /** Of each address without its fragment. @type {Map<string, ListedFunction[]>} */
  functions = new Map();
  /** What was left as it is, and why. @type {string[]} */
  notes = [];
  texts = new SiteTexts();
  #root;
  #site;
  /** Of scripts that were asked for before, under whatever address. @type {Map<string, Promise<{output: string, functions: ListedFunction[]}>>} */
  #known = new Map();

  /**
   * @param {string} root the project's folder: sources are called by their paths in it
   * @param {string} site the folder that is served, as far as one knows
   */
  constructor(root, site) {
    this.#root = root;
    this.#site = site;
  }

  /** @param {string} url @param {string} code @returns {Promise<string>} */
  async script(url, code) {
    const name = `${new URL(url).pathname}\0${code}`;
    let copy = this.#known.get(name);
    if (!copy) this.#known.set(name, (copy = this.#scriptCopy(url, code)));
    const { output, functions } = await copy;
    this.functions.set(withoutFragment(url), functions);
    return output;
  }

  /** @param {string} url @param {string} code */
  async #scriptCopy(url, code) {
    const { file, folder } = this.#place(url);
    const map = await this.#sourceMap(url, code);
    const inputMap = map && withSourcePaths(map, { root: this.#root, folder });
    /** @type {ListedFunction[]} */
    let functions = [];
    const output = this.#copy(url, code, (options) => {
      const settings = { ...options, file, inputMap };
      functions = listFunctions(code, settings);
      return instrument(code, { ...settings, sourceMap: false });
    });
    return { output, functions };
  }

  /** @param {string} url @param {string} page @returns {string} */
  page(url, page) {
    const { file } = this.#place(url);
    const html = withoutDigests(page);
    return this.#copy(url, html, (options) => {
      this.functions.set(withoutFragment(url), listPageFunctions(html, { ...options, file }));
      return instrumentHtml(html, { ...options, file });
    });
  }

  /** @param {string} url @param {string} text @param {(options: {probe: string, minWeight: number}) => {code: string, summary: import('../summary.js').Summary}} make */
  #copy(url, text, make) {
    try {
      const { code, summary } = make({ probe: 'count', minWeight: 0 });
      if (summary.alreadyInstrumented)
        this.notes.push(
          `${url} had probes before: its functions are not counted; calibrate the site without probes`,
        );
      return code;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.notes.push(
        `${url}:${error.line}:${error.column}: ${error.message}; its functions are not counted`,
      );
      return text;
    }
  }

  /** @param {string} url */
  #place(url) {
    const name = decodedAddress(new URL(url).pathname).slice(1);
    const file = name === '' || name.endsWith('/') ? `${name}index.html` : name;
    return { file, folder: path.join(this.#site, path.dirname(file)) };
  }

  /** @param {string} url @param {string} code @returns {Promise<object | undefined>} with sources that are relative to the script */
  async #sourceMap(url, code) {
    const address = sourceMapUrl(code);
    if (!address) return undefined;
    try {
      const response = await fetch(new URL(address, url), { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const map = decodedMap(await response.text());
      if (address.startsWith('data:')) return map;
      const from = path.posix.dirname(this.#place(url).file);
      const to = path.posix.dirname(this.#place(new URL(address, url).href).file);
      return withSourcesFrom(map, path.posix.relative(from, to));
    } catch (error) {
      const reason = /** @type {Error} */ (error).message;
      this.notes.push(
        `${url}: its source map cannot be read (${reason}): its functions are called by the script's names`,
      );
      return undefined;
    }
  }
}

/** @param {string} url @returns {string} */
export function withoutFragment(url) {
  return url.replace(/#.*$/s, '');
}
