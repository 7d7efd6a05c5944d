import { fileURLToPath } from 'node:url';
import { ChunkInstrumenter } from './chunk_instrumenter.js';
import { PLUGIN_NAME } from './plugin_options.js';
import { runtimeFiles } from './runtime_files.js';
import { besideScripts, emitFiles, instrumentAsset, scriptsOf } from './webpack_assets.js';
import { hiddenFunctions, wantsSourceMaps } from './webpack_devtool.js';
import { addChoosingPages, addTwins, namingChunks } from './webpack_variants.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

const RUNTIME = fileURLToPath(new URL('./runtime/webpack.js', import.meta.url));

/**
 * webpack and Rspack, which have the same hooks: chunks are instrumented after they were made smaller, before source maps are
 * written and before names get the hashes of what is in them. In development, too: a dev server serves chunks.
 * @param {any} compiler
 * @param {PluginSettings} settings
 */
export function applyToWebpack(compiler, settings) {
  const { webpack, options } = compiler;
  const logger = compiler.getInfrastructureLogger(PLUGIN_NAME);
  const hidden = hiddenFunctions(compiler);
  const publishesMaps = wantsSourceMaps(compiler);
  // Names and lines of the sources come from source maps, also if nobody else wants them. Without a value, as beside a plugin that makes them, the
  // option would become 'eval' in development.
  if (!hidden && !options.devtool) options.devtool = publishesMaps ? false : 'hidden-source-map';
  // While developing there is one variant, with probes.
  const variants = options.mode === 'development' ? undefined : settings.variants;
  if (settings.runtime === 'inject' && !variants) inject(compiler, settings);

  compiler.hooks.thisCompilation.tap(PLUGIN_NAME, (/** @type {any} */ compilation) => {
    const warn = (/** @type {string} */ message) =>
      compilation.warnings.push(new webpack.WebpackError(`${PLUGIN_NAME}: ${message}`));
    const note = (/** @type {string} */ message) => logger.info(message);
    if (hidden) return warn(hidden);
    const instrumenter = new ChunkInstrumenter(settings, { root: compiler.context, warn });
    // For hashes in names that are made before the content is there.
    const addSalt = (/** @type {any} */ _, /** @type {any} */ hash) => hash.update(instrumenter.salt);
    compilation.hooks.chunkHash.tap(PLUGIN_NAME, addSalt);
    webpack.javascript.JavascriptModulesPlugin.getCompilationHooks(compilation).chunkHash.tap(
      PLUGIN_NAME,
      addSalt,
    );
    const workshop = { compilation, instrumenter, publishesMaps, webpack };
    const naming = variants && namingChunks(compilation, webpack);
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING - 1;
    compilation.hooks.processAssets.tapPromise({ name: PLUGIN_NAME, stage }, async () => {
      if (naming) await addTwins(workshop, naming);
      else for (const { file } of scriptsOf(compilation)) await instrumentAsset(file, workshop);
      const summary = instrumenter.takeSummary();
      if (summary) note(summary);
    });
    if (variants) addChoosingPages(compiler, compilation, { settings, variants, warn, note });
  });
}

/** @param {any} compiler @param {PluginSettings} settings */
function inject(compiler, { install }) {
  const { webpack } = compiler;
  const { folder, files } = besideScripts(compiler, runtimeFiles());
  const defined = {
    __POLYPROF_FOLDER__: JSON.stringify(`${folder}/`),
    __POLYPROF_INSTALL__: JSON.stringify(JSON.stringify(install)),
  };
  new webpack.DefinePlugin(defined).apply(compiler);
  // Without a name it belongs to all entries, before what they load themselves.
  new webpack.EntryPlugin(compiler.context, RUNTIME, { name: undefined }).apply(compiler);
  compiler.hooks.thisCompilation.tap(PLUGIN_NAME, (/** @type {any} */ compilation) =>
    emitFiles(compilation, webpack, folder, files),
  );
}
