import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceMapSymbols } from './source_map_symbols.js';
import { tableSymbols } from './table_symbols.js';

/** @import { Symbols } from './symbolicate.js' */

/**
 * Kinds of files with symbols, best first: a function table knows more than a map.
 * @type {{extension: string, read: (bytes: Buffer, file: string) => Symbols}[]}
 */
const KINDS = [
  { extension: '.ppft', read: tableSymbols },
  { extension: '.map', read: (bytes, file) => sourceMapSymbols(bytes.toString('utf8'), file) },
];

/**
 * Looks for `<script>.ppft` and `<script>.map` in a folder. The script's path may start anywhere in the folder: of
 * `https://example.org/static/js/app.js` it is `static/js/app.js`, `js/app.js` or `app.js`, whichever is there.
 * @param {string} folder
 * @returns {(resource: string) => Symbols | null} throws an `Error` that names a file that is broken
 */
export function symbolsIn(folder) {
  return (resource) => {
    for (const path of candidates(resource)) {
      for (const { extension, read } of KINDS) {
        const file = join(folder, path + extension);
        if (existsSync(file)) return read(readFileSync(file), file);
      }
    }
    return null;
  };
}

/** @param {string} resource address of a script or of a page with inline scripts @returns {string[]} paths, longest first */
function candidates(resource) {
  let path = resource;
  try {
    path = decodeURIComponent(new URL(resource).pathname);
  } catch {
    // A path already.
  }
  if (path.endsWith('/')) path += 'index.html';
  // No `..`: what a trace says must not lead out of the folder.
  const parts = path.split('/').filter((part) => part && part !== '.' && part !== '..');
  return parts.map((_, i) => parts.slice(i).join('/'));
}
