import { createHash } from 'node:crypto';
import path from 'node:path';
import { distFile, POLYFILL_FILE, SESSION_FILES } from '../files/dist_files.js';
import { ChunkInstrumenter } from './chunk_instrumenter.js';
import { instrumenterThread } from './instrumenter_thread.js';
import { bringsPolyfill, PLUGIN_NAME } from './plugin_options.js';
import { polyfillFile, polyfillTag } from './polyfill_file.js';
import { rollupHooks } from './rollup_hooks.js';
import { polyfillModule } from './runtime_files.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

/** The dev server's own addresses. */
const OWN_ADDRESS = /\/@polyprof\/([\w.-]+)(?:\?|$)/;

const MEDIA_TYPES = /** @type {Record<string, string>} */ ({
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.map': 'application/json',
});

/** Modules of files in whatever language a plugin knows. */
const MODULE = /\.\w+$/;
/** What the server itself makes modules of: functions in them are its packing. */
const NO_SCRIPT = /\.(?:css|less|sass|scss|styl|stylus|pcss|postcss|sss|json5?|html?)$/;
const NO_MODULE = /[?&](?:raw|url|inline|direct|worker_file|type=style|lang\.css)\b/;
const SERVERS_OWN = /\/vite\/dist\/client\//;

/** Versions of modules of which a page may still ask for the table. */
const MAX_TABLES = 10_000;

/**
 * Vite: the dev server's modules are instrumented as they are served; builds as with Rollup.
 * @param {PluginSettings} settings
 * @returns {any} hooks of a Vite plugin
 */
export function vitePlugin(settings) {
  /** @type {any} */
  let config;
  /** @type {unknown} */
  let sourceMaps;
  /** Modules, to a page that is being written; builds go through `build`. */
  let serves = false;
  /** @type {ChunkInstrumenter} */
  let instrumenter;
  /** @type {Map<string, Uint8Array>} */
  const tables = new Map();
  /** @type {import('./polyfill_file.js').PolyfillFile | undefined} */
  let made;
  const polyfill = () => {
    if (serves || !bringsPolyfill(settings) || !isPages(config)) return null;
    return (made ??= polyfillFile(settings.install, config.build.assetsDir));
  };
  /** The same for the tag in pages and for modules, so that there is one. */
  const polyfillAddress = () => `${config.base}@polyprof/${POLYFILL_FILE}`;
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
      const isForPages = command === 'build' && !user.build?.ssr;
      return isForPages && !sourceMaps ? { build: { sourcemap: 'hidden' } } : undefined;
    },

    configEnvironment(
      /** @type {string} */ name,
      /** @type {any} */ environment,
      /** @type {{command: string}} */ { command },
    ) {
      const isForPages = (environment.consumer ?? (name === 'client' ? 'client' : 'server')) === 'client';
      const isOurs = command === 'build' && !sourceMaps && environment.build?.sourcemap === 'hidden';
      return isOurs && !isForPages ? { build: { sourcemap: false } } : undefined;
    },

    configResolved(/** @type {any} */ resolved) {
      if (isForServersAlone(resolved)) return leave(resolved.plugins);
      config = resolved;
      if (!serves) return;
      const warn = (/** @type {string} */ message) => config.logger.warn(`polyprof: ${message}`);
      instrumenter = new ChunkInstrumenter(settings, { root: config.root, warn });
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
        const file = fileOf(id);
        if (options?.ssr || !file) return null;
        const brings = settings.runtime === 'inject' ? `\nimport ${JSON.stringify(polyfillAddress())};` : '';
        const name = `${createHash('sha256').update(id).update('\0').update(code).digest('hex').slice(0, 16)}.ppft`;
        const result = await instrumenter.instrument({
          code,
          file,
          map: this.getCombinedSourcemap(),
          folder: path.dirname(file),
          sourceType: 'module',
          mapTo: 'input',
          tableName: `${config.base}@polyprof/${name}`,
        });
        if (!result) return brings ? { code: code + brings, map: null } : null;
        remember(tables, name, result.table);
        return { code: result.code + brings, map: result.map };
      },
    },

    configureServer(/** @type {any} */ server) {
      server.middlewares.use(
        (/** @type {any} */ request, /** @type {any} */ response, /** @type {() => void} */ next) => {
          const name = OWN_ADDRESS.exec(request.url ?? '')?.[1];
          const content = name && (tables.get(name) ?? runtimeFile(name, settings.install));
          if (!content) return next();
          response.setHeader('Content-Type', MEDIA_TYPES[path.extname(name)] ?? 'application/octet-stream');
          response.setHeader('Cache-Control', 'no-cache');
          // A worker of an isolated page has to be isolated itself.
          response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
          response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
          response.end(content);
        },
      );
    },

    transformIndexHtml: {
      order: 'post',
      handler(/** @type {string} */ _, /** @type {{path: string}} */ page) {
        if (!serves) {
          const { file } = polyfill() ?? {};
          return file ? [polyfillTag(file, { base: config.base, page: page.path.slice(1) })] : [];
        }
        if (settings.runtime !== 'inject') return [];
        const attrs = { type: 'module', src: polyfillAddress() };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}

/**
 * Vite 5 has no environments that would tell what a build is for, and VitePress builds for pages and for servers at the same time, with the same plugins.
 * @param {any} config @returns {boolean}
 */
function isForServersAlone({ environments, command, build }) {
  return !environments && command === 'build' && Boolean(build.ssr);
}

/** @param {{name: string}[]} plugins of a build that goes on without us */
function leave(plugins) {
  plugins.splice(0, plugins.length, ...plugins.filter(({ name }) => name !== PLUGIN_NAME));
}

/** @param {any} config @returns {boolean} does it make modules, for pages? */
function isPages({ isWorker, build, experimental }) {
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
  return /^(es|esm|module)$/.test(format) && !inlineDynamicImports && codeSplitting !== false;
}

/** @param {string} id of a module @returns {string} the file that it is made from; empty: its functions are nobody's */
function fileOf(id) {
  const file = id.replace(/\?.*$/s, '');
  const isInlineScript = /\?html-proxy\b.*\.js$/.test(id);
  if (id.startsWith('\0') || NO_MODULE.test(id) || SERVERS_OWN.test(file)) return '';
  return isInlineScript || (MODULE.test(file) && !NO_SCRIPT.test(file)) ? file : '';
}

/** @param {string} name @param {object} install options of `install()` @returns {Buffer | string | undefined} */
function runtimeFile(name, install) {
  // Worklets may import the same modules as pages, and have not what it needs.
  if (name === POLYFILL_FILE) return `if (globalThis.Performance) {\n${polyfillModule(install)}}\n`;
  return SESSION_FILES.includes(name) ? distFile(name) : undefined;
}

/** @param {Map<string, Uint8Array>} tables @param {string} name @param {Uint8Array} table */
function remember(tables, name, table) {
  tables.set(name, table);
  if (tables.size > MAX_TABLES) tables.delete(/** @type {string} */ (tables.keys().next().value));
}
