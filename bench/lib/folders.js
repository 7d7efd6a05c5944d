import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Figures that commands keep, as Markdown. */
export const RESULTS = join(ROOT, 'bench/results');

/** The command line of the package. */
export const CLI = join(ROOT, 'instrumenter/cli.js');

/** @param {string} name of a command @returns {string} folder of what it builds; what is there is up to date or made anew */
export function outFolder(name) {
  return join(ROOT, 'out/bench', name);
}
