import path from 'node:path';
import { CHOOSER_FILE, POLYFILL_FILE } from '../files/dist_files.js';
import { dataUrl, withSourceMapComment } from '../maps/source_map_comment.js';
import { NO_PAGE } from '../variants/no_page.js';
import { twinName } from '../variants/twin_name.js';
import { runtimeFilesOfVariants } from './runtime_files.js';

/**
 * Variants in the output of Rollup, Rolldown and Vite: chunks stay as they are, each gets a twin with probes beside it, and pages choose.
 *
 * @typedef {import('./rollup_bundle.js').RollupBundle} RollupBundle
 * @typedef {import('../variants/twins.js').Twins} Twins
 */

/**
 * @param {RollupBundle} bundle
 * @param {object} build
 * @param {import('./plugin_options.js').PluginSettings} build.settings
 * @param {import('./rollup_hooks.js').BuildHost} build.host
 * @param {(message: string) => void} build.note
 */
export async function addVariants(bundle, { settings, host, note }) {
  const { areModules, format } = bundle;
  const chunks = bundle.chunks.filter((chunk) => !areModules || bundle.isModule(chunk));
  // In others references.js does not know how they import each other.
  if (chunks.length > 1 && !areModules) {
    bundle.context.error(
      `polyprof: variants of several chunks need output.format 'es', not '${format}': set that, or output one chunk`,
    );
  }
  const twins = { files: new Set(chunks.map(({ fileName }) => fileName)), base: host.base?.() };
  const contents = await emitTwins(bundle, chunks, twins);
  await letPagesChoose(bundle, twins, contents, { settings, assetsFolder: host.assetsFolder(), note });
}

/** @param {RollupBundle} bundle @param {any[]} chunks @param {Twins} twins @returns {Promise<Map<string, string>>} their code, by name */
async function emitTwins(bundle, chunks, twins) {
  const { sourceMap } = bundle;
  /** @type {Map<string, string>} */
  const contents = new Map();
  for (const chunk of chunks) {
    const file = twinName(chunk.fileName);
    const result = await bundle.instrument(chunk, { file, twin: { of: chunk.fileName, twins } });
    const code = withComment(result?.code ?? chunk.code, result?.map, file, sourceMap);
    contents.set(file, code);
    bundle.emit(file, code);
    if (result) bundle.emit(`${file}.ppft`, result.table);
    if (result && sourceMap && sourceMap !== 'inline') bundle.emit(`${file}.map`, JSON.stringify(result.map));
  }
  return contents;
}

/**
 * @param {RollupBundle} bundle
 * @param {Twins} twins
 * @param {ReadonlyMap<string, string>} contents of the twins, by name
 * @param {object} build
 * @param {import('./plugin_options.js').PluginSettings} build.settings
 * @param {string} build.assetsFolder may be empty
 * @param {(message: string) => void} build.note
 */
async function letPagesChoose(bundle, twins, contents, { settings, assetsFolder, note }) {
  const { runtime, variants } = settings;
  const { folder, files } = runtimeFilesOfVariants(settings);
  const place = (/** @type {string} */ name) => path.posix.join(assetsFolder, folder, name);
  for (const { name, content } of files) bundle.emit(place(name), content);
  // Only who has variants needs a parser of HTML.
  const { choosingPage, isPage } = await import('../variants/build_variants.js');
  const pages = Object.values(bundle.files).filter(
    ({ type, fileName }) => type === 'asset' && isPage(fileName),
  );
  let chooses = false;
  for (const page of pages) {
    const html = String(page.source);
    page.source = choosingPage(html, page.fileName, {
      variants: /** @type {import('../variants/variant_options.js').VariantSettings} */ (variants),
      twins,
      contentOf: (file) => contents.get(file) ?? '',
      runtime: {
        polyfill: runtime === 'inject' ? place(POLYFILL_FILE) : null,
        chooser: place(CHOOSER_FILE),
      },
      warn: (message) => bundle.context.warn(message),
    });
    chooses ||= page.source !== html;
  }
  if (!chooses) note(NO_PAGE);
}

/** @param {string} code @param {any} map @param {string} file @param {unknown} sourceMap */
function withComment(code, map, file, sourceMap) {
  if (!map || (sourceMap !== true && sourceMap !== 'inline')) return code;
  return withSourceMapComment(
    code,
    sourceMap === 'inline' ? dataUrl(map) : encodeURIComponent(`${path.posix.basename(file)}.map`),
  );
}
