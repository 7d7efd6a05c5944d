import { createRolldownPlugin } from 'unplugin';
import { pluginFor } from '../plugin/plugin_for.js';
import { rollupPlugin } from '../plugin/rollup_hooks.js';

/** @typedef {import('../plugin/plugin_options.js').PolyprofOptions} PolyprofOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

// unplugin's name for the same type would want the types of all bundlers.
/** @type {(options?: PolyprofOptions) => import('rolldown').Plugin | import('rolldown').Plugin[]} */
const polyprof = pluginFor('rolldown', createRolldownPlugin, rollupPlugin);
export default polyprof;
