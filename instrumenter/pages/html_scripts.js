import { parse, defaultTreeAdapter as tree } from 'parse5';
import { withDigests } from './integrity.js';

/**
 * @typedef {import('parse5').DefaultTreeAdapterTypes.Element} Element
 * @typedef {(url: string, algorithm: string, base: string) => string | null} IntegrityOf base64 digest (`sha256`, `sha384`, `sha512`) of
 *   what a URL of the page, as it is written there, will load; `base`: of the page's `<base>`, empty without one; null: as before
 * @typedef {{start: number, end: number, value: string}} Replacement of what is between two offsets of a page
 */

/** The MIME types of the HTML standard that mean JavaScript, after `text/` or `application/`. */
const JAVASCRIPT =
  /^(text|application)\/(x-)?(java|ecma)script$|^text\/(javascript1\.[0-5]|jscript|livescript)$/;

const WHITE_SPACE_AROUND = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g;

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

/**
 * @param {string} html
 * @returns {{start: number, end: number, sourceType: 'script' | 'module'}[]} the inline scripts that run, by the offsets of their
 *   texts, in order
 */
export function findScripts(html) {
  const found = [];
  for (const element of elements(html, ['script'])) {
    const sourceType = scriptType(element);
    const location = element.childNodes[0]?.sourceCodeLocation;
    if (!sourceType || !location || attribute(element, 'src') !== undefined) continue;
    found.push({ start: location.startOffset, end: location.endOffset, sourceType });
  }
  return found;
}

/**
 * @param {string} html
 * @param {IntegrityOf} integrityOf
 * @returns {string} with other digests in `integrity` attributes, where these are no longer right
 */
export function withIntegrity(html, integrityOf) {
  const [base = ''] = elements(html, ['base']).flatMap((element) => attribute(element, 'href') ?? []);
  let output = '';
  let end = 0;
  for (const element of elements(html, ['script', 'link'])) {
    const url = attribute(element, 'src') ?? attribute(element, 'href');
    const location = element.sourceCodeLocation?.attrs?.integrity;
    if (!location || url === undefined) continue;
    const { startOffset, endOffset } = location;
    const attr = html.slice(startOffset, endOffset);
    output += html.slice(end, startOffset);
    output += withDigests(attr, (algorithm) => integrityOf(url, algorithm, base));
    end = endOffset;
  }
  return output + html.slice(end);
}

/**
 * As of https://html.spec.whatwg.org/multipage/scripting.html#prepare-the-script-element.
 * @param {Element} script
 * @returns {'script' | 'module' | null} null: it does not run
 */
export function scriptType(script) {
  const type = attribute(script, 'type');
  const language = attribute(script, 'language');
  if (!(type ?? language)) return 'script';
  const kind = (type?.replace(WHITE_SPACE_AROUND, '') ?? `text/${language}`).toLowerCase();
  if (kind === 'module') return 'module';
  return JAVASCRIPT.test(kind) ? 'script' : null;
}

/** @param {Element} element @param {string} name @returns {string | undefined} */
export function attribute(element, name) {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

/** As long as what it replaces. @param {string} html @param {number} start @param {number} end @returns {Replacement} */
export function blank(html, start, end) {
  return { start, end, value: html.slice(start, end).replace(/[^\r\n]/g, ' ') };
}

/** @param {string} html @param {string[]} tagNames @returns {Element[]} in document order, without those in templates */
export function elements(html, tagNames) {
  /** @type {Element[]} */
  const found = [];
  /** @param {import('parse5').DefaultTreeAdapterTypes.ParentNode} parent */
  const search = (parent) => {
    for (const node of parent.childNodes) {
      if (!tree.isElementNode(node)) continue;
      if (tagNames.includes(node.tagName) && node.namespaceURI === HTML_NAMESPACE) found.push(node);
      search(node);
    }
  };
  search(parse(html, { sourceCodeLocationInfo: true }));
  return found;
}
