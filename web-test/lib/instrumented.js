import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './children.js';

const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));
const PAGES = fileURLToPath(new URL('../pages/', import.meta.url));

/** Folder by probe. @type {Map<string, string>} */
const folders = new Map();

/**
 * The web tests' pages as our own command line instruments them, with a probe in each function; made once in a process.
 * @param {'flag' | 'shadow'} [probe]
 * @returns {string} the folder, for reading; it goes away with the process
 */
export function instrumentedPages(probe = 'flag') {
  const known = folders.get(probe);
  if (known) return known;
  const { path } = temporaryFolder();
  const options = ['-o', path, '--min-weight', '0', '--probe', probe];
  execFileSync(process.execPath, [CLI, 'instrument', PAGES, ...options], { stdio: 'pipe' });
  folders.set(probe, path);
  return path;
}
