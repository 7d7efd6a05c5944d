import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../instrumenter/command/usage_error.js';
import { serveFolder } from '../../instrumenter/serving/serve_folder.js';

const SCRIPT = /\.[cm]?[jt]sx?$/i;

/**
 * Makes an address of what the command line says is to be profiled: files are served as long as that takes.
 * @param {string} target address, HTML file, or folder with an index.html
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 * @throws {UsageError} it is none of these
 */
export async function serveTarget(target) {
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) throw new UsageError(`${target} is no address`);
    return { url: target, close: async () => {} };
  }
  const file = pageFile(target);
  const { origin, close } = await serveFolder(resolve(dirname(file)));
  return { url: `${origin}/${encodeURIComponent(basename(file))}`, close };
}

/** @param {string} target file or folder @returns {string} path of the page @throws {UsageError} there is none */
function pageFile(target) {
  const stat = statSync(target, { throwIfNoEntry: false });
  if (!stat) {
    throw new UsageError(`there is no file ${target}; an address begins with http:// or https://`);
  }
  // A browser would show its text, in which nothing runs.
  if (stat.isFile() && SCRIPT.test(target)) {
    throw new UsageError(
      `${target} is a script, not a page: to profile it, give the page that loads it; to drive a page by it: polyprof run <url|html> --script ${target}`,
    );
  }
  const file = stat.isDirectory() ? join(target, 'index.html') : target;
  if (!existsSync(file)) throw new UsageError(`the folder ${target} has no index.html`);
  return file;
}
