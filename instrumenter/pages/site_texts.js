import { isUtf8 } from 'node:buffer';
// Node 20 takes windows-1252 for Latin-1.
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
// @ts-expect-error It has no types of its own.
import sniff from 'html-encoding-sniffer';

/** What browsers take a page for that says nothing of it. */
const DEFAULT_ENCODING = 'windows-1252';

/** That of a page's script that says nothing, and whose tag alone may say what it is: no byte is lost with it. */
const ANY_BYTES = 'windows-1252';

/**
 * @typedef {object} SiteText
 * @property {string} text
 * @property {(changed: string) => {body: Buffer, charset: string | null}} write it again after a change; null: nobody is to say in what encoding, as before. What says it
 *   stays in its encoding, by which browsers also write what a page's forms and links ask for; only what cannot is UTF-8
 */

/** The texts of a site as browsers read them: by their first bytes, by their header, by what a page says itself; and what says nothing as UTF-8 if it can be. */
export class SiteTexts {
  /** Of the latest page, and so of its scripts that say nothing else. @type {string} */
  #encoding = DEFAULT_ENCODING;

  /**
   * @param {Uint8Array} bytes
   * @param {'document' | 'script' | 'worker'} kind workers' scripts are UTF-8 unless they say something else
   * @param {string} [contentType] of the header
   * @returns {SiteText}
   */
  read(bytes, kind, contentType = '') {
    const isPage = kind === 'document';
    const said = sniff(bytes, {
      // Scripts have no tags that tell.
      xml: !isPage,
      transportLayerEncodingLabel: /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1],
      defaultEncoding: null,
    });
    const otherwise = { document: DEFAULT_ENCODING, script: this.#encodingOfScript(), worker: 'UTF-8' }[kind];
    const encoding = said ?? (isUtf8(bytes) ? 'UTF-8' : otherwise);
    if (isPage) this.#encoding = encoding;
    const isTold = isPage || said !== null;
    const text = decoderOf(encoding).decode(bytes);
    const encode = encoderOf(encoding, text, bytes);
    return {
      text,
      write(changed) {
        const body = encode(changed);
        if (!body) return { body: Buffer.from(changed), charset: 'utf-8' };
        return { body, charset: isTold ? encoding.toLowerCase() : null };
      },
    };
  }

  #encodingOfScript() {
    return this.#encoding === 'UTF-8' ? ANY_BYTES : this.#encoding;
  }
}

/** @param {string} mediaType @param {string | null} charset as of `write` @returns {string} header Content-Type */
export function contentTypeOf(mediaType, charset) {
  return charset ? `${mediaType}; charset=${charset}` : mediaType;
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

/**
 * @param {string} encoding @param {string} text @param {Uint8Array} bytes that were read as `text`
 * @returns {(text: string) => Buffer | null} null: it cannot be written so
 */
function encoderOf(encoding, text, bytes) {
  if (encoding === 'UTF-8') return (changed) => Buffer.from(changed);
  const encode = (/** @type {string} */ changed) => {
    for (const create of [createSinglebyteEncoder, createMultibyteEncoder]) {
      try {
        return Buffer.from(create(encoding.toLowerCase())(changed));
      } catch {
        // It is one of the others, or has no such characters.
      }
    }
    return null;
  };
  return encode(text)?.equals(bytes) ? encode : () => null;
}
