import { decodedMap } from '../../instrumenter/maps/decoded_map.js';
import { mapMisfit } from '../../instrumenter/maps/map_misfit.js';
import { tableNameIn } from '../../instrumenter/probes/prelude.js';
import { pathOf } from '../diff/build_files.js';
import { ask, download } from './download.js';
import { findSourceMap } from './script_map.js';
import { sourceMapSymbols } from './source_map_symbols.js';
import { tableIn } from './symbol_files.js';
import { tableSymbols } from './table_symbols.js';

/** @import { Symbols } from './symbolicate.js' */
/** @import { OnStray } from './table_symbols.js' */

/**
 * Asks the server that gave a page its scripts for what it has of them now: the function table in a script or that it names, or the source map
 * that it or the server names.
 * @param {string} address where the scripts' addresses begin
 * @param {OnStray} [onStray] see `tableSymbols`
 * @returns {(resource: string) => Promise<Symbols | null>} rejects with an `Error` that names the address of what is broken, or, once, of a server
 *   that does not answer
 */
export function symbolsAt(address, onStray) {
  const start = new URL(address).href;
  let isGone = false;
  return async (resource) => {
    if (isGone || !resource.startsWith(start)) return null;
    let response, code;
    try {
      response = await ask(resource);
      code = await response.text();
    } catch (error) {
      isGone = true;
      throw new Error(`${resource} cannot be read: ${reasonOf(error)}`, { cause: error });
    }
    if (!response.ok) return null;
    const told = response.headers.get('sourcemap') ?? response.headers.get('x-sourcemap') ?? undefined;
    return (await tableOf(resource, code, start, onStray)) ?? (await mapOf(resource, code, start, told));
  };
}

/** @param {string} resource @param {string} code @param {string} start @param {OnStray} [onStray] @returns {Promise<Symbols | null>} */
async function tableOf(resource, code, start, onStray) {
  const inside = tableIn(code);
  if (inside) return tableSymbols(inside, resource, onStray);
  const name = tableNameIn(code);
  if (name === undefined || !URL.canParse(name, resource)) return null;
  const { href } = new URL(name, resource);
  if (!href.startsWith(start)) return null;
  const bytes = await download(href).catch((error) => {
    throw new Error(`${href} cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  return tableSymbols(bytes, href, onStray);
}

/** @param {string} resource @param {string} code @param {string} start @param {string} [told] by the server @returns {Promise<Symbols | null>} */
async function mapOf(resource, code, start, told) {
  const { map, url, problem } = await findSourceMap({ url: resource, code, told, start });
  if (problem) throw new Error(problem.message);
  if (!map) return null;
  const symbols = sourceMapSymbols(map, `source map of ${resource}`, pathOf(url));
  const misfit = mapMisfit(code, decodedMap(map));
  if (misfit) throw new Error(`${resource}: its source map is not of this script: ${misfit}`);
  return symbols;
}

/** Of what `fetch` throws the cause says more. @param {any} error @returns {string} */
function reasonOf({ message, cause }) {
  return cause?.message || cause?.code || message;
}
