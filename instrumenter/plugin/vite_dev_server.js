import { createHash } from 'node:crypto';
import path from 'node:path';
import { distFile, POLYFILL_FILE, SESSION_FILES } from '../files/dist_files.js';
import { ChunkInstrumenter } from './chunk_instrumenter.js';
import { polyfillModule } from './runtime_files.js';
import { fileOf } from './vite_modules.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

/** The dev server's own addresses. */
const OWN_ADDRESS = /\/@polyprof\/([\w.-]+)(?:\?|$)/;

const MEDIA_TYPES = /** @type {Record<string, string>} */ ({
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.map': 'application/json',
});

/** Versions of modules of which a page may still ask for the table. */
const MAX_TABLES = 10_000;

/** What Vite's dev server serves with the plugin: modules with probes, their function tables, and the polyfill. */
export class ViteDevServer {
  #settings;
  /** Path that our own files are served below. */
  #ownPath = '';
  /** Another one each time that the server is started. @type {ChunkInstrumenter} */
  #instrumenter = /** @type {any} */ (undefined);
  /** By name, oldest first. @type {Map<string, Uint8Array>} */
  #tables = new Map();

  /** @param {PluginSettings} settings */
  constructor(settings) {
    this.#settings = settings;
  }

  /** Before all else. @param {any} config that Vite has completed */
  start({ root, base, logger }) {
    this.#ownPath = `${base}@polyprof/`;
    const warn = (/** @type {string} */ message) => logger.warn(`polyprof: ${message}`);
    this.#instrumenter = new ChunkInstrumenter(this.#settings, { root, warn });
  }

  /** The same for the tag in pages and for modules, so that there is one polyfill. */
  get #polyfillAddress() {
    return this.#ownPath + POLYFILL_FILE;
  }

  /**
   * @param {string} code
   * @param {string} id of its module
   * @param {() => any} mapOf the source map of the code, which takes a while to make
   * @returns {Promise<{code: string, map: any} | null>} as served; null: unchanged
   */
  async served(code, id, mapOf) {
    const file = fileOf(id);
    if (!file) return null;
    const brings =
      this.#settings.runtime === 'inject' ? `\nimport ${JSON.stringify(this.#polyfillAddress)};` : '';
    const name = `${createHash('sha256').update(id).update('\0').update(code).digest('hex').slice(0, 16)}.ppft`;
    const result = await this.#instrumenter.instrument({
      code,
      file,
      map: mapOf(),
      folder: path.dirname(file),
      sourceType: 'module',
      mapTo: 'input',
      tableName: this.#ownPath + name,
    });
    if (!result) return brings ? { code: code + brings, map: null } : null;
    this.#remember(name, result.table);
    return { code: result.code + brings, map: result.map };
  }

  /** @param {string} name @param {Uint8Array} table */
  #remember(name, table) {
    this.#tables.set(name, table);
    if (this.#tables.size > MAX_TABLES)
      this.#tables.delete(/** @type {string} */ (this.#tables.keys().next().value));
  }

  /** Middleware of the server. @param {any} request @param {any} response @param {() => void} next */
  answer(request, response, next) {
    const name = OWN_ADDRESS.exec(request.url ?? '')?.[1];
    const content = name && (this.#tables.get(name) ?? this.#runtimeFile(name));
    if (!content) return next();
    response.setHeader('Content-Type', MEDIA_TYPES[path.extname(name)] ?? 'application/octet-stream');
    response.setHeader('Cache-Control', 'no-cache');
    // A worker of an isolated page has to be isolated itself.
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.end(content);
  }

  /** @param {string} name @returns {Buffer | string | undefined} */
  #runtimeFile(name) {
    if (name !== POLYFILL_FILE) return SESSION_FILES.includes(name) ? distFile(name) : undefined;
    // Worklets may import the same modules as pages, and have not what it needs.
    return `if (globalThis.Performance) {\n${polyfillModule(this.#settings.install)}}\n`;
  }

  /** @returns {{tag: string, attrs: Record<string, string>, injectTo: 'head-prepend'}[]} of each page, as Vite has them */
  get tags() {
    if (this.#settings.runtime !== 'inject') return [];
    const attrs = { type: 'module', src: this.#polyfillAddress };
    return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
  }
}
