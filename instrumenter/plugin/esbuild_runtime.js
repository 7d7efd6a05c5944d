import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isScript } from './chunk_instrumenter.js';

/** The polyfill in esbuild's bundles: a part of each entry, with the files that it loads in a folder beside the scripts or at the public path. */

/**
 * @param {any} options of esbuild, which this changes
 * @param {string} folder name of the one with the polyfill's files
 * @param {object} install options of `install()`
 */
export function injectPolyfill(options, folder, install) {
  if (!options.bundle) {
    throw new Error(
      "polyprof: to inject the polyfill, esbuild needs bundle: true; or set runtime: 'external'",
    );
  }
  const kind = options.format === 'esm' ? 'module' : 'script';
  const file = fileURLToPath(new URL(`./runtime/esbuild_${kind}.js`, import.meta.url));
  options.inject = [file, ...(options.inject ?? [])];
  const url = options.publicPath ? `${options.publicPath.replace(/\/?$/, '/')}${folder}/` : `${folder}/`;
  options.define = {
    ...options.define,
    __POLYPROF_FOLDER__: JSON.stringify(url),
    // As text: esbuild 0.28 panics when what is defined is {}.
    __POLYPROF_INSTALL__: JSON.stringify(JSON.stringify(install)),
  };
}

/**
 * @param {import('./esbuild_output.js').EsbuildOutput} output
 * @param {import('./runtime_files.js').RuntimeFiles} runtime
 * @param {string} outputFolder absolute
 * @param {string} [publicPath] option of esbuild
 */
export function addPolyfillFiles(output, { folder, files }, outputFolder, publicPath) {
  const users = output.paths.filter((file) => isScript(file) && output.text(file).includes(`${folder}/`));
  const folders = new Set(publicPath ? [outputFolder] : users.map((file) => path.dirname(file)));
  for (const beside of folders) {
    output.addFolder(path.join(beside, folder), files);
  }
}
