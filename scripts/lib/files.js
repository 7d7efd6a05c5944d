import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.js';

/**
 * Files below some folders of the repository, fixtures left out; sorted, so that runs are alike.
 * @param {string[]} folders relative to the root; one that does not exist is empty
 * @param {RegExp} pattern of the path
 * @returns {string[]} paths relative to the root
 */
export function filesIn(folders, pattern) {
  return folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => pattern.test(path) && !/(^|\/)(fixtures|node_modules)\//.test(path))
    .sort();
}
