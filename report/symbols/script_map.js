import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMap } from '../../instrumenter/maps/decoded_map.js';
import { sourceMapUrl } from '../../instrumenter/maps/source_map_comment.js';
import { download } from './download.js';
import { scriptPaths } from './symbol_files.js';

/**
 * @typedef {object} FoundMap
 * @property {any} map null: there is none
 * @property {string} url that its sources are relative to
 * @property {MapProblem | null} problem there is none although the script names one
 *
 * @typedef {{message: string, reason: string}} MapProblem which one, and why; and why, by itself
 */

/**
 * The source map of a script that a browser loads: in one of the folders, or where its server or the script say.
 * @param {{url: string, code: string, told?: string, folders?: readonly string[], start?: string}} script `told`: the server's header
 *   `SourceMap`; `start`: how addresses begin that may be asked for, by default as they like
 * @returns {Promise<FoundMap>}
 */
export async function findSourceMap({ url, code, told, folders = [], start = '' }) {
  for (const folder of folders) {
    for (const path of scriptPaths(url)) {
      const file = join(folder, `${path}.map`);
      if (existsSync(file)) return read(() => readFileSync(file, 'utf8'), url, file);
    }
  }
  const named = told ?? sourceMapUrl(code);
  if (named === undefined || !URL.canParse(named, url)) return { map: null, url, problem: null };
  const address = new URL(named, url).href;
  const isInside = address.startsWith('data:');
  return read(
    async () => {
      if (!isInside && !address.startsWith(start))
        throw new Error(`only what begins with ${start} is asked for`);
      return new TextDecoder().decode(await download(address));
    },
    isInside ? url : address,
    isInside ? `${url} (in the script)` : address,
  );
}

/** @param {() => string | Promise<string>} load @param {string} url @param {string} name for messages @returns {Promise<FoundMap>} */
async function read(load, url, name) {
  try {
    return { map: parseMap(await load()), url, problem: null };
  } catch (error) {
    const { message, cause } = /** @type {Error & {cause?: Error}} */ (error);
    const reason = cause?.message ?? message;
    const problem = { message: `source map ${name} cannot be read: ${reason}`, reason };
    return { map: null, url, problem };
  }
}
