import { fileURLToPath } from 'node:url';
import { ChunkInstrumenter, isScript } from './chunk_instrumenter.js';
import { runtimeFiles } from './runtime_files.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

const NAME = 'polyprof';

const RUNTIME = fileURLToPath(new URL('./runtime/webpack.js', import.meta.url));

/**
 * webpack and Rspack, which have the same hooks: chunks are instrumented after they were made smaller, before source maps are
 * written and before names get the hashes of what is in them. In development, too: a dev server serves chunks.
 * @param {any} compiler
 * @param {PluginSettings} settings
 */
export function applyToWebpack(compiler, settings) {
  const { webpack, options } = compiler;
  const logger = compiler.getInfrastructureLogger(NAME);
  const wantsSourceMaps = Boolean(options.devtool);
  const isEval = /eval/.test(String(options.devtool));
  // Names and lines of the sources come from source maps, also if nobody else wants them.
  if (!wantsSourceMaps) options.devtool = 'hidden-source-map';
  if (settings.runtime === 'inject') inject(compiler);

  compiler.hooks.thisCompilation.tap(NAME, (/** @type {any} */ compilation) => {
    const warn = (/** @type {string} */ message) =>
      compilation.warnings.push(new webpack.WebpackError(`${NAME}: ${message}`));
    if (isEval) {
      warn(
        `devtool '${options.devtool}' hides functions from probes: set devtool to 'source-map' or 'cheap-module-source-map'`,
      );
      return;
    }
    const instrumenter = new ChunkInstrumenter(settings, { root: compiler.context, warn });
    // For hashes in names that are made before the content is there.
    const addSalt = (/** @type {any} */ _, /** @type {any} */ hash) => hash.update(instrumenter.salt);
    compilation.hooks.chunkHash.tap(NAME, addSalt);
    webpack.javascript.JavascriptModulesPlugin.getCompilationHooks(compilation).chunkHash.tap(NAME, addSalt);
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING - 1;
    compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
      for (const chunk of compilation.chunks) {
        for (const file of chunk.files) {
          if (isScript(file))
            instrumentAsset(compilation, file, instrumenter, wantsSourceMaps, webpack.sources);
        }
      }
      const summary = instrumenter.takeSummary();
      if (summary) logger.info(summary);
    });
  });
}

/**
 * @param {any} compilation @param {string} file @param {ChunkInstrumenter} instrumenter
 * @param {boolean} wantsSourceMaps @param {any} sources
 */
function instrumentAsset(compilation, file, instrumenter, wantsSourceMaps, { RawSource, SourceMapSource }) {
  const { source, info } = compilation.getAsset(file);
  const { source: content, map } = source.sourceAndMap();
  const code = String(content);
  const result = instrumenter.instrument({
    code,
    file: file.replace(/[?#].*$/s, ''),
    map: map ?? undefined,
    folder: compilation.compiler.context,
    mapTo: wantsSourceMaps && map ? 'sources' : null,
  });
  if (!result) {
    if (!wantsSourceMaps) compilation.updateAsset(file, new RawSource(code));
    return;
  }
  const output =
    wantsSourceMaps && map ? new SourceMapSource(result.code, file, result.map) : new RawSource(result.code);
  compilation.updateAsset(file, output);
  // The table's name has the script's hash in it, which is made from both.
  const { contenthash, immutable } = info;
  compilation.emitAsset(file.replace(/(\?.*)?$/s, '.ppft$1'), new RawSource(Buffer.from(result.table)), {
    contenthash,
    immutable,
    related: {},
  });
}

/** @param {any} compiler */
function inject(compiler) {
  const { webpack } = compiler;
  const { folder, files } = runtimeFiles();
  new webpack.DefinePlugin({ __POLYPROF_FOLDER__: JSON.stringify(`${folder}/`) }).apply(compiler);
  // Without a name it belongs to all entries, before what they load themselves.
  new webpack.EntryPlugin(compiler.context, RUNTIME, { name: undefined }).apply(compiler);
  compiler.hooks.thisCompilation.tap(NAME, (/** @type {any} */ compilation) => {
    const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
    compilation.hooks.processAssets.tap({ name: NAME, stage }, () => {
      for (const { name, content } of files) {
        compilation.emitAsset(`${folder}/${name}`, new webpack.sources.RawSource(content), {
          immutable: true,
        });
      }
    });
  });
}
