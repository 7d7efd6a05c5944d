import { attribute, blank, elements } from './html_scripts.js';

/** @import { Replacement } from './html_scripts.js' */

/**
 * Digests that a page has of its scripts are wrong once these are changed on their way.
 * @param {string} html
 * @returns {string} without them; everything keeps its place
 */
export function withoutDigests(html) {
  return digestsIn(html).reduceRight(
    (text, { start, end, value }) => text.slice(0, start) + value + text.slice(end),
    html,
  );
}

/** @param {string} html @returns {Replacement[]} that take them out, in the order of the page */
export function digestsIn(html) {
  const found = [];
  for (const element of elements(html, ['script', 'link'])) {
    const place = element.sourceCodeLocation?.attrs?.integrity;
    if (place) found.push(blank(html, place.startOffset, place.endOffset));
    const text = element.childNodes[0]?.sourceCodeLocation;
    if (attribute(element, 'type')?.toLowerCase() !== 'importmap' || !text) continue;
    const member = html.slice(text.startOffset, text.endOffset).search(/"integrity"\s*:/);
    const start = text.startOffset + member + 1;
    // A member that no browser knows.
    if (member >= 0) found.push({ start, end: start + 1, value: '-' });
  }
  return found;
}

/** Runs first in a page: digests that it gives scripts which it loads itself are kept from the browser. Its text goes there, so that it sees nothing of this file. */
export function ignoreDigests() {
  const kept = 'data-integrity';
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (/** @type {string} */ name, /** @type {string} */ value) {
    // Pages call it often: what is quick to tell comes first.
    const isDigest = name?.length === 9 && /^integrity$/i.test(name) && this.matches('script, link');
    return setAttribute.call(this, isDigest ? kept : name, value);
  };
  for (const { prototype } of [HTMLScriptElement, HTMLLinkElement]) {
    Object.defineProperty(prototype, 'integrity', {
      get() {
        return this.getAttribute(kept) ?? '';
      },
      set(value) {
        setAttribute.call(this, kept, value);
      },
      configurable: true,
      enumerable: true,
    });
  }
}
