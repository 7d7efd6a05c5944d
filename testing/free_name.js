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
    const path = pathOf(numbered);
    if (create(path) || takeOver(path)) return numbered;
  }
}

/**
 * Between a look at the age of a file and its removal another process may have put its own there, so one at a time does both.
 * @param {string} path @returns {boolean} false: it is somebody else's
 */
function takeOver(path) {
  if (!isOld(path)) return false;
  const lock = `${path}.taken`;
  // It is of a process that was killed.
  if (isOld(lock)) rmSync(lock, { force: true });
  if (!create(lock)) return false;
  try {
    if (!isOld(path)) return false;
    rmSync(path, { force: true });
    return create(path);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} path @returns {boolean} it is of an earlier run */
function isOld(path) {
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < STARTED;
}

/** @param {string} path of an empty file @returns {boolean} false: there is one */
function create(path) {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  }
}
