import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './children.js';

const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));
const PAGES = fileURLToPath(new URL('../pages/', import.meta.url));

/** Folder by options. @type {Map<string, string>} */
const folders = new Map();

/**
 * The web tests' pages as our own command line instruments them; made once in a process.
 * @param {'flag' | 'shadow'} [probe]
 * @param {string[]} [selection] options; by default each function has probes
 * @returns {string} the folder, for reading; it goes away with the process
 */
export function instrumentedPages(probe = 'flag', selection = ['--min-weight', '0']) {
  const options = ['--probe', probe, ...selection];
  const key = options.join(' ');
  const known = folders.get(key);
  if (known) return known;
  const { path } = temporaryFolder();
  execFileSync(process.execPath, [CLI, 'instrument', PAGES, '-o', path, ...options], { stdio: 'pipe' });
  folders.set(key, path);
  return path;
}
