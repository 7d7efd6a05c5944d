import { createUnplugin } from 'unplugin';
import { setUpEsbuild } from './esbuild_plugin.js';
import { completePluginOptions } from './plugin_options.js';
import { rollupHooks } from './rollup_hooks.js';
import { vitePlugin } from './vite_plugin.js';
import { applyToWebpack } from './webpack_plugin.js';

const NAME = 'polyprof';

const plugin = createUnplugin(
  (/** @type {import('./plugin_options.js').PolyprofOptions | undefined} */ options) => {
    const settings = completePluginOptions(options);
    if (!settings.enabled) return { name: NAME };
    const rollup = rollupHooks(settings, { root: () => process.cwd(), assetsFolder: () => '' });
    return {
      name: NAME,
      enforce: 'post',
      rollup,
      rolldown: rollup,
      vite: vitePlugin(settings),
      webpack: (compiler) => applyToWebpack(compiler, settings),
      rspack: (compiler) => applyToWebpack(compiler, settings),
      esbuild: { setup: (build) => setUpEsbuild(build, settings) },
    };
  },
);

/**
 * The plugin for one bundler. docs/build.md says what it does in each.
 * @template {'vite' | 'rollup' | 'rolldown' | 'webpack' | 'rspack' | 'esbuild'} B
 * @param {B} bundler
 * @returns {(options?: import('./plugin_options.js').PolyprofOptions) => ReturnType<typeof plugin[B]>}
 */
export function pluginFor(bundler) {
  return (options) => {
    // Some bundlers look at plugins long after they were made.
    completePluginOptions(options);
    return /** @type {any} */ (plugin[bundler])(options);
  };
}
