import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { sourceMapUrl } from '../../instrumenter/maps/source_map_comment.js';
import { decodedAddress } from '../../instrumenter/pages/decoded_address.js';
import { decodedMap } from '../../instrumenter/maps/decoded_map.js';
import { mapMisfit } from '../../instrumenter/maps/map_misfit.js';
import { filesBelow } from '../reading/files_below.js';
import { MAX_MAX_BYTES } from '../reading/read_bytes.js';
import { sourceMapSymbols } from './source_map_symbols.js';
import { tableSymbols } from './table_symbols.js';

/** @import { Symbols } from './symbolicate.js' */
/** @import { OnStray } from './table_symbols.js' */

/**
 * @callback SymbolsOf
 * @param {string} resource address of a script or of a page with inline scripts
 * @param {string} [debugId] of the script, if known: https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md
 * @returns {Symbols | null} throws an `Error` that names a file that is broken
 */

/** A table that the instrumenter has put into its script. */
const INLINE_TABLE = /function __ppU_\w+\(\)\{return"data:application\/octet-stream;base64,([^"]*)"\}/;
const DEBUG_ID_COMMENT = /^\/\/# debugId=([0-9a-f-]+)\s*$/im;

/** In a map. Within another string of it the quotes would have backslashes. */
const DEBUG_ID_MEMBER = /"debug_?id"\s*:\s*"([0-9a-f-]+)"/i;

/**
 * Looks in a folder for `<script>.ppft` and `<script>.map`, and in the script for a table or a comment on where its map is. The script's path
 * may start anywhere in the folder: of `https://example.org/static/js/app.js` it is `static/js/app.js`, `js/app.js` or `app.js`, whichever
 * is there. A map with the script's debug id may be anywhere and have any name.
 * @param {string} folder
 * @param {OnStray} [onStray] see `tableSymbols`
 * @returns {SymbolsOf}
 */
export function symbolsIn(folder, onStray) {
  const mapsById = new MapsById(folder);
  return (resource, debugId) => {
    const byId = debugId && mapsById.find(debugId);
    if (byId) return readMap(byId, folder);
    for (const path of scriptPaths(resource)) {
      const symbols = symbolsOfFile(join(folder, path), folder, mapsById, debugId, onStray);
      if (symbols) return symbols;
    }
    return null;
  };
}

/**
 * A table knows more than a map.
 * @param {string} script path @param {string} folder @param {MapsById} mapsById @param {string} [debugId] @param {OnStray} [onStray]
 * @returns {Symbols | null}
 */
function symbolsOfFile(script, folder, mapsById, debugId, onStray) {
  const tableFile = `${script}.ppft`;
  if (isFile(tableFile)) return tableSymbols(readFileSync(tableFile), tableFile, onStray);
  const code = isFile(script) ? readText(script) : '';
  const table = tableIn(code);
  if (table) return tableSymbols(table, script, onStray);
  const map = `${script}.map`;
  if (isFile(map) && !isOfAnotherBuild(map, debugId)) return readMap(map, folder, code);
  const url = sourceMapUrl(code);
  const ownId = DEBUG_ID_COMMENT.exec(code)?.[1];
  const byId = ownId && mapsById.find(ownId);
  if (byId) return readMap(byId, folder);
  return url === undefined ? null : commentedMap(url, script, folder, code);
}

/**
 * Where the symbols of scripts are that `symbolsIn` does not find, if they are further down.
 * @param {string} folder
 * @param {string[]} resources
 * @returns {string | undefined} the folder to look in
 */
export function folderBelow(folder, resources) {
  const files = [...filesBelow(folder)].map((file) => relative(folder, file));
  for (const path of resources.flatMap(scriptPaths)) {
    for (const end of ['.ppft', '.map']) {
      const found = files.find((file) => file.endsWith(sep + path + end));
      if (found !== undefined) return join(folder, found.slice(0, -(path + end).length - 1));
    }
  }
  return undefined;
}

/** @param {string} code @returns {Uint8Array | null} the function table that the instrumenter has put into it */
export function tableIn(code) {
  const [, base64] = INLINE_TABLE.exec(code) ?? [];
  return base64 === undefined ? null : Buffer.from(base64, 'base64');
}

/** @param {string} url of a map @param {string} script path @param {string} folder @param {string} code @returns {Symbols | null} */
function commentedMap(url, script, folder, code) {
  const data = /^data:application\/json[^,]*?(;base64)?,(.*)$/.exec(url);
  if (data) {
    const json = data[1] ? Buffer.from(data[2], 'base64').toString('utf8') : decodedAddress(data[2]);
    return sourceMapSymbols(json, script, pathIn(folder, script));
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return null;
  const file = resolve(dirname(script), decodedAddress(url.replace(/[?#].*$/, '')));
  const isInside = !relative(resolve(folder), file).startsWith('..');
  return isInside && isFile(file) ? readMap(file, folder, code) : null;
}

/**
 * @param {string} file
 * @param {string} folder
 * @param {string} [code] of the script that lies there, if there is one
 * @throws {Error} that names the file, if it is not a source map, or not of that script
 */
function readMap(file, folder, code) {
  const json = readText(file);
  const symbols = sourceMapSymbols(json, file, pathIn(folder, file));
  const misfit = code && mapMisfit(code, decodedMap(json));
  if (misfit) throw new Error(`${file}: not a source map of the script beside it: ${misfit}`);
  return symbols;
}

/** @param {string} file @returns {string} @throws {Error} that names the file */
function readText(file) {
  if (statSync(file).size > MAX_MAX_BYTES)
    throw new Error(`${file}: is too long, JavaScript has no such strings`);
  return readFileSync(file, 'utf8');
}

/** @param {string} folder @param {string} file in it @returns {string} with `/`, as addresses have it */
function pathIn(folder, file) {
  return relative(folder, file).split(sep).join('/');
}

/** @param {string} map path @param {string} [debugId] of the script */
function isOfAnotherBuild(map, debugId) {
  if (debugId === undefined) return false;
  const id = DEBUG_ID_MEMBER.exec(readText(map))?.[1];
  return id !== undefined && normalId(id) !== normalId(debugId);
}

/** Maps of a folder by their debug id. The folder is read when one is asked for. */
class MapsById {
  /** @type {Map<string, string> | null} */
  #files = null;
  #folder;

  /** @param {string} folder */
  constructor(folder) {
    this.#folder = folder;
  }

  /** @param {string} debugId @returns {string | undefined} path */
  find(debugId) {
    this.#files ??= this.#read();
    return this.#files.get(normalId(debugId));
  }

  #read() {
    const files = new Map();
    for (const file of filesBelow(this.#folder)) {
      if (!file.endsWith('.map') || !isFile(file)) continue;
      // One that is too long is told when it is looked for by its name.
      if (statSync(file).size > MAX_MAX_BYTES) continue;
      const id = DEBUG_ID_MEMBER.exec(readFileSync(file, 'utf8'))?.[1];
      if (id) files.set(normalId(id), file);
    }
    return files;
  }
}

/** @param {string} debugId */
function normalId(debugId) {
  return debugId.replaceAll('-', '').toLowerCase();
}

/** @param {string} path */
function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}

/** No site has its files in more folders within each other. */
const DEEPEST = 100;

/** @param {string} resource address of a script or of a page with inline scripts @returns {string[]} paths, longest first */
export function scriptPaths(resource) {
  // A part of an address, as after the pattern of a folder, is no address.
  const { pathname } = URL.canParse(resource)
    ? new URL(resource)
    : { pathname: resource.replace(/[?#].*$/s, '') };
  let path = decodedAddress(pathname);
  if (path.endsWith('/')) path += 'index.html';
  // No `..`: what a trace says must not lead out of the folder.
  const parts = path
    .split(/[/\\]/)
    .filter((part) => part && part !== '.' && part !== '..')
    .slice(-DEEPEST);
  return parts.map((_, i) => parts.slice(i).join(sep));
}
