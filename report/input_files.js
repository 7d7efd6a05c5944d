import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a folder's traces are called; a part is a file that `polyprof collect` is still writing. */
const IN_FOLDERS = /\.(json|ndjson|jsonl)(\.gz)?$|\.ndjson\.gz\.part$/;

/** What lies beside traces: what this tool and `npm start` write, maps, and what npm keeps. */
const BESIDE = /(\.(speedscope|firefox|tree|counters)|^package(-lock)?|^tsconfig)\.json(\.gz)?$|\.map$/;

/** The name for standard input on the command line. */
export const STDIN = '-';

/**
 * @typedef {object} InputFile
 * @property {string} file path, or `-` for standard input
 * @property {string} name what to call its trace
 */

/**
 * A file as given, or those in a folder and below, by name. What is not there is left for its reader to say.
 * @param {string} path
 * @returns {InputFile[]}
 */
export function inputFiles(path) {
  return (isFolder(path) ? filesBelow(path) : [path]).map(inputFile);
}

/** @param {string} path */
function isFolder(path) {
  return path !== STDIN && Boolean(statSync(path, { throwIfNoEntry: false })?.isDirectory());
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && IN_FOLDERS.test(entry.name) && !BESIDE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @param {string} file @returns {InputFile} */
function inputFile(file) {
  if (file === STDIN) return { file, name: 'stdin' };
  return { file, name: basename(file).replace(/(\.trace)?\.(json|ndjson|jsonl)?(\.gz)?(\.part)?$/, '') };
}
