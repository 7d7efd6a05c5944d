import { isScript } from './chunk_instrumenter.js';
import { PLUGIN_NAME } from './plugin_options.js';

/** @typedef {import('./chunk_instrumenter.js').ChunkInstrumenter} ChunkInstrumenter */

/** @param {any} compilation @returns {{file: string, chunk: any}[]} */
export function scriptsOf({ chunks }) {
  return [...chunks].flatMap((chunk) => [...chunk.files].filter(isScript).map((file) => ({ file, chunk })));
}

/**
 * @typedef {object} Workshop
 * @property {any} compilation
 * @property {ChunkInstrumenter} instrumenter
 * @property {boolean} publishesMaps
 * @property {any} webpack
 */

/**
 * @param {string} file
 * @param {Workshop} workshop
 * @param {{file: string, twin: import('./instrument_chunk.js').Twin}} [as] what is to be made of it
 */
export async function instrumentAsset(file, { compilation, instrumenter, publishesMaps, webpack }, as) {
  const { RawSource, SourceMapSource } = webpack.sources;
  const { source, info } = compilation.getAsset(file);
  const { source: content, map } = source.sourceAndMap();
  const code = String(content);
  const target = as?.file ?? file;
  const result = await instrumenter.instrument({
    code,
    file: target.replace(/[?#].*$/s, ''),
    map: map ?? undefined,
    folder: compilation.compiler.context,
    mapTo: publishesMaps && map ? 'sources' : null,
    twin: as?.twin,
  });
  // The names of what goes with a script have its hash in them, which is made from all of it.
  const { contenthash, immutable } = info;
  // And nobody is to make a script smaller once it has its probes.
  const linked = { contenthash, immutable, minimized: true, related: {} };
  if (!publishesMaps && (as || !result)) compilation.updateAsset(file, new RawSource(code));
  const isMapped = publishesMaps && map && result;
  const output = isMapped
    ? new SourceMapSource(result.code, target, result.map)
    : new RawSource(result?.code ?? code);
  if (as) compilation.emitAsset(target, output, linked);
  else if (result) compilation.updateAsset(file, output);
  if (!result) return;
  const table = new RawSource(Buffer.from(result.table));
  compilation.emitAsset(target.replace(/(\?.*)?$/s, '.ppft$1'), table, linked);
}

/**
 * In a folder beside the scripts: some frameworks' servers give out nothing else.
 * @param {any} compiler
 * @param {import('./runtime_files.js').RuntimeFiles} runtime
 * @returns {import('./runtime_files.js').RuntimeFiles}
 */
export function besideScripts({ options }, { folder, files }) {
  const { filename } = options.output;
  const [beside = ''] = (typeof filename === 'string' && /^[^[?]*\//.exec(filename)) || [];
  return { folder: beside + folder, files };
}

/** @param {any} compilation @param {any} webpack @param {string} folder @param {{name: string, content: Buffer}[]} files */
export function emitFiles(compilation, webpack, folder, files) {
  const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
  compilation.hooks.processAssets.tap({ name: PLUGIN_NAME, stage }, () => {
    for (const { name, content } of files) {
      compilation.emitAsset(`${folder}/${name}`, new webpack.sources.RawSource(content), { immutable: true });
    }
  });
}
