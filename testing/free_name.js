import { closeSync, openSync, rmSync, statSync } from 'node:fs';

/** When this process started, ms since 1970. */
const STARTED = Date.now() - process.uptime() * 1000;

/**
 * Takes a name for files, so that what was written since this process started stays: tests may run in several processes at once, which write into one folder. What is
 * older is of an earlier run.
 * @param {string} name that is wanted
 * @param {(name: string) => string} pathOf the file by which it is taken; it is empty then
 * @returns {string} the name, perhaps with a number
 */
export function takeFreeName(name, pathOf) {
  for (let i = 1; ; i++) {
    const numbered = i === 1 ? name : `${name}-${i}`;
    if (take(pathOf(numbered))) return numbered;
  }
}

/** @param {string} path @returns {boolean} false: it is somebody else's */
function take(path) {
  if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < STARTED)
    rmSync(path, { force: true });
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  }
}
