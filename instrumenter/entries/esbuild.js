import { createEsbuildPlugin } from 'unplugin';
import { pluginFor } from '../plugin/plugin_for.js';
import { setUpEsbuild } from '../plugin/esbuild_plugin.js';

/** @typedef {import('../plugin/plugin_options.js').PolyprofOptions} PolyprofOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

const polyprof = pluginFor('esbuild', createEsbuildPlugin, (settings) => ({
  setup: (build) => setUpEsbuild(build, settings),
}));
export default polyprof;
