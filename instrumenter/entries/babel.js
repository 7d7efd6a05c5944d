import { babelPlugin } from '../plugin/babel_plugin.js';

/** @typedef {import('../plugin/babel_plugin.js').PolyprofBabelOptions} PolyprofBabelOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

export default babelPlugin;
