import { parse, defaultTreeAdapter as tree } from 'parse5';
import { digestsIn } from '../instrumenter/pages/digests.js';
import { attribute, blank, elements } from '../instrumenter/pages/html_scripts.js';

/** @import { Replacement } from '../instrumenter/pages/html_scripts.js' */

/**
 * What has to change in a page beside its inline scripts, so that it can be profiled: scripts of ours come first, and what forbids
 * changed scripts is gone. Everything keeps its place, but for what follows our scripts on their line.
 * @param {string} html
 * @param {string} first tags that go before everything that runs; on one line
 * @returns {Replacement[]}
 */
export function pageReplacements(html, first) {
  const at = startOfContent(html);
  return [{ start: at, end: at, value: first }, ...digestsIn(html), ...policies(html)];
}

/** @param {string} html @returns {number} offset after the tags `<head>` and `<html>`, those that are written */
function startOfContent(html) {
  const page = parse(html, { sourceCodeLocationInfo: true });
  const root = page.childNodes.find(tree.isElementNode);
  const head = root?.childNodes.find(tree.isElementNode);
  const doctype = page.childNodes.find(tree.isDocumentTypeNode);
  return (
    head?.sourceCodeLocation?.startTag?.endOffset ??
    root?.sourceCodeLocation?.startTag?.endOffset ??
    doctype?.sourceCodeLocation?.endOffset ??
    0
  );
}

/** @param {string} html @returns {Replacement[]} */
function policies(html) {
  return elements(html, ['meta']).flatMap((element) => {
    const place = element.sourceCodeLocation;
    const name = attribute(element, 'http-equiv')?.trim();
    return place && /^content-security-policy$/i.test(name ?? '')
      ? [blank(html, place.startOffset, place.endOffset)]
      : [];
  });
}
