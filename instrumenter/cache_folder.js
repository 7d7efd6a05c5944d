import fs from 'node:fs';
import path from 'node:path';

/** @returns {string | null} where tools keep such things: in `node_modules`, if the project has that */
export function defaultCacheFolder() {
  const modules = path.resolve('node_modules');
  return fs.existsSync(modules) ? path.join(modules, '.cache/polyprof') : null;
}
