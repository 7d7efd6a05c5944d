import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodedAddress } from '../pages/decoded_address.js';

/**
 * One way to name a source, whatever a bundler's source map calls it.
 * @param {string | null | undefined} source as a source map has it
 * @param {{root: string, folder: string, files?: string}} places absolute; `folder`: what relative names start from; `files`: where the
 *   files are that go by a `file:` address, if not below the root
 * @returns {string} path relative to the root with `/`, or a bundler's own name for what is no file; empty: unknown
 */
export function sourcePath(source, { root, folder, files = root }) {
  if (!source) return '';
  const name = source.replace(/\?.*$/s, '').replace(/^.*!/s, '');
  const webpack = /^(?:webpack|rspack):\/\/[^/]*\/(.*)$/s.exec(name);
  // webpack's name of a module before it has its final one: `javascript/esm|./src/a.js|<hash>`.
  const module = /^(?:javascript\/)?(?:esm|auto|dynamic)\|([^|]*)/s.exec(webpack?.[1] ?? name);
  if (module) return relative(module[1], root, root);
  if (webpack) return webpack[1].startsWith('.') ? relative(webpack[1], root, root) : webpack[1];
  if (name.startsWith('file://')) {
    const named = pathOf(name);
    const file = relative(named, files, files);
    return file.startsWith('../') ? relative(named, root, root) : file;
  }
  // Modules that are no file, as `\0name` or `virtual:name`; but `C:\name` is one.
  if (/^\0|^[\w-]+:(?!\\)/.test(name)) return name;
  return relative(name, root, folder);
}

/**
 * @param {any} map source map
 * @param {{root: string, folder: string, files?: string}} places as of `sourcePath`
 * @returns {any} the map with one name for each source, as tables, filters and calibrations have it
 */
export function withSourcePaths(map, places) {
  const start = map.sourceRoot ? map.sourceRoot.replace(/\/?$/, '/') : '';
  const sources = map.sources.map((/** @type {string | null} */ source) =>
    sourcePath(source && start + source, places),
  );
  return { ...map, version: 3, sources, sourceRoot: undefined };
}

/**
 * @param {string} address `file:`
 * @returns {string} the file; if this system can have none of that address, as of another machine, what comes nearest to its name
 */
function pathOf(address) {
  try {
    return fileURLToPath(address);
  } catch {
    return decodedAddress(address.replace(/^file:\/\/[^/]*|#.*$/gs, ''));
  }
}

/** @param {string} name @param {string} root @param {string} folder */
function relative(name, root, folder) {
  return path.relative(root, path.resolve(folder, name)).split(path.sep).join('/');
}
