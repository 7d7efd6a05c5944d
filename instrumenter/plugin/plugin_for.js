import { isCalibrating } from '../budget/calibrating.js';
import { completePluginOptions, PLUGIN_NAME } from './plugin_options.js';

/** @import { PluginSettings, PolyprofOptions } from './plugin_options.js' */

/**
 * The plugin for one bundler. docs/build.md says what it does in each. Bundlers have files of their own, so that a build loads no more than its own.
 * @template {'vite' | 'rollup' | 'rolldown' | 'webpack' | 'rspack' | 'esbuild'} B
 * @param {B} bundler
 * @param {(factory: (options: PolyprofOptions | undefined) => import('unplugin').UnpluginOptions) => (options?: PolyprofOptions) => any} create unplugin's part for the bundler
 * @param {(settings: PluginSettings) => import('unplugin').UnpluginOptions[B]} hooksOf
 * @returns {(options?: PolyprofOptions) => ReturnType<import('unplugin').UnpluginInstance<PolyprofOptions | undefined>[B]>}
 */
export function pluginFor(bundler, create, hooksOf) {
  const plugin = create((options) => {
    const settings = completePluginOptions(options);
    if (!settings.enabled) return { name: PLUGIN_NAME };
    if (isCalibrating()) settings.variants = undefined;
    return { name: PLUGIN_NAME, enforce: 'post', [bundler]: hooksOf(settings) };
  });
  return (options) => {
    // Some bundlers look at plugins long after they were made.
    completePluginOptions(options);
    return plugin(options);
  };
}
