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

/** The polyfill as a module that exports `setUp(baseUrl)`. */
export const RUNTIME_MODULE = fileURLToPath(new URL('../../dist/polyprof-runtime.mjs', import.meta.url));

/** @param {string} name @returns {Buffer} a file of `dist/` */
export function distFile(name) {
  return readFileSync(new URL(`../../dist/${name}`, import.meta.url));
}

/** What pages load by themselves if scripts are there twice: the polyfill, and what chooses. */
export const VARIANT_FILES = { polyfill: 'polyprof.js', chooser: 'polyprof-chooser.js' };

/** @typedef {{folder: string, files: {name: string, content: Buffer}[]}} RuntimeFiles `folder`: a name that changes with what is in it */

/** @param {readonly string[]} [more] files of `dist/` @returns {RuntimeFiles} */
export function runtimeFiles(more = []) {
  return inFolder([...SESSION_FILES, ...more].map(fileOf));
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
  return { name, content: withoutMap(name, distFile(name)) };
}

/** @param {RuntimeFiles['files']} files @returns {RuntimeFiles} */
function inFolder(files) {
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  return { folder: `polyprof-${hash.digest('hex').slice(0, 8)}`, files };
}

/** Their source maps stay behind. @param {string} name @param {Buffer} content */
function withoutMap(name, content) {
  return /\.m?js$/.test(name)
    ? Buffer.from(content.toString().replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
    : content;
}
