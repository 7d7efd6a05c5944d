import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the polyfill loads for a session, and for pages that are stuck or close, from a folder of its own. */
export const SESSION_FILES = [
  'polyprof.wasm',
  'polyprof-worker.js',
  'polyprof-extra.mjs',
  'polyprof-gzip.js',
  'polyprof-self-timed.mjs',
  'polyprof-watch.js',
];

/** The files for pages that load the polyfill by script tags of their own. */
export const PAGE_FILES = ['polyprof.js', ...SESSION_FILES, 'polyprof-beacon.mjs'];

/** The polyfill as a module that exports `setUp(baseUrl)`. */
export const RUNTIME_MODULE = distPath('polyprof-runtime.mjs');

/** @param {string} name of a file of `dist/` */
export function distPath(name) {
  return fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
}

/** @param {string} name @returns {Buffer} a file of `dist/` */
export function distFile(name) {
  return readFileSync(distPath(name));
}

/** What pages load by themselves if scripts are there twice: the polyfill, and what chooses. */
export const VARIANT_FILES = { polyfill: 'polyprof.js', chooser: 'polyprof-chooser.js' };

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

/** @typedef {{folder: string, files: {name: string, content: Buffer}[]}} RuntimeFiles `folder`: a name that changes with what is in it */

/** @returns {RuntimeFiles} */
export function runtimeFiles() {
  return inFolder(SESSION_FILES.map(fileOf));
}

/** If scripts are there twice: what pages load, as far as the build brings it. @param {PluginSettings} settings @returns {RuntimeFiles} */
export function runtimeFilesOfVariants({ runtime, variants }) {
  const brought = runtime === 'inject' ? [...SESSION_FILES, VARIANT_FILES.polyfill] : [];
  const choosers = variants?.chooser === 'external' ? [VARIANT_FILES.chooser] : [];
  return inFolder([...brought, ...choosers].map(fileOf));
}

/** The polyfill where a module of its own is what pages load. */
export const POLYFILL_FILE = 'polyprof.js';

/** With the polyfill, which then sets itself up. @param {object} install options of `install()` @returns {RuntimeFiles} */
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
