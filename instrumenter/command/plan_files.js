import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from './usage_error.js';

/** @typedef {{input: string, name: string, output: string}} FileJob paths; `name`: relative to the output folder, with `/` */

/**
 * @param {string[]} inputs files and folders; a folder's files keep their paths within it
 * @param {string | null} outputFolder null: nothing will be written
 * @returns {FileJob[]} sorted by name
 * @throws {UsageError} if an input is missing, or an output would overwrite an input or another output
 */
export function planFiles(inputs, outputFolder) {
  const out = path.resolve(outputFolder ?? '');
  /** @type {Map<string, FileJob>} */
  const jobs = new Map();
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
    const stat = fs.statSync(input, { throwIfNoEntry: false });
    if (!stat) throw new UsageError(`no such file or folder: ${input}`);
    if (!stat.isDirectory()) {
      add(input, path.basename(input));
      continue;
    }
    if (outputFolder !== null && isInside(realPath(out), fs.realpathSync(input))) {
      throw new UsageError(`the output folder ${outputFolder} is inside the input ${input}`);
    }
    for (const relative of filesIn(input)) add(path.join(input, relative), relative);
  }
  if (outputFolder !== null) refuseOverwriting([...jobs.values()]);
  return [...jobs.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** @param {FileJob[]} jobs */
function refuseOverwriting(jobs) {
  const inputs = new Map(jobs.map((job) => [fs.realpathSync(job.input), job.input]));
  for (const { output } of jobs) {
    const overwritten = inputs.get(realPath(output));
    if (overwritten) throw new UsageError(`the output would overwrite the input ${overwritten}`);
  }
}

/** @param {string} folder @returns {string[]} files in it and below, relative to it; links are followed once */
function filesIn(folder) {
  /** @type {string[]} */
  const found = [];
  const seen = new Set();
  /** @param {string} relative */
  const search = (relative) => {
    const full = path.join(folder, relative);
    const stat = fs.statSync(full, { throwIfNoEntry: false });
    if (stat?.isFile()) found.push(relative);
    if (!stat?.isDirectory()) return;
    const real = fs.realpathSync(full);
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of fs.readdirSync(full)) search(path.join(relative, entry));
  };
  search('');
  return found;
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
