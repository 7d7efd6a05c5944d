import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from './usage_error.js';

/** @typedef {{input: string, name: string, output: string}} FileJob paths; `name`: relative to the output folder, with `/` */

/**
 * @param {string[]} inputs files and folders; a folder's files keep their paths within it
 * @param {string | null} outputFolder null: nothing will be written
 * @param {string[]} [polyfill] files that are put into the output folder, where the inputs may have them already
 * @returns {{files: FileJob[], notes: string[]}} sorted by name, and what was left out
 * @throws {UsageError} if an input is missing, or an output would overwrite an input or another output
 */
export function planFiles(inputs, outputFolder, polyfill = []) {
  const out = path.resolve(outputFolder ?? '');
  /** @type {Map<string, FileJob>} */
  const jobs = new Map();
  /** @type {string[]} */
  const notes = [];
  /** @param {string} input @param {string} relative */
  const add = (input, relative) => {
    const name = relative.split(path.sep).join('/');
    const other = jobs.get(name);
    if (other && other.input !== input) {
      throw new UsageError(
        `two inputs would be written to ${path.join(outputFolder ?? '', relative)}: ${other.input} and ${input}`,
      );
    }
    jobs.set(name, { input, name, output: path.join(out, relative) });
  };

  for (const input of inputs) {
    const stat = statOf(input);
    if (!stat) throw new UsageError(`no such file or folder: ${input}`);
    if (!stat.isDirectory()) {
      add(input, path.basename(input));
      continue;
    }
    if (outputFolder !== null && isInside(realPath(out), fs.realpathSync(input))) {
      throw new UsageError(`the output folder ${outputFolder} is inside the input ${input}`);
    }
    for (const relative of filesIn(input, notes)) add(path.join(input, relative), relative);
  }
  for (const file of polyfill) {
    const name = path.basename(file);
    if (!statOf(file)) throw new UsageError(`--polyfill: there is no ${file}: npm run build makes it`);
    const own = jobs.get(name);
    if (!own) add(file, name);
    else if (!fs.readFileSync(own.input).equals(fs.readFileSync(file)))
      throw new UsageError(
        `${own.input} is not the ${name} of this polyprof: delete it, or do without --polyfill`,
      );
  }
  if (outputFolder !== null) refuseOverwriting([...jobs.values()]);
  const files = [...jobs.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { files, notes: notes.sort() };
}

/** @param {FileJob[]} jobs */
function refuseOverwriting(jobs) {
  const inputs = new Map(jobs.map((job) => [fs.realpathSync(job.input), job.input]));
  for (const { output } of jobs) {
    const overwritten = inputs.get(realPath(output));
    if (overwritten) throw new UsageError(`the output would overwrite the input ${overwritten}`);
  }
}

/**
 * @param {string} folder
 * @param {string[]} notes of what is left out
 * @returns {string[]} files in it and below, relative to it; links are followed
 */
function filesIn(folder, notes) {
  /** @type {string[]} */
  const found = [];
  /** @param {string} relative @param {string[]} around real paths of the folders on the way */
  const search = (relative, around) => {
    const full = path.join(folder, relative);
    const stat = statOf(full);
    if (!stat) notes.push(`${full}: leads nowhere, and was left out`);
    if (stat?.isFile()) found.push(relative);
    if (!stat?.isDirectory()) return;
    const real = fs.realpathSync(full);
    if (around.some((outer) => isInside(outer, real))) {
      notes.push(`${full}: leads back to a folder that it is in, and was left out`);
      return;
    }
    for (const entry of fs.readdirSync(full)) search(path.join(relative, entry), [...around, real]);
  };
  search('', []);
  return found;
}

/** @param {string} file @returns {fs.Stats | null} of what it leads to; null: it is not there, or a link in a circle */
function statOf(file) {
  try {
    return fs.statSync(file);
  } catch (error) {
    if (/^(ENOENT|ENOTDIR|ELOOP)$/.test(String(/** @type {NodeJS.ErrnoException} */ (error).code)))
      return null;
    throw error;
  }
}

/** @param {string} inner @param {string} outer real paths @returns {boolean} also if they are the same */
function isInside(inner, outer) {
  const relative = path.relative(outer, inner);
  return (
    relative === '' ||
    !(relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative))
  );
}

/** @param {string} file that may not be there yet @returns {string} */
function realPath(file) {
  const full = path.resolve(file);
  if (fs.existsSync(full)) return fs.realpathSync(full);
  const parent = path.dirname(full);
  return parent === full ? full : path.join(realPath(parent), path.basename(full));
}
