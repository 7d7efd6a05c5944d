import path from 'node:path';
import { POLYFILL_FILE } from '../files/dist_files.js';
import { runtimeFilesWithPolyfill } from './runtime_files.js';

/**
 * The polyfill as a file of its own, beside what it loads: browsers keep it when the app changes, and the bundler has no work with it. Entries import
 * it before all else, and pages load it before their entries, some of which a bundler replaces by what they import.
 *
 * @typedef {object} PolyfillFile
 * @property {string} file its name within the output folder
 * @property {{fileName: string, source: Uint8Array}[]} assets with it
 */

/** @param {object} install options of `install()` @param {string} assetsFolder may be empty @returns {PolyfillFile} */
export function polyfillFile(install, assetsFolder) {
  const { folder, files } = runtimeFilesWithPolyfill(install);
  const placeOf = (/** @type {string} */ name) => path.posix.join(assetsFolder, folder, name);
  return {
    file: placeOf(POLYFILL_FILE),
    assets: files.map(({ name, content }) => ({ fileName: placeOf(name), source: content })),
  };
}

/**
 * @template {{code: string, map: any, fileName: string}} C
 * @param {C} chunk a module
 * @param {string} file
 * @returns {C} the chunk with an import in a line of its own, by which all others move
 */
export function importingFirst(chunk, file) {
  const hashbang = /^#!.*\n/.exec(chunk.code)?.[0] ?? '';
  const text = `import ${JSON.stringify(pathFrom(chunk.fileName, file))};\n`;
  const code = hashbang + text + chunk.code.slice(hashbang.length);
  const { map } = chunk;
  const mappings = map && (hashbang ? map.mappings.replace(/^[^;]*/, '$&;') : `;${map.mappings}`);
  return { ...chunk, code, map: map && { ...map, mappings } };
}

/**
 * @param {string} file
 * @param {{base: string, page: string}} site `base`: as in Vite's options; `page`: its path within the output folder
 * @returns {{tag: string, attrs: Record<string, string | boolean>, injectTo: 'head-prepend'}} as Vite has them
 */
export function polyfillTag(file, { base, page }) {
  const src = /^(?:\.\/)?$/.test(base) ? pathFrom(page, file) : base + file;
  return { tag: 'script', attrs: { type: 'module', crossorigin: true, src }, injectTo: 'head-prepend' };
}

/** @param {string} from a file @param {string} to another one @returns {string} relative, and no name of a package */
function pathFrom(from, to) {
  const relative = path.posix.relative(path.posix.dirname(from), to);
  return relative.startsWith('.') ? relative : `./${relative}`;
}
