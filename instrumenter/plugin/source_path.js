import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
    const file = relative(fileURLToPath(name), files, files);
    return file.startsWith('../') ? relative(fileURLToPath(name), root, root) : file;
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

/** @param {string} name @param {string} root @param {string} folder */
function relative(name, root, folder) {
  return path.relative(root, path.resolve(folder, name)).split(path.sep).join('/');
}
