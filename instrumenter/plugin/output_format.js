/** What Rollup, Rolldown and Vite call the formats of their outputs, and which of these are modules. */

const MODULES = /^(es|esm|module)$/;

/** Formats by their other names, which bundlers replace. @type {Record<string, string>} */
const OTHER_NAMES = { esm: 'es', module: 'es', commonjs: 'cjs', systemjs: 'system' };

/** For old browsers, by @vitejs/plugin-legacy or by Babel: it is no module any more, though the bundler says so. */
const SYSTEM =
  /^(?:\s|;|\/\/.*\n|\/\*[^]*?\*\/|\(function\s*\(\)\s*\{|(['"])use strict\1)*System\.register\(/;

/** @param {string} format @returns {boolean} */
export function isModuleFormat(format) {
  return MODULES.test(format);
}

/** @param {string} format @returns {string} the one name that bundlers give it */
export function formatName(format) {
  return OTHER_NAMES[format] ?? format;
}

/** @param {string} code of a chunk @returns {boolean} */
export function isForSystemJs(code) {
  return SYSTEM.test(code);
}
