import { basename } from 'node:path';
import { filesBelow } from './files_below.js';
import { isFolder } from './is_folder.js';

/** What a folder's traces are called; a part is a file that `polyprof collect` is still writing. */
const IN_FOLDERS = /\.(json|ndjson|jsonl)(\.gz)?$|\.ndjson\.gz\.part$/;

/** JSON files that may lie beside traces and are none: what this tool and `npm start` write, source maps, and npm's own files. */
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
  return (path !== STDIN && isFolder(path) ? tracesBelow(path) : [path]).map(inputFile);
}

/** @param {string} folder @returns {string[]} */
function tracesBelow(folder) {
  const isTrace = (/** @type {string} */ name) => IN_FOLDERS.test(name) && !BESIDE.test(name);
  return [...filesBelow(folder)].filter((path) => isTrace(basename(path))).sort();
}

/** @param {string} file @returns {InputFile} */
function inputFile(file) {
  if (file === STDIN) return { file, name: 'stdin' };
  return { file, name: basename(file).replace(/(\.trace)?\.(json|ndjson|jsonl)?(\.gz)?(\.part)?$/, '') };
}
