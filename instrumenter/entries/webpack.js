import { createWebpackPlugin } from 'unplugin';
import { pluginFor } from '../plugin/plugin_for.js';
import { applyToWebpack } from '../plugin/webpack_plugin.js';

/** @typedef {import('../plugin/plugin_options.js').PolyprofOptions} PolyprofOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

const polyprof = pluginFor(
  'webpack',
  createWebpackPlugin,
  (settings) => (compiler) => applyToWebpack(compiler, settings),
);
export default polyprof;
