import { createHash } from 'node:crypto';
import { CHOOSER_FILE, distFile, distPath, POLYFILL_FILE, SESSION_FILES } from '../files/dist_files.js';

/** The polyfill as a module that exports `setUp(baseUrl)`. */
export const RUNTIME_MODULE = distPath('polyprof-runtime.mjs');

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

/** @typedef {{folder: string, files: {name: string, content: Buffer}[]}} RuntimeFiles `folder`: a name that changes with what is in it */

/** @returns {RuntimeFiles} */
export function runtimeFiles() {
  return inFolder(SESSION_FILES.map(fileOf));
}

/** If scripts are there twice: what pages load, as far as the build brings it. @param {PluginSettings} settings @returns {RuntimeFiles} */
export function runtimeFilesOfVariants({ runtime, variants }) {
  const brought = runtime === 'inject' ? [...SESSION_FILES, POLYFILL_FILE] : [];
  const choosers = variants?.chooser === 'external' ? [CHOOSER_FILE] : [];
  return inFolder([...brought, ...choosers].map(fileOf));
}

/** With the polyfill as a module of its own, which then sets itself up. @param {object} install options of `install()` @returns {RuntimeFiles} */
export function runtimeFilesWithPolyfill(install) {
  const polyfill = { name: POLYFILL_FILE, content: Buffer.from(polyfillModule(install)) };
  return inFolder([polyfill, ...SESSION_FILES.map(fileOf)]);
}

/** @param {object} install options of `install()` @returns {string} a module that brings the polyfill, with what it loads beside it */
export function polyfillModule(install) {
  return distFile('polyprof-bundled.mjs')
    .toString()
    .replace('INSTALL_OPTIONS', () => JSON.stringify(install));
}

/** @param {string} name */
function fileOf(name) {
  return { name, content: distFile(name) };
}

/** @param {RuntimeFiles['files']} files @returns {RuntimeFiles} */
function inFolder(files) {
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  return { folder: `polyprof-${hash.digest('hex').slice(0, 8)}`, files };
}
