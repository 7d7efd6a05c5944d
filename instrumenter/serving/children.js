import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What must not be left behind: child processes and temporary folders. Both are given back by `release()`, and in any case when this
 * process ends, a signal included.
 */

/** @type {Set<() => void>} */
const leftovers = new Set();

let isEndWatched = false;

/** Not before there is something: a process that leaves nothing behind decides itself what a signal does, as `polyprof run` of any browser. */
function watchEnd() {
  if (isEndWatched) return;
  isEndWatched = true;
  process.on('exit', () => {
    // A program writes into folders that were made before it.
    for (const release of [...leftovers].reverse()) release();
  });
  for (const [signal, code] of /** @type {[NodeJS.Signals, number][]} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    process.once(signal, () => process.exit(code));
  }
}

/**
 * Runs `release` when called or when the process ends, whichever is first, and once.
 * @param {() => void} release synchronous
 */
function once(release) {
  const run = () => {
    if (leftovers.delete(run)) release();
  };
  watchEnd();
  leftovers.add(run);
  return run;
}

/** A new folder, removed with all it holds. @returns {{path: string, release: () => void}} */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'polyprof-'));
  return { path, release: once(() => removeFolder(path)) };
}

/** A program that was just killed may still write into it. What is done by now does not fail because a folder stays behind. @param {string} path */
function removeFolder(path) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    process.emitWarning(`${path} could not be removed: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Starts a program as leader of a process group, so that what it starts in turn ends with it.
 * @param {string} program
 * @param {string[]} args
 * @param {{env?: NodeJS.ProcessEnv, package: string, isQuiet?: boolean}} options `package`: which package of the distribution has the
 *   program; `isQuiet`: what it complains about is of no interest
 * @returns {Promise<{child: import('node:child_process').ChildProcess, release: () => void}>}
 */
export async function startProgram(
  program,
  args,
  { env = process.env, package: packageName, isQuiet = false },
) {
  const child = spawn(program, args, {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', isQuiet ? 'ignore' : 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', (error) => reject(new MissingPackageError(program, packageName, error)));
  });
  return { child, release: groupOf(child) };
}

/** @param {import('node:child_process').ChildProcess} child leader of a process group @returns {() => void} ends all of the group */
export function groupOf(child) {
  return once(() => {
    // All that there is on Windows, which has no groups.
    child.kill('SIGKILL');
    endGroup(/** @type {number} */ (child.pid));
  });
}

/** @param {number} pid of the group's leader */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/** A browser or a helper of it is not installed, or does not start. */
export class MissingPackageError extends Error {
  /** @param {string} program @param {string} packageName @param {unknown} cause */
  constructor(program, packageName, cause) {
    super(`${program} did not start: apt-get install --no-install-recommends ${packageName}`, { cause });
    this.name = 'MissingPackageError';
  }
}
