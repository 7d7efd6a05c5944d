import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFolder } from './is_folder.js';

/**
 * The files in a folder and below, without an order. Links to files are files, also those that lead nowhere; those to folders, which may lead round in a
 * circle, are not followed. (Node's `recursive` follows them, in some versions and forms.)
 * @param {string} folder
 * @returns {Generator<string>} paths that begin with `folder`
 */
export function* filesBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() || (entry.isSymbolicLink() && !isFolder(path))) yield path;
  }
}
