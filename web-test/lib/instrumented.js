import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './children.js';

const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));
const PAGES = fileURLToPath(new URL('../pages/', import.meta.url));

/**
 * The web tests' pages as our own command line instruments them, in a folder that goes away with the process.
 * @param {string[]} [options] of `polyprof instrument`
 * @returns {string} the folder
 */
export function instrumentedPages(options = ['--min-weight', '0']) {
  const { path } = temporaryFolder();
  execFileSync(process.execPath, [CLI, 'instrument', PAGES, '-o', path, ...options], { stdio: 'pipe' });
  return path;
}
