import fs from 'node:fs';
import path from 'node:path';
import { decodedMap } from '../decoded_map.js';
import { mapMisfit } from '../map_misfit.js';

/** The last one of the file is the one that counts. */
const COMMENT = /^[ \t]*\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm;

/** @param {string} code @returns {string | undefined} address of the source map that the code names */
export function sourceMapUrl(code) {
  return [...code.matchAll(COMMENT)].at(-1)?.[1];
}

/**
 * @param {string} code
 * @param {string} file where it was read from
 * @returns {{map: object | null, file: string | null, problem: string | null}} the source map that the code names; `file`: the one
 *   it was read from; `problem`: why there is none although the code names one
 */
export function readSourceMap(code, file) {
  const url = sourceMapUrl(code);
  if (url === undefined) return { map: null, file: null, problem: null };
  const inline = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(url);
  const mapFile = inline ? null : path.join(path.dirname(file), decodeURI(url));
  const name = mapFile ?? 'in the file itself';
  const none = (/** @type {string} */ problem) => ({
    map: null,
    file: null,
    problem: `source map ${name} ${problem}`,
  });
  try {
    const json = inline
      ? decodeData(inline[2], Boolean(inline[1]))
      : fs.readFileSync(String(mapFile), 'utf8');
    const map = JSON.parse(json);
    const misfit = mapMisfit(code, decodedMap(map));
    return misfit ? none(`is not of this script: ${misfit}`) : { map, file: mapFile, problem: null };
  } catch (error) {
    return none(`cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string} data @param {boolean} isBase64 */
function decodeData(data, isBase64) {
  return isBase64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
}

/**
 * @param {string} code
 * @param {string} url of its source map
 * @returns {string} the code with the comment that names it, in place of the one it had
 */
export function withSourceMapComment(code, url) {
  const comment = `//# sourceMappingURL=${encodeURI(url)}`;
  const last = [...code.matchAll(COMMENT)].at(-1);
  if (!last) return `${code}${code.endsWith('\n') ? '' : '\n'}${comment}\n`;
  return code.slice(0, last.index) + comment + code.slice(last.index + last[0].length);
}

/** @param {object} map @returns {string} a URL that holds it */
export function dataUrl(map) {
  return `data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}
