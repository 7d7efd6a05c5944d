import path from 'node:path';
import MagicString from 'magic-string';
import { dataUrl, withSourceMapComment } from '../maps/source_map_comment.js';
import { ChunkInstrumenter, isScript } from './chunk_instrumenter.js';
import { bringsPolyfill } from './plugin_options.js';
import { importingFirst } from './polyfill_file.js';
import { addVariants } from './rollup_variants.js';
import { RUNTIME_MODULE, runtimeFiles } from './runtime_files.js';
import { sourceFolder } from './source_folder.js';

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
 *
 * @typedef {import('./instrument_chunk.js').Done['result']} Result
 * @typedef {(chunk: any, as?: {file: string, twin: import('./instrument_chunk.js').Twin}) => Promise<Result>} InstrumentChunk
 */

/** Formats of outputs that are modules. */
const MODULES = /^(es|esm|module)$/;

/** Formats by their other names, which bundlers replace. @type {Record<string, string>} */
const FORMATS = { esm: 'es', module: 'es', commonjs: 'cjs', systemjs: 'system' };

/** A module that no file holds. */
const RUNTIME_ID = '\0polyprof-runtime';

const NO_POLYFILL =
  "polyprof: no entry of this build brings the polyfill: load polyprof.js by a script tag before the app, and set runtime: 'external'";

/** @param {string} id of a module */
const isOwn = (id) => id === RUNTIME_ID || id === RUNTIME_MODULE;

/**
 * What @vitejs/plugin-legacy adds when chunks have their names already, and does not tell who hashes them: changed, it would keep its name. Nobody
 * looks for it in a profile.
 */
const LEGACY_POLYFILLS = '\0vite/legacy-polyfills';

/** For old browsers, by the same plugin or by Babel: it is no module any more, though the bundler says so. */
const SYSTEM =
  /^(?:\s|;|\/\/.*\n|\/\*[^]*?\*\/|\(function\s*\(\)\s*\{|(['"])use strict\1)*System\.register\(/;

/** A hashbang and directives, which have to stay first. */
const START = /^(?:#!.*\n)?(?:\s*(['"])use [\w ]+\1;?)*/;

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
  /** @type {ChunkInstrumenter} */
  let instrumenter;
  /** Entries, by name and as modules: a bundler may transform one before it knows that it is an entry, as others import it, too. */
  const known = new Set();
  const entries = new Set();
  /**
   * How many entries are being resolved, so that we do not know their module ids yet. Some plugins, such as that for CommonJS, already load the module meanwhile:
   * so every module that is transformed during that time is taken for an entry, and imports the polyfill.
   */
  let entriesOnTheWay = 0;
  /** @param {any} context @param {string} name @param {string | undefined} importer @param {object} options */
  const resolveEntry = async (context, name, importer, options) => {
    entriesOnTheWay++;
    try {
      return await context.resolve(name, importer, { ...options, isEntry: true, skipSelf: true });
    } finally {
      entriesOnTheWay--;
    }
  };
  /** Plugins that change modules and give no source map. @type {Set<string>} */
  const withoutMaps = new Set();
  /** What the user asked for, by output. @type {Map<string, unknown>} */
  const sourceMaps = new Map();
  /** @param {any} output options that the bundler has completed; only hidden maps may be ours */
  const askedMaps = (output) => {
    if (host.sourceMaps) return host.sourceMaps();
    const isOurs = output.sourcemap === 'hidden' && sourceMaps.get(keyOf(output)) !== 'hidden';
    return isOurs ? false : output.sourcemap;
  };
  const isInjected = (/** @type {any} */ context) =>
    bringsPolyfill(settings) && !isForServers(context) && !host.polyfill?.();
  /** Vite builds for servers with the same plugins; nothing is profiled there. @param {any} context */
  const polyfillOf = (context) => (isForServers(context) ? null : host.polyfill?.());

  return {
    buildStart: {
      // Other plugins have to be ready to find the entries.
      order: 'post',
      sequential: true,
      /** @this {any} @param {{input?: string | string[] | Record<string, string> | null}} options */
      async handler({ input }) {
        const warn = (/** @type {string} */ message) => this.warn(message);
        instrumenter = new ChunkInstrumenter(settings, { root: host.root(), warn });
        for (const asset of polyfillOf(this)?.assets ?? []) this.emitFile({ type: 'asset', ...asset });
        if (!isInjected(this) || this.environment?.mode === 'dev') return;
        known.clear();
        entries.clear();
        for (const name of Object.values(typeof input === 'string' ? [input] : (input ?? []))) {
          // The bundler itself reports an entry that cannot be found.
          const entry = await resolveEntry(this, name, undefined, {}).catch(() => null);
          known.add(name);
          entries.add(entry?.id);
        }
      },
    },

    resolveId: {
      order: 'pre',
      /** @this {any} @param {string} id @param {string | undefined} importer @param {{isEntry?: boolean}} options */
      async handler(id, importer, options) {
        if (id === RUNTIME_ID) return { id, moduleSideEffects: 'no-treeshake' };
        if (!options?.isEntry || !isInjected(this)) return null;
        return known.has(id) ? null : resolveEntry(this, id, importer, options);
      },
    },

    /** @this {any} @param {string} id */
    load(id) {
      if (id !== RUNTIME_ID) return null;
      const { folder, files } = runtimeFiles();
      const [reference] = files.map(({ name, content }) => {
        const fileName = path.posix.join(host.assetsFolder(), folder, name);
        return this.emitFile({ type: 'asset', fileName, source: content });
      });
      // Vite makes a path of it, Rollup an address. Rolldown leaves classic scripts without one of their own.
      return `import { setUp } from ${JSON.stringify(RUNTIME_MODULE)};
setUp(new URL('.', new URL(import.meta.ROLLUP_FILE_URL_${reference}, import.meta.url || globalThis.location.href)), ${JSON.stringify(settings.install)});`;
    },

    transform: {
      order: 'post',
      /** @this {any} @param {string} code @param {string} id */
      handler(code, id) {
        if (!isInjected(this) || isOwn(id)) return null;
        const isEntry = entriesOnTheWay > 0 || entries.has(id) || this.getModuleInfo(id)?.isEntry;
        if (!isEntry) return null;
        const edited = new MagicString(code);
        edited.appendLeft(START.exec(code)?.[0].length ?? 0, `import ${JSON.stringify(RUNTIME_ID)};`);
        return { code: edited.toString(), map: edited.generateMap({ hires: true }) };
      },
    },

    /** What the polyfill loads are modules in all formats; loaders of AMD and SystemJS would take them for classic scripts. @param {{moduleId: string}} from */
    renderDynamicImport({ moduleId }) {
      return moduleId === RUNTIME_MODULE ? { left: 'import(', right: ')' } : null;
    },

    /** Names and lines of the sources come from source maps, also if nobody else wants them. @this {any} @param {any} options */
    outputOptions(options) {
      if (isForServers(this)) return null;
      sourceMaps.set(keyOf(options), options.sourcemap);
      return { ...options, sourcemap: options.sourcemap || 'hidden' };
    },

    /** Who asked for no source maps is told once of each plugin that breaks ours, not for each module. @param {string} _ @param {any} log */
    onLog(_, { code, plugin }) {
      if (code !== 'SOURCEMAP_BROKEN') return true;
      const asked = host.sourceMaps ? [host.sourceMaps()] : [...sourceMaps.values()];
      if (asked.some(Boolean)) return true;
      const isNews = !withoutMaps.has(plugin);
      withoutMaps.add(plugin);
      return isNews;
    },

    /** @this {any} */
    augmentChunkHash() {
      return instrumenter.salt + (polyfillOf(this)?.file ?? '');
    },

    generateBundle: {
      order: 'post',
      /** @this {any} @param {any} output @param {Record<string, any>} bundle */
      async handler(output, bundle) {
        if (isForServers(this)) return;
        const note = host.info ?? ((/** @type {string} */ text) => this.info(text));
        const sourceMap = askedMaps(output);
        const outputFolder = path.resolve(output.dir ?? path.dirname(output.file ?? 'x'));
        const all = Object.values(bundle).filter(
          ({ type, fileName }) => type === 'chunk' && isScript(fileName),
        );
        const chunks = all.filter(({ facadeModuleId }) => facadeModuleId !== LEGACY_POLYFILLS);
        const areModules = MODULES.test(output.format);
        const isModule = (/** @type {any} */ { code }) => areModules && !SYSTEM.test(code);
        /** @type {InstrumentChunk} */
        const instrumentChunk = (chunk, as) =>
          instrumenter.instrument({
            code: chunk.code,
            file: chunk.fileName,
            map: chunk.map,
            folder: sourceFolder(
              chunk.map?.sources ?? [],
              chunk.moduleIds,
              path.join(outputFolder, path.dirname(chunk.fileName)),
            ),
            mapTo: sourceMap ? 'sources' : null,
            sourceType: isModule(chunk) ? 'module' : undefined,
            ...as,
          });
        if (settings.variants) {
          await addVariants(this, {
            settings,
            host,
            chunks: chunks.filter((chunk) => !areModules || isModule(chunk)),
            bundle,
            output,
            areModules,
            sourceMap,
            instrumentChunk,
            note,
          });
        } else {
          const polyfill = polyfillOf(this);
          const isWithout = chunks.length > 0 && !chunks.some(({ moduleIds }) => moduleIds.some(isOwn));
          if (isInjected(this) && isWithout) this.warn(NO_POLYFILL);
          for (const chunk of chunks) {
            if (chunk.moduleIds.every(isOwn)) continue;
            const imports = polyfill && chunk.isEntry && isModule(chunk);
            const importing = imports ? importingFirst(chunk, polyfill.file) : null;
            const result = (await instrumentChunk(importing ?? chunk)) ?? importing;
            if (result) replaceChunk(this, chunk, result, sourceMap, bundle[mapFileOf(chunk)]);
          }
        }
        if (!sourceMap) removeMaps(all, bundle);
        const summary = instrumenter.takeSummary();
        if (summary) note(summary);
      },
    },
  };
}

/**
 * @param {any} context
 * @param {any} chunk
 * @param {{code: string, map: any, table?: Uint8Array}} result
 * @param {unknown} sourceMap
 * @param {any} mapAsset
 */
function replaceChunk(context, chunk, { code, map, table }, sourceMap, mapAsset) {
  chunk.code = sourceMap === 'inline' ? withSourceMapComment(code, dataUrl(map)) : code;
  chunk.map = map;
  if (sourceMap && mapAsset) mapAsset.source = JSON.stringify(map);
  if (table) context.emitFile({ type: 'asset', fileName: `${chunk.fileName}.ppft`, source: table });
}

/** @param {any[]} chunks @param {Record<string, any>} bundle */
function removeMaps(chunks, bundle) {
  for (const chunk of chunks) {
    delete bundle[mapFileOf(chunk)];
    chunk.map = null;
  }
  // Of chunks that another plugin took out: Astro puts small ones into pages.
  for (const file of Object.keys(bundle))
    if (/\.[cm]?js\.map$/.test(file) && !bundle[file.slice(0, -'.map'.length)]) delete bundle[file];
}

/** @param {any} chunk */
function mapFileOf({ sourcemapFileName, fileName }) {
  return sourcemapFileName ?? `${fileName}.map`;
}

/** @param {any} context of a hook */
function isForServers({ environment }) {
  return environment?.config?.consumer === 'server';
}

/** @param {any} output options, as given or completed by the bundler */
function keyOf({ dir, file, format = 'es', entryFileNames = '[name].js' }) {
  // Functions may have become others.
  const names = typeof entryFileNames === 'string' ? entryFileNames : '';
  return [dir, file, FORMATS[format] ?? format, names].join('\0');
}
