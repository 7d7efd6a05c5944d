import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * One way to name a source, whatever a bundler's source map calls it.
 * @param {string | null | undefined} source as a source map has it
 * @param {{root: string, folder: string}} places absolute; `folder`: what relative names start from
 * @returns {string} path relative to the root with `/`, or a bundler's own name for what is no file; empty: unknown
 */
export function sourcePath(source, { root, folder }) {
  if (!source) return '';
  let name = source.replace(/\?.*$/s, '').replace(/^.*!/s, '');
  const webpack = /^(?:webpack|rspack|webpack-internal):\/\/[^/]*\/(.*)$/s.exec(name);
  if (webpack) {
    if (!webpack[1].startsWith('.')) return webpack[1];
    [, name] = webpack;
    folder = root;
  } else if (name.startsWith('file://')) name = fileURLToPath(name);
  else if (/^[\0\w-]+:(?!\\)/.test(name) || name.startsWith('\0')) return name;
  return path.relative(root, path.resolve(folder, name)).split(path.sep).join('/');
}
