import { afterBlanks } from '../text/blanks.js';

/** The comment that names a source map. If no code follows it, it cannot be inside a string: the address contains no quote that would end one. */
const COMMENT = /\/[/*][#@][ \t]*sourceMappingURL=([^\s"'`\]*]+)[ \t]*(?:\*\/|$)/dgm;

/**
 * The last such comment behind all code: JavaScriptExtractSourceMapURL of https://tc39.es/ecma426/.
 * @param {string} code
 * @returns {{url: string, start: number, end: number} | undefined} address of the source map that the code names, and where that is
 */
function namedMap(code) {
  const match = [...code.matchAll(COMMENT)].at(-1);
  if (!match || afterBlanks(code, match.index + match[0].length) < code.length) return undefined;
  const [start, end] = /** @type {RegExpIndicesArray} */ (match.indices)[1];
  return { url: match[1], start, end };
}

/** @param {string} code @returns {string | undefined} address of the source map that the code names */
export function sourceMapUrl(code) {
  return namedMap(code)?.url;
}

/**
 * @param {string} code
 * @param {string} url of its source map
 * @returns {string} the code that names it, in place of the one that it named
 */
export function withSourceMapComment(code, url) {
  const named = namedMap(code);
  if (named) return code.slice(0, named.start) + url + code.slice(named.end);
  return `${code}${code.endsWith('\n') ? '' : '\n'}//# sourceMappingURL=${url}\n`;
}

/** @param {object} map @returns {string} a URL that holds it */
export function dataUrl(map) {
  return `data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}
