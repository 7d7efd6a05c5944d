import { isUtf8 } from 'node:buffer';
// @ts-expect-error It has no types of its own.
import sniff from 'html-encoding-sniffer';

/** What browsers take a page for that says nothing of it. */
const DEFAULT_ENCODING = 'windows-1252';

/** The texts of a site as browsers read them: by their first bytes, by their header, by what a page says itself; and what says nothing as UTF-8 if it can be. */
export class SiteTexts {
  /** Of the latest page, and so of its scripts that say nothing else. @type {string} */
  #encoding = DEFAULT_ENCODING;

  /**
   * @param {Uint8Array} bytes
   * @param {'document' | 'script' | 'worker'} kind workers' scripts are UTF-8 unless they say something else
   * @param {string} [contentType] of the header
   * @returns {string}
   */
  read(bytes, kind, contentType = '') {
    const isPage = kind === 'document';
    const otherwise = { document: DEFAULT_ENCODING, script: this.#encoding, worker: 'UTF-8' }[kind];
    const encoding = sniff(bytes, {
      // Scripts have no tags that tell.
      xml: !isPage,
      transportLayerEncodingLabel: /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1],
      defaultEncoding: isUtf8(bytes) ? 'UTF-8' : otherwise,
    });
    if (isPage) this.#encoding = encoding;
    return decoderOf(encoding).decode(bytes);
  }
}

/** @param {string} encoding */
function decoderOf(encoding) {
  try {
    return new TextDecoder(encoding);
  } catch {
    // Some that pages may name are of browsers alone.
    return new TextDecoder();
  }
}
