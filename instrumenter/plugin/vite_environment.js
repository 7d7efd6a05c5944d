import { isModuleFormat } from './output_format.js';
import { PLUGIN_NAME } from './plugin_options.js';

/** Vite builds for servers with the same plugins as for pages; nothing is profiled there. */

/** @param {any} context of a hook; that of other bundlers has no environment @returns {boolean} */
export function isForServers({ environment }) {
  return environment?.config?.consumer === 'server';
}

/** @param {string} name of an environment @param {any} options @returns {boolean} before Vite has completed the options */
export function willBeForServers(name, { consumer = name === 'client' ? 'client' : 'server' }) {
  return consumer !== 'client';
}

/**
 * Vite 5 has no environments that would tell what a build is for, and VitePress builds for pages and for servers at the same time, with the same plugins.
 * @param {any} config @returns {boolean}
 */
export function isForServersAlone({ environments, command, build }) {
  return !environments && command === 'build' && Boolean(build.ssr);
}

/** @param {{name: string}[]} plugins of a build that goes on without us */
export function leave(plugins) {
  plugins.splice(0, plugins.length, ...plugins.filter(({ name }) => name !== PLUGIN_NAME));
}

/** @param {any} config of a build @returns {boolean} does it make modules, for pages? */
export function isForPages({ isWorker, build, experimental }) {
  // Where files are is not known before the page runs, or by the page alone.
  if (isWorker || build.lib || experimental.renderBuiltUrl) return false;
  return outputsOf(build).every(isModules);
}

/** @param {any} build options @returns {any[]} */
function outputsOf({ rolldownOptions, rollupOptions }) {
  return [(rolldownOptions ?? rollupOptions)?.output ?? {}].flat();
}

/** @param {any} output options */
function isModules({ format = 'es', inlineDynamicImports, codeSplitting }) {
  return isModuleFormat(format) && !inlineDynamicImports && codeSplitting !== false;
}
