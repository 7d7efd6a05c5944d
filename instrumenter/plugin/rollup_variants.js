import path from 'node:path';
import { CHOOSER_FILE, POLYFILL_FILE } from '../files/dist_files.js';
import { dataUrl, withSourceMapComment } from '../maps/source_map_comment.js';
import { NO_PAGE } from '../variants/no_page.js';
import { twinName } from '../variants/twin_name.js';
import { runtimeFilesOfVariants } from './runtime_files.js';

/**
 * Variants in the output of Rollup, Rolldown and Vite: chunks stay as they are, each gets a twin with probes beside it, and pages choose.
 * @param {any} context of the hook
 * @param {object} build
 * @param {import('./plugin_options.js').PluginSettings} build.settings
 * @param {import('./rollup_hooks.js').BuildHost} build.host
 * @param {any[]} build.chunks
 * @param {Record<string, any>} build.bundle
 * @param {{format: string}} build.output options
 * @param {boolean} build.areModules
 * @param {unknown} build.sourceMap what the user asked for
 * @param {import('./rollup_hooks.js').InstrumentChunk} build.instrumentChunk
 * @param {(message: string) => void} build.note
 */
export async function addVariants(
  context,
  { settings, host, chunks, bundle, output, areModules, sourceMap, instrumentChunk, note },
) {
  // In others references.js does not know how they import each other.
  if (chunks.length > 1 && !areModules) {
    context.error(
      `polyprof: variants of several chunks need output.format 'es', not '${output.format}': set that, or output one chunk`,
    );
  }
  const twins = { files: new Set(chunks.map(({ fileName }) => fileName)), base: host.base?.() };
  /** @type {Map<string, string>} */
  const contents = new Map();
  const emit = (/** @type {string} */ fileName, /** @type {string | Uint8Array} */ source) =>
    context.emitFile({ type: 'asset', fileName, source });

  for (const chunk of chunks) {
    const file = twinName(chunk.fileName);
    const result = await instrumentChunk(chunk, { file, twin: { of: chunk.fileName, twins } });
    const code = withComment(result?.code ?? chunk.code, result?.map, file, sourceMap);
    contents.set(file, code);
    emit(file, code);
    if (result) emit(`${file}.ppft`, result.table);
    if (result && sourceMap && sourceMap !== 'inline') emit(`${file}.map`, JSON.stringify(result.map));
  }

  const brings = settings.runtime === 'inject';
  const { folder, files } = runtimeFilesOfVariants(settings);
  const place = (/** @type {string} */ name) => path.posix.join(host.assetsFolder(), folder, name);
  for (const { name, content } of files) emit(place(name), content);
  // Only who has variants needs a parser of HTML.
  const { choosingPage, isPage } = await import('../variants/build_variants.js');
  const pages = Object.values(bundle).filter(({ type, fileName }) => type === 'asset' && isPage(fileName));
  if (pages.length === 0) note(NO_PAGE);
  for (const page of pages) {
    page.source = choosingPage(String(page.source), page.fileName, {
      variants: /** @type {import('../variants/variant_options.js').VariantSettings} */ (settings.variants),
      twins,
      contentOf: (file) => contents.get(file) ?? '',
      runtime: {
        polyfill: brings ? place(POLYFILL_FILE) : null,
        chooser: place(CHOOSER_FILE),
      },
      warn: (message) => context.warn(message),
    });
  }
}

/** @param {string} code @param {any} map @param {string} file @param {unknown} sourceMap */
function withComment(code, map, file, sourceMap) {
  if (!map || (sourceMap !== true && sourceMap !== 'inline')) return code;
  return withSourceMapComment(
    code,
    sourceMap === 'inline' ? dataUrl(map) : encodeURIComponent(`${path.posix.basename(file)}.map`),
  );
}
