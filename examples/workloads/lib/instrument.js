import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cachedFolder, contentKey } from './cache.js';

const INSTRUMENTER = fileURLToPath(new URL('../../../instrumenter/', import.meta.url));

/**
 * Instruments a workload with our own command line, as a site would do with its build's output.
 * @param {string} plain the workload's folder, as `buildWorkload` made it
 * @param {string} folder of all instrumented workloads
 * @param {string[]} [options] of `polyprof instrument`
 * @returns {Promise<string>} the workload's folder in it; nothing is done when it is up to date
 */
export async function instrumentWorkload(plain, folder, options = []) {
  const name = basename(plain);
  const key = contentKey([...texts(plain), ...texts(INSTRUMENTER), ...options]);
  return cachedFolder(join(folder, name), key, async (out) => {
    // The page's own script stays as it is: what is profiled is the workload.
    const what = ['instrument', plain, '-o', out, '--include', `{${name},library}.js`];
    await promisify(execFile)(process.execPath, [join(INSTRUMENTER, 'cli.js'), ...what, ...options]);
  });
}

/** @param {string} folder @returns {Buffer[]} all files in it, in a fixed order */
function texts(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => readFileSync(file));
}
