import { instrumenterThread } from './instrumenter_thread.js';
import { bringsPolyfill } from './plugin_options.js';
import { polyfillFile, polyfillTag } from './polyfill_file.js';
import { rollupHooks } from './rollup_hooks.js';
import { ViteDevServer } from './vite_dev_server.js';
import { isForPages, isForServersAlone, leave, willBeForServers } from './vite_environment.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

/**
 * Vite: the dev server's modules are instrumented as they are served; builds as with Rollup.
 * @param {PluginSettings} settings
 * @returns {any} hooks of a Vite plugin
 */
export function vitePlugin(settings) {
  /** Completed by Vite. @type {any} */
  let config;
  /** What the user asked for. @type {unknown} */
  let sourceMaps;
  /** Modules, to a page that is being written; builds go through `build`. */
  let serves = false;
  const server = new ViteDevServer(settings);
  /** Made when it is first asked for. @type {import('./polyfill_file.js').PolyfillFile | undefined} */
  let made;
  const polyfill = () => {
    if (serves || !bringsPolyfill(settings) || !isForPages(config)) return null;
    return (made ??= polyfillFile(settings.install, config.build.assetsDir));
  };
  const build = rollupHooks(settings, {
    root: () => config.root,
    polyfill,
    assetsFolder: () => config.build.assetsDir,
    base: () => config.base,
    info: (line) => config.logger.info(`polyprof: ${line}`),
    sourceMaps: () => sourceMaps,
  });

  return {
    ...build,

    config(
      /** @type {any} */ user,
      /** @type {{command: string, isPreview?: boolean}} */ { command, isPreview },
    ) {
      // The earliest moment: the thread has loaded when Vite has, or soon after.
      if (!isPreview) instrumenterThread.start();
      serves = command === 'serve' && !isPreview;
      sourceMaps = user.build?.sourcemap;
      // SvelteKit gives the options of its build for servers to the one for pages, as if they were the user's.
      const isBuildForPages = command === 'build' && !user.build?.ssr;
      return isBuildForPages && !sourceMaps ? { build: { sourcemap: 'hidden' } } : undefined;
    },

    configEnvironment(
      /** @type {string} */ name,
      /** @type {any} */ environment,
      /** @type {{command: string}} */ { command },
    ) {
      const isOurs = command === 'build' && !sourceMaps && environment.build?.sourcemap === 'hidden';
      return isOurs && willBeForServers(name, environment) ? { build: { sourcemap: false } } : undefined;
    },

    configResolved(/** @type {any} */ resolved) {
      if (isForServersAlone(resolved)) return leave(resolved.plugins);
      config = resolved;
      if (serves) server.start(config);
    },

    resolveId: {
      order: 'pre',
      /** @this {any} @param {any[]} args */
      handler(...args) {
        return serves ? null : build.resolveId.handler.apply(this, args);
      },
    },

    transform: {
      // After Vite's own rewriting of imports, which has no order.
      order: 'post',
      /** @this {any} @param {string} code @param {string} id @param {{ssr?: boolean}} [options] */
      async handler(code, id, options) {
        if (!serves) return build.transform.handler.call(this, code, id);
        return options?.ssr ? null : server.served(code, id, () => this.getCombinedSourcemap());
      },
    },

    configureServer(/** @type {any} */ { middlewares }) {
      middlewares.use(
        (/** @type {any} */ request, /** @type {any} */ response, /** @type {() => void} */ next) =>
          server.answer(request, response, next),
      );
    },

    transformIndexHtml: {
      order: 'post',
      handler(/** @type {string} */ _, /** @type {{path: string}} */ page) {
        if (serves) return server.tags;
        const { file } = polyfill() ?? {};
        return file ? [polyfillTag(file, { base: config.base, page: page.path.slice(1) })] : [];
      },
    },
  };
}
