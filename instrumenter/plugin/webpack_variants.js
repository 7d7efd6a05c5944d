import { CHOOSER_FILE, POLYFILL_FILE } from '../files/dist_files.js';
import { NO_PAGE } from '../variants/no_page.js';
import { twinName } from '../variants/twin_name.js';
import { PLUGIN_NAME } from './plugin_options.js';
import { runtimeFilesOfVariants } from './runtime_files.js';
import { emitFiles, besideScripts, instrumentAsset, scriptsOf } from './webpack_assets.js';

/** Variants in the output of webpack and Rspack: chunks stay as they are, each gets a twin with probes beside it, and pages choose. */

/**
 * @param {any} compilation
 * @param {any} webpack
 * @returns {Set<unknown>} the ids of chunks whose runtime makes names of chunks; filled while the compilation goes on
 */
export function namingChunks(compilation, { RuntimeGlobals }) {
  /** @type {Set<unknown>} */
  const ids = new Set();
  compilation.hooks.runtimeRequirementInTree
    .for(RuntimeGlobals.getChunkScriptFilename)
    .tap(PLUGIN_NAME, (/** @type {any} */ chunk) => void ids.add(chunk.id));
  return ids;
}

/** @param {import('./webpack_assets.js').Workshop} workshop @param {Set<unknown>} naming ids of chunks that make names of chunks */
export async function addTwins(workshop, naming) {
  const { compilation } = workshop;
  const twins = twinsOf(compilation);
  for (const { file, chunk } of scriptsOf(compilation)) {
    const of = file.replace(/[?#].*$/s, '');
    const made = { file: twinName(file), twin: { of, twins, namesChunks: naming.has(chunk.id) } };
    await instrumentAsset(file, workshop, made);
    // So that it gets a source map.
    chunk.auxiliaryFiles.add(made.file);
  }
}

/** @param {any} compilation @returns {import('../variants/twins.js').Twins} */
function twinsOf(compilation) {
  const files = scriptsOf(compilation).map(({ file }) => file.replace(/[?#].*$/s, ''));
  const { publicPath } = compilation.outputOptions;
  return { files: new Set(files), base: publicPath === 'auto' ? undefined : String(publicPath ?? '') };
}

/**
 * Pages are there late, as those of html-webpack-plugin; what compresses files comes later still.
 * @param {any} compiler
 * @param {any} compilation
 * @param {{settings: import('./plugin_options.js').PluginSettings,
 *   variants: import('../variants/variant_options.js').VariantSettings, warn: (message: string) => void, note: (message: string) => void}} options
 */
export function addChoosingPages(compiler, compilation, { settings, variants, warn, note }) {
  const brings = settings.runtime === 'inject';
  const { webpack } = compiler;
  const { folder, files } = besideScripts(compiler, runtimeFilesOfVariants(settings));
  emitFiles(compilation, webpack, folder, files);
  const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH + 1;
  compilation.hooks.processAssets.tapPromise(
    { name: PLUGIN_NAME, stage },
    async (/** @type {Record<string, any>} */ assets) => {
      // Only who has variants needs a parser of HTML.
      const { choosingPage, isPage } = await import('../variants/build_variants.js');
      const twins = twinsOf(compilation);
      const pages = Object.keys(assets).filter(isPage);
      let chooses = false;
      for (const file of pages) {
        const plain = String(assets[file].source());
        const html = choosingPage(plain, file, {
          variants,
          twins,
          contentOf: (name) => compilation.getAsset(name).source.source(),
          runtime: {
            polyfill: brings ? `${folder}/${POLYFILL_FILE}` : null,
            chooser: `${folder}/${CHOOSER_FILE}`,
          },
          warn,
        });
        compilation.updateAsset(file, new webpack.sources.RawSource(html));
        chooses ||= html !== plain;
      }
      if (!chooses) note(NO_PAGE);
    },
  );
}
