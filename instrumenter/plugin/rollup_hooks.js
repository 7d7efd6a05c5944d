import { ChunkInstrumenter } from './chunk_instrumenter.js';
import { HiddenMaps } from './hidden_maps.js';
import { bringsPolyfill } from './plugin_options.js';
import { RollupBundle } from './rollup_bundle.js';
import { RollupEntries } from './rollup_entries.js';
import { addVariants } from './rollup_variants.js';
import { dynamicImportOf, RUNTIME_ID, runtimeModule } from './runtime_module.js';
import { isForServers } from './vite_environment.js';

/**
 * Hooks of production builds by Rollup and Rolldown, which Vite has too: the polyfill is imported first in each entry, and finished
 * chunks are instrumented when nobody changes them any more.
 *
 * @typedef {import('./plugin_options.js').PluginSettings} PluginSettings
 * @typedef {object} BuildHost
 * @property {() => string} root the project's folder
 * @property {() => string} assetsFolder where assets go within the output folder; may be empty
 * @property {() => string} [base] path or URL that the output is served at, if scripts and pages name files by that
 * @property {(message: string) => void} [info] where the summary goes; default: the bundler's own log
 * @property {() => import('./polyfill_file.js').PolyfillFile | null} [polyfill] the file that entries import the polyfill from; null, the
 *   default: it becomes a part of them. Only if outputs are modules
 * @property {() => unknown} [sourceMaps] what the user asked for, if the bundler does not know any more
 */

const NO_POLYFILL =
  "polyprof: no entry of this build brings the polyfill: load polyprof.js by a script tag before the app, and set runtime: 'external'";

/** The whole plugin of Rollup and Rolldown. @param {PluginSettings} settings */
export function rollupPlugin(settings) {
  return rollupHooks(settings, { root: () => process.cwd(), assetsFolder: () => '' });
}

/**
 * @param {PluginSettings} settings
 * @param {BuildHost} host
 * @returns {any} hooks of a Rollup plugin
 */
export function rollupHooks(settings, host) {
  /** Another one for each build. @type {ChunkInstrumenter} */
  let instrumenter;
  const entries = new RollupEntries();
  const maps = new HiddenMaps(host.sourceMaps);
  /** The file that entries import the polyfill from. @param {any} context */
  const polyfillFile = (context) => (isForServers(context) ? null : host.polyfill?.());
  /** Or is the polyfill a part of them? @param {any} context */
  const isInjected = (context) => bringsPolyfill(settings) && !isForServers(context) && !host.polyfill?.();

  return {
    buildStart: {
      // Other plugins have to be ready to find the entries.
      order: 'post',
      sequential: true,
      /** @this {any} @param {{input?: string | string[] | Record<string, string> | null}} options */
      async handler({ input }) {
        const warn = (/** @type {string} */ message) => this.warn(message);
        instrumenter = new ChunkInstrumenter(settings, { root: host.root(), warn });
        for (const asset of polyfillFile(this)?.assets ?? []) this.emitFile({ type: 'asset', ...asset });
        if (isInjected(this) && this.environment?.mode !== 'dev') await entries.find(this, input);
      },
    },

    resolveId: {
      order: 'pre',
      /** @this {any} @param {string} id @param {string | undefined} importer @param {{isEntry?: boolean}} options */
      async handler(id, importer, options) {
        if (id === RUNTIME_ID) return { id, moduleSideEffects: 'no-treeshake' };
        if (!options?.isEntry || !isInjected(this)) return null;
        return entries.resolve(this, id, importer, options);
      },
    },

    /** @this {any} @param {string} id */
    load(id) {
      return id === RUNTIME_ID ? runtimeModule(this, host.assetsFolder(), settings.install) : null;
    },

    transform: {
      order: 'post',
      /** @this {any} @param {string} code @param {string} id */
      handler(code, id) {
        return isInjected(this) ? entries.withPolyfill(this, code, id) : null;
      },
    },

    /** @param {{moduleId: string}} from */
    renderDynamicImport({ moduleId }) {
      return dynamicImportOf(moduleId);
    },

    /** @this {any} @param {any} options */
    outputOptions(options) {
      return isForServers(this) ? null : maps.added(options);
    },

    /** @param {string} _ @param {any} log */
    onLog(_, log) {
      return maps.isWorthTelling(log);
    },

    /** @this {any} */
    augmentChunkHash() {
      return instrumenter.salt + (polyfillFile(this)?.file ?? '');
    },

    generateBundle: {
      order: 'post',
      /** @this {any} @param {any} output @param {Record<string, any>} files */
      async handler(output, files) {
        if (isForServers(this)) return;
        const note = host.info ?? ((/** @type {string} */ text) => this.info(text));
        const sourceMap = maps.askedFor(output);
        const bundle = new RollupBundle(this, { output, files, sourceMap, instrumenter });
        if (settings.variants) {
          await addVariants(bundle, { settings, host, note });
        } else {
          if (isInjected(this) && bundle.lacksPolyfill) this.warn(NO_POLYFILL);
          await bundle.addProbes(polyfillFile(this)?.file);
        }
        bundle.removeHiddenMaps();
        const summary = instrumenter.takeSummary();
        if (summary) note(summary);
      },
    },
  };
}
