import { createRspackPlugin } from 'unplugin';
import { pluginFor } from '../plugin/plugin_for.js';
import { applyToWebpack } from '../plugin/webpack_plugin.js';

/** @typedef {import('../plugin/plugin_options.js').PolyprofOptions} PolyprofOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

// unplugin's name for the same type would want the types of all bundlers.
/** @type {(options?: PolyprofOptions) => import('@rspack/core').RspackPluginInstance} */
const polyprof = pluginFor(
  'rspack',
  createRspackPlugin,
  (settings) => (compiler) => applyToWebpack(compiler, settings),
);
export default polyprof;
