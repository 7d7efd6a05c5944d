import { pluginFor } from '../plugin/index.js';

/** @typedef {import('../plugin/plugin_options.js').PolyprofOptions} PolyprofOptions */
/** @typedef {import('../plugin/plugin_options.js').SourcePattern} SourcePattern */

const polyprof = pluginFor('vite');
export default polyprof;
