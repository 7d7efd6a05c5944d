import fs from 'node:fs';
import path from 'node:path';
import { TraceMap } from '@jridgewell/trace-mapping';
import { afterBlanks } from '../text/blanks.js';
import { decodedAddress } from '../pages/decoded_address.js';
import { decodedMap, parseMap } from '../maps/decoded_map.js';
import { mapMisfit } from '../maps/map_misfit.js';
import { withSourcesFrom } from '../maps/moved_sources.js';

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
 * @typedef {object} ScriptMap of a script: the one that it names or, hidden from browsers, the one beside it
 * @property {object | null} map with sources that are relative to the script, wherever it was read from
 * @property {string[]} sources of the map, without its root
 * @property {string | null} file that it was read from; null: none, or the script itself
 * @property {boolean} isHidden the script does not name it
 * @property {string | null} problem why there is none, although there seems to be one
 */

/** @param {string} code @param {string} file where it was read from @returns {ScriptMap} */
export function readSourceMap(code, file) {
  const url = sourceMapUrl(code);
  const beside = `${file}.map`;
  const isHidden = url === undefined && fs.existsSync(beside);
  const none = { map: null, sources: [], file: null, isHidden: false, problem: null };
  if (url === undefined && !isHidden) return none;
  const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(url ?? '');
  const named = () => path.join(path.dirname(file), decodedAddress(String(url).replace(/[?#].*$/s, '')));
  const mapFile = inline ? null : isHidden ? beside : named();
  const refused = (/** @type {string} */ problem) => ({
    ...none,
    problem: `source map ${mapFile ?? 'in the file itself'} ${problem}`,
  });
  try {
    const json = inline
      ? decodeData(inline[2], Boolean(inline[1]))
      : fs.readFileSync(String(mapFile), 'utf8');
    const parsed = parseMap(json);
    const decoded = decodedMap(parsed);
    const misfit = mapMisfit(code, decoded);
    if (misfit) return refused(`is not of this script: ${misfit}`);
    const folder = path.relative(path.dirname(file), path.dirname(mapFile ?? file));
    const moved = folder === '' ? decoded : withSourcesFrom(decoded, folder.split(path.sep).join('/'));
    const sources = new TraceMap(moved).resolvedSources.filter((source) => source !== null);
    return { map: folder === '' ? parsed : moved, sources, file: mapFile, isHidden, problem: null };
  } catch (error) {
    return refused(`cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} data @param {boolean} isBase64 */
function decodeData(data, isBase64) {
  return isBase64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
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
