import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../instrumenter/command/usage_error.js';

const NAME = '.polyprof-collect.lock';

/**
 * Two receivers in one folder would finish each other's files. A lock of a process that is no more is no lock.
 * @param {string} folder
 * @returns {() => void} gives the folder free; throws a `UsageError` that tells who has it, or a system error
 */
export function lockFolder(folder) {
  const file = join(folder, NAME);
  const me = { pid: process.pid, begin: beginOf(process.pid) };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(me), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(file);
    if (owner && owner.pid !== me.pid && isAlive(owner)) {
      throw new UsageError(
        `${folder}: another receiver (process ${owner.pid}) writes there; if that is none, remove ${file}`,
      );
    }
    rmSync(file, { force: true });
  }
}

/** @typedef {{pid: number, begin?: string}} Owner */

/** @param {string} file @returns {Owner | undefined} */
function ownerOf(file) {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8'));
    return Number.isInteger(owner?.pid) && owner.pid > 0 ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Ids of processes come again, above all in containers; when they began tells them apart. @param {Owner} owner */
function isAlive({ pid, begin }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
  }
  return begin === undefined || begin === beginOf(pid);
}

/** Dead, though nobody has asked for its exit code yet. */
const DEAD = /^[ZX]/;

/** @param {number} pid @returns {string | undefined} in ticks since the machine began; undefined where there is no /proc */
function beginOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may have anything in it. Field 22, of which the third one is the first after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2);
    return DEAD.test(fields) ? 'dead' : fields.split(' ')[19];
  } catch {
    return undefined;
  }
}
