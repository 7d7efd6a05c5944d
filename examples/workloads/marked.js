import { Marked } from 'marked';
import { Digest } from './lib/digest.js';

/**
 * marked renders the README and CHANGELOG files of a few hundred packages, again and again: regular expressions and strings.
 *
 * @typedef {Record<string, string>} Input Markdown text by path
 */

/** Rounds over all files at scale 1. */
const ROUNDS = 24;

/**
 * @param {Input} input
 * @param {number} scale how often all files are rendered; below 1 / ROUNDS a part of them, once
 * @returns {string} digest of the HTML
 */
export function run(input, scale) {
  const digest = new Digest();
  const texts = Object.values(input);
  const documents = Math.ceil(texts.length * ROUNDS * scale);
  const marked = new Marked({ gfm: true }, { walkTokens: slugOfHeading() });
  for (let i = 0; i < documents; i++) {
    digest.add(/** @type {string} */ (marked.parse(texts[i % texts.length], { async: false })));
  }
  return String(digest);
}

/** What most sites add to marked: anchors for headings. @returns {(token: import('marked').Token) => void} */
function slugOfHeading() {
  /** @type {Map<string, number>} */
  const used = new Map();
  return (token) => {
    if (token.type !== 'heading') return;
    const slug = token.text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    token.text = count ? `${slug}-${count}` : slug;
  };
}
