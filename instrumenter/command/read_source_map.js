import fs from 'node:fs';
import path from 'node:path';
import { TraceMap } from '@jridgewell/trace-mapping';
import { decodedMap, parseMap } from '../maps/decoded_map.js';
import { mapMisfit } from '../maps/map_misfit.js';
import { withSourcesFrom } from '../maps/moved_sources.js';
import { sourceMapUrl } from '../maps/source_map_comment.js';
import { decodedAddress } from '../pages/decoded_address.js';

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
