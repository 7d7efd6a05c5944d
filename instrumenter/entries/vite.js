import { createVitePlugin } from 'unplugin';
import { pluginFor } from '../plugin/plugin_for.js';
import { vitePlugin } from '../plugin/vite_plugin.js';

/** @typedef {import('../plugin/plugin_options.js').PolyprofOptions} PolyprofOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

const polyprof = pluginFor('vite', createVitePlugin, vitePlugin);
export default polyprof;
