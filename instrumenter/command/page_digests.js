import { createHash } from 'node:crypto';
import { decodedAddress } from '../pages/decoded_address.js';
import { withIntegrity } from '../pages/html_scripts.js';

const TEXTS_OF_SCRIPTS = /(?<=<script\b[^>]*>)[^]*?(?=<\/script)/gi;

/** Digests of scripts in pages: a changed script would be refused. */
export class PageDigests {
  #changed;
  #digests;

  /**
   * @param {ReadonlyMap<string, string | Uint8Array>} changed scripts that are no longer what they were, by name
   * @param {import('./script_digests.js').ScriptDigests} digests of all scripts
   */
  constructor(changed, digests) {
    this.#changed = changed;
    this.#digests = digests;
  }

  /** @param {string} html @param {string} page its name @returns {string} with the digests of the scripts as they are now */
  updated(html, page) {
    const inAttributes = withIntegrity(html, (url, algorithm, base) =>
      this.#digest(page, url, algorithm, base),
    );
    // Those in attributes are of what their addresses lead to.
    return inAttributes.replace(TEXTS_OF_SCRIPTS, (text) => this.#digests.updated(text));
  }

  /** @param {string} page name @param {string} url as the page has it @param {string} algorithm @param {string} base of the page @returns {string | null} */
  #digest(page, url, algorithm, base) {
    const site = 'http://site.invalid/';
    if (!URL.canParse(base, site + page)) return null;
    const folder = new URL('.', new URL(base, site + page));
    const target = URL.canParse(url, folder) ? new URL(url, folder) : null;
    if (!target?.href.startsWith(site)) return null;
    // A base may be the path that this folder is served at.
    const names = [site, folder.href]
      .filter((start) => target.href.startsWith(start))
      .map((start) => decodedAddress(target.pathname.slice(new URL(start).pathname.length)));
    const script = names.map((name) => this.#changed.get(name)).find((content) => content !== undefined);
    return script === undefined ? null : createHash(algorithm).update(script).digest('base64');
  }
}
