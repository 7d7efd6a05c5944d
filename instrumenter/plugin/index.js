import { createUnplugin } from 'unplugin';
import { completePluginOptions } from './plugin_options.js';

/** @typedef {import('./plugin_options.js').PolyprofOptions} PolyprofOptions */

const NAME = 'polyprof';

/**
 * The plugin for one bundler. docs/build.md says what it does in each. Bundlers have files of their own, so that a build loads no more than its own.
 * @template {'vite' | 'rollup' | 'rolldown' | 'webpack' | 'rspack' | 'esbuild'} B
 * @param {B} bundler
 * @param {(settings: import('./plugin_options.js').PluginSettings) => import('unplugin').UnpluginOptions[B]} hooksOf
 * @returns {(options?: PolyprofOptions) => ReturnType<import('unplugin').UnpluginInstance<PolyprofOptions | undefined>[B]>}
 */
export function pluginFor(bundler, hooksOf) {
  const plugin = createUnplugin((/** @type {PolyprofOptions | undefined} */ options) => {
    const settings = completePluginOptions(options);
    if (!settings.enabled) return { name: NAME };
    return { name: NAME, enforce: 'post', [bundler]: hooksOf(settings) };
  });
  return (options) => {
    // Some bundlers look at plugins long after they were made.
    completePluginOptions(options);
    return /** @type {any} */ (plugin[bundler])(options);
  };
}
