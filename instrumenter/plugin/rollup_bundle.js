import path from 'node:path';
import { dataUrl, withSourceMapComment } from '../maps/source_map_comment.js';
import { isScript } from './chunk_instrumenter.js';
import { mapFileOf, removeMaps } from './hidden_maps.js';
import { isForSystemJs, isModuleFormat } from './output_format.js';
import { importingFirst } from './polyfill_file.js';
import { isOwn } from './runtime_module.js';
import { sourceFolder } from './source_folder.js';

/** @typedef {import('./instrument_chunk.js').Done['result']} Result */

/**
 * What @vitejs/plugin-legacy adds when chunks have their names already, and does not tell who hashes them: changed, it would keep its name. Nobody
 * looks for it in a profile.
 */
const LEGACY_POLYFILLS = '\0vite/legacy-polyfills';

/** One output of Rollup or Rolldown, when nobody changes its files any more. */
export class RollupBundle {
  /** Of the hook: it emits files, and tells of warnings and errors. */
  context;
  /** By name; the hook's own, so that what is done here is done to the output. @type {Record<string, any>} */
  files;
  /** Scripts that may get probes. @type {any[]} */
  chunks;
  /** Of the output. @type {string} */
  format;
  /** What the user asked for: falsy, true, `inline` or `hidden`. */
  sourceMap;
  /** All scripts, and so all that may have maps. @type {any[]} */
  #scripts;
  /** Where the output will be written, absolute. */
  #folder;
  #instrumenter;

  /**
   * @param {any} context
   * @param {object} built
   * @param {any} built.output options that the bundler has completed
   * @param {Record<string, any>} built.files
   * @param {unknown} built.sourceMap
   * @param {import('./chunk_instrumenter.js').ChunkInstrumenter} built.instrumenter
   */
  constructor(context, { output, files, sourceMap, instrumenter }) {
    this.context = context;
    this.files = files;
    this.format = output.format;
    this.sourceMap = sourceMap;
    this.#instrumenter = instrumenter;
    this.#folder = path.resolve(output.dir ?? path.dirname(output.file ?? 'x'));
    this.#scripts = Object.values(files).filter(
      ({ type, fileName }) => type === 'chunk' && isScript(fileName),
    );
    this.chunks = this.#scripts.filter(({ facadeModuleId }) => facadeModuleId !== LEGACY_POLYFILLS);
  }

  get areModules() {
    return isModuleFormat(this.format);
  }

  /** @param {any} chunk @returns {boolean} */
  isModule({ code }) {
    return this.areModules && !isForSystemJs(code);
  }

  /** Are there scripts, but none that has the polyfill in it? */
  get lacksPolyfill() {
    return this.chunks.length > 0 && !this.chunks.some(({ moduleIds }) => moduleIds.some(isOwn));
  }

  /**
   * @param {any} chunk
   * @param {{file: string, twin: import('./instrument_chunk.js').Twin}} [as] what is to be made of it
   * @returns {Promise<Result>}
   */
  instrument(chunk, as) {
    const { code, fileName: file, map, moduleIds } = chunk;
    return this.#instrumenter.instrument({
      code,
      file,
      map,
      folder: sourceFolder(map?.sources ?? [], moduleIds, path.join(this.#folder, path.dirname(file))),
      mapTo: this.sourceMap ? 'sources' : null,
      sourceType: this.isModule(chunk) ? 'module' : undefined,
      ...as,
    });
  }

  /** Puts probes into the chunks. @param {string | undefined} polyfill name of the file that entries import it from, if they do */
  async addProbes(polyfill) {
    for (const chunk of this.chunks) {
      if (chunk.moduleIds.every(isOwn)) continue;
      const imports = polyfill !== undefined && chunk.isEntry && this.isModule(chunk);
      const importing = imports ? importingFirst(chunk, polyfill) : null;
      const result = (await this.instrument(importing ?? chunk)) ?? importing;
      if (result) this.#replace(chunk, result);
    }
  }

  /** @param {any} chunk @param {{code: string, map: any, table?: Uint8Array}} result */
  #replace(chunk, { code, map, table }) {
    const mapAsset = this.files[mapFileOf(chunk)];
    chunk.code = this.sourceMap === 'inline' ? withSourceMapComment(code, dataUrl(map)) : code;
    chunk.map = map;
    if (this.sourceMap && mapAsset) mapAsset.source = JSON.stringify(map);
    if (table) this.emit(`${chunk.fileName}.ppft`, table);
  }

  /** @param {string} fileName @param {string | Uint8Array} source */
  emit(fileName, source) {
    this.context.emitFile({ type: 'asset', fileName, source });
  }

  /** Takes out what was made for us alone. */
  removeHiddenMaps() {
    if (!this.sourceMap) removeMaps(this.#scripts, this.files);
  }
}
