import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../instrumenter/command/usage_error.js';

/** @typedef {(page: any, context: {url: string, browser: string}) => unknown} Flow what a script does in a page */

/** @param {string} file @returns {Promise<Flow>} @throws {UsageError} */
export async function readFlow(file) {
  if (!existsSync(file)) throw new UsageError(`--script: there is no file ${file}`);
  const { default: flow } = await import(pathToFileURL(resolve(file)).href).catch((error) => {
    throw new UsageError(`--script: ${file} cannot be loaded: ${placeIn(error, file)}${error}`);
  });
  if (typeof flow !== 'function') {
    throw new UsageError(`--script: ${file} must export a function: export default async (page) => {…}`);
  }
  return flow;
}

/** @param {unknown} error while a script was loaded @param {string} file @returns {string} its line; empty: nobody knows */
function placeIn(error, file) {
  // What Node shows of a syntax error, it shows on the terminal alone.
  const told =
    error instanceof SyntaxError
      ? spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr
      : /** @type {Error} */ (error)?.stack;
  const [, after = ''] = String(told).split(basename(file));
  const [, line] = /^:(\d+)/.exec(after) ?? [];
  return line ? `line ${line}: ` : '';
}
