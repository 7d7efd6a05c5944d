import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cachedFolder, contentKey } from './cache.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const INSTRUMENTER = join(ROOT, 'instrumenter');

/**
 * Instruments a workload with our own command line, as a site would do with its build's output.
 * @param {string} plain the workload's folder, as `buildWorkload` made it
 * @param {string} folder of all instrumented workloads
 * @param {string[]} [options] of `polyprof instrument`; files by their whole paths
 * @returns {Promise<string>} the workload's folder in it; nothing is done when it is up to date
 */
export async function instrumentWorkload(plain, folder, options = []) {
  const name = basename(plain);
  const files = options.filter((option) => isAbsolute(option)).map((file) => readFileSync(file));
  const key = contentKey([...texts(plain), ...instrumenterTexts(), ...options, ...files]);
  return cachedFolder(join(folder, name), key, async (out) => {
    // The page's own script stays as it is: what is profiled is the workload.
    const what = ['instrument', resolve(plain), '-o', resolve(out), '--include', `{${name},library}.js`];
    const line = [join(INSTRUMENTER, 'cli.js'), ...what, ...options];
    // A calibration names the sources as they are called from there.
    await promisify(execFile)(process.execPath, line, { cwd: ROOT });
  });
}

/** @returns {Buffer[]} all that decides what the command line writes */
export const instrumenterTexts = () => texts(INSTRUMENTER);

/** @param {string} folder @returns {Buffer[]} all files in it, in a fixed order */
function texts(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => readFileSync(file));
}
