import path from 'node:path';
import { RUNTIME_MODULE, runtimeFiles } from './runtime_files.js';

/**
 * The module by which an entry of Rollup or Rolldown brings the polyfill, as a part of the bundle. No file holds it; what it loads for
 * a session becomes assets.
 */
export const RUNTIME_ID = '\0polyprof-runtime';

/** @param {string} id of a module @returns {boolean} is it a part of the polyfill? */
export function isOwn(id) {
  return id === RUNTIME_ID || id === RUNTIME_MODULE;
}

/**
 * @param {any} context of the hook
 * @param {string} assetsFolder may be empty
 * @param {object} install options of `install()`
 * @returns {string} code of the module
 */
export function runtimeModule(context, assetsFolder, install) {
  const { folder, files } = runtimeFiles();
  const [reference] = files.map(({ name, content }) => {
    const fileName = path.posix.join(assetsFolder, folder, name);
    return context.emitFile({ type: 'asset', fileName, source: content });
  });
  // Vite makes a path of it, Rollup an address. Rolldown leaves classic scripts without one of their own.
  return `import { setUp } from ${JSON.stringify(RUNTIME_MODULE)};
setUp(new URL('.', new URL(import.meta.ROLLUP_FILE_URL_${reference}, import.meta.url || globalThis.location.href)), ${JSON.stringify(install)});`;
}

/**
 * What the polyfill loads are modules in all formats; loaders of AMD and SystemJS would take them for classic scripts.
 * @param {string} moduleId of a module with a dynamic import
 * @returns {{left: string, right: string} | null} what goes around the import's argument; null: what the format has
 */
export function dynamicImportOf(moduleId) {
  return moduleId === RUNTIME_MODULE ? { left: 'import(', right: ')' } : null;
}
