import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS, formatOf } from './formats/formats.js';
import { isFolder } from './reading/is_folder.js';
import { writeToStream, writeWholeFile } from './write_file.js';

/** @import { Writable } from 'node:stream' */
/** @import { Format, Profile } from './formats/formats.js' */
/** @import { InputIdentity } from './reading/input_identity.js' */

/** The name for standard output on the command line. */
const STDOUT = '-';

/**
 * @typedef {object} Output where profiles go
 * @property {Format} format
 * @property {string | null} file null: standard output
 * @property {boolean} isFolder a file per profile
 * @property {InputIdentity} inputs which must stay as they are
 */

/**
 * @param {string | undefined} path of `--output`
 * @param {string | undefined} formatName of `--format`
 * @param {InputIdentity} inputs
 * @returns {Output | null} null: nothing is converted; throws an `Error` that says what is missing, or which input would be lost
 */
export function outputOf(path, formatName, inputs) {
  if (path === undefined && formatName === undefined) return null;
  const format =
    formatName === undefined ? formatOf(path ?? '') : FORMATS.find(({ name }) => name === formatName);
  if (!format) {
    const extensions = FORMATS.flatMap((each) => each.extensions).join(', ');
    throw new Error(
      path === STDOUT
        ? 'for standard output --format must say what to convert to'
        : `the name of ${path} must end in one of ${extensions}, or --format must say what it is`,
    );
  }
  const hasFolder = path !== undefined && (/[/\\]$/.test(path) || isFolder(path));
  const file = path === undefined || path === STDOUT ? null : path;
  if (file !== null) checkNoInput(file, inputs);
  return { format, file, isFolder: hasFolder, inputs };
}

/** @param {string} file to be written @param {InputIdentity} inputs @throws {Error} */
function checkNoInput(file, inputs) {
  const input = inputs.inputAt(file);
  if (input === undefined) return;
  throw new Error(`${file} would be written over the trace ${input}: give --output another name`);
}

/**
 * A file per profile, each written before the next profile is asked for.
 * @param {Output} output that is a folder
 * @param {AsyncIterable<Profile>} profiles
 * @param {(problem: string) => void} complain of one file of several
 */
export async function writeEach({ format, file, inputs }, profiles, complain) {
  const folder = /** @type {string} */ (file);
  const names = new FileNames();
  for await (const profile of profiles) {
    mkdirSync(folder, { recursive: true });
    try {
      const path = join(folder, names.free(profile.name) + format.extensions[0]);
      checkNoInput(path, inputs);
      await write(path, format, [profile]);
    } catch (error) {
      complain(/** @type {Error} */ (error).message);
    }
  }
}

/**
 * All in one file.
 * @param {Output} output @param {Profile[]} profiles
 * @param {Writable} stdout
 */
export async function writeProfiles({ format, file }, profiles, stdout) {
  if (format.holdsOne && profiles.length > 1) {
    throw new Error(
      `a file of the format ${format.name} holds one trace, not ${profiles.length}: give a folder as --output, or add --merge`,
    );
  }
  if (file === null) await writeToStream(stdout, contentOf(format, profiles));
  else await write(file, format, profiles);
}

/** @param {string} file @param {Format} format @param {Profile[]} profiles @returns {Promise<void>} rejects with an `Error` that names the file */
async function write(file, format, profiles) {
  let content;
  try {
    content = contentOf(format, profiles);
  } catch (error) {
    throw new Error(`${file}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
  await writeWholeFile(file, content, { gzip: file.endsWith('.gz') });
}

/** @param {Format} format @param {Profile[]} profiles */
function contentOf({ pieces, convert }, profiles) {
  return (pieces ?? convert)(profiles);
}

/** Names that are good for files, also where capital and small letters are the same. */
class FileNames {
  #taken = new Set();
  /** @type {Map<string, number>} by name: up to which number it is taken */
  #counts = new Map();

  /** @param {string} name @returns {string} it, or what is like it and not taken yet */
  free(name) {
    const clean = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '') || 'trace';
    let count = this.#counts.get(clean) ?? 0;
    let free;
    do {
      count++;
      free = count === 1 ? clean : `${clean}-${count}`;
    } while (this.#taken.has(free.toLowerCase()));
    this.#counts.set(clean, count);
    this.#taken.add(free.toLowerCase());
    return free;
  }
}
