import { createRollupPlugin } from 'unplugin';
import { pluginFor } from '../plugin/plugin_for.js';
import { rollupPlugin } from '../plugin/rollup_hooks.js';

/** @typedef {import('../plugin/plugin_options.js').PolyprofOptions} PolyprofOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

const polyprof = pluginFor('rollup', createRollupPlugin, rollupPlugin);
export default polyprof;
