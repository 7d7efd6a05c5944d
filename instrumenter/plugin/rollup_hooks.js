import path from 'node:path';
import MagicString from 'magic-string';
import { withSourceMapComment } from '../command/source_map_comment.js';
import { ChunkInstrumenter, isScript } from './chunk_instrumenter.js';
import { RUNTIME_MODULE, runtimeFiles } from './runtime_files.js';

/**
 * Hooks of production builds by Rollup and Rolldown, which Vite has too: the polyfill is imported first in each entry, and finished
 * chunks are instrumented when nobody changes them any more.
 *
 * @typedef {import('./plugin_options.js').PluginSettings} PluginSettings
 * @typedef {object} BuildHost
 * @property {() => string} root the project's folder
 * @property {() => string} assetsFolder where assets go within the output folder; may be empty
 * @property {(message: string) => void} [info] where the summary goes; default: the bundler's own log
 * @property {() => unknown} [sourceMaps] what the user asked for, if the bundler does not know any more
 */

/** A module that no file holds. */
const RUNTIME_ID = '\0polyprof-runtime';

/** A hashbang and directives, which have to stay first. */
const START = /^(?:#!.*\n)?(?:\s*(['"])use [\w ]+\1;?)*/;

/**
 * @param {PluginSettings} settings
 * @param {BuildHost} host
 * @returns {any} hooks of a Rollup plugin
 */
export function rollupHooks(settings, host) {
  /** @type {ChunkInstrumenter} */
  let instrumenter;
  /** What the user asked for, by output. @type {Map<string, unknown>} */
  const sourceMaps = new Map();

  return {
    /** @this {any} */
    buildStart() {
      const warn = (/** @type {string} */ message) => this.warn(message);
      instrumenter = new ChunkInstrumenter(settings, { root: host.root(), warn });
    },

    resolveId: (/** @type {string} */ id) =>
      id === RUNTIME_ID ? { id, moduleSideEffects: 'no-treeshake' } : null,

    /** @this {any} @param {string} id */
    load(id) {
      if (id !== RUNTIME_ID) return null;
      const { folder, files } = runtimeFiles();
      const [reference] = files.map(({ name, content }) => {
        const fileName = path.posix.join(host.assetsFolder(), folder, name);
        return this.emitFile({ type: 'asset', fileName, source: content });
      });
      // Vite makes a path of it, Rollup an address.
      return `import { setUp } from ${JSON.stringify(RUNTIME_MODULE)};
setUp(new URL('.', new URL(import.meta.ROLLUP_FILE_URL_${reference}, import.meta.url)));`;
    },

    transform: {
      order: 'post',
      /** @this {any} @param {string} code @param {string} id */
      handler(code, id) {
        if (settings.runtime !== 'inject' || id === RUNTIME_ID || isForServers(this)) return null;
        if (!this.getModuleInfo(id)?.isEntry) return null;
        const edited = new MagicString(code);
        edited.appendLeft(START.exec(code)?.[0].length ?? 0, `import ${JSON.stringify(RUNTIME_ID)};`);
        return { code: edited.toString(), map: edited.generateMap({ hires: true }) };
      },
    },

    /** Names and lines of the sources come from source maps, also if nobody else wants them. @param {any} options */
    outputOptions(options) {
      sourceMaps.set(keyOf(options), options.sourcemap);
      return { ...options, sourcemap: options.sourcemap || 'hidden' };
    },

    augmentChunkHash: () => instrumenter.salt,

    generateBundle: {
      order: 'post',
      /** @this {any} @param {any} output @param {Record<string, any>} bundle */
      handler(output, bundle) {
        if (isForServers(this)) return;
        const sourceMap = host.sourceMaps ? host.sourceMaps() : sourceMaps.get(keyOf(output));
        const outputFolder = path.resolve(output.dir ?? path.dirname(output.file ?? 'x'));
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !isScript(chunk.fileName)) continue;
          const result = instrumenter.instrument({
            code: chunk.code,
            file: chunk.fileName,
            map: chunk.map,
            folder: path.join(outputFolder, path.dirname(chunk.fileName)),
            mapTo: sourceMap ? 'sources' : null,
            sourceType: /^(es|esm|module)$/.test(output.format) ? 'module' : undefined,
          });
          const mapFile = chunk.sourcemapFileName ?? `${chunk.fileName}.map`;
          if (result) {
            chunk.code =
              sourceMap === 'inline' ? withSourceMapComment(result.code, dataUrl(result.map)) : result.code;
            chunk.map = result.map;
            if (sourceMap && bundle[mapFile]) bundle[mapFile].source = JSON.stringify(result.map);
            this.emitFile({ type: 'asset', fileName: `${chunk.fileName}.ppft`, source: result.table });
          }
          if (!sourceMap) {
            delete bundle[mapFile];
            chunk.map = null;
          }
        }
        const summary = instrumenter.takeSummary();
        if (summary) (host.info ?? ((text) => this.info(text)))(summary);
      },
    },
  };
}

/** Vite builds for servers with the same plugins; nothing is profiled there. @param {any} context */
function isForServers({ environment }) {
  return environment?.config?.consumer === 'server';
}

/** @param {{dir?: string, file?: string, format?: string}} output options, as given or completed by the bundler */
function keyOf({ dir, file, format = 'es' }) {
  return [dir, file, /^(esm|module)$/.test(format) ? 'es' : format].join('\0');
}

/** @param {object} map */
function dataUrl(map) {
  return `data:application/json;charset=utf-8;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}
