import { posix } from 'node:path';
import { ChunkInstrumenter } from '../instrumenter/plugin/chunk_instrumenter.js';
import { sourceFilter } from '../instrumenter/sources/source_filter.js';
import { tableNameIn } from '../instrumenter/probes/prelude.js';
import { download } from '../report/symbols/download.js';
import { findSourceMap } from '../report/symbols/script_map.js';
import { tableIn } from '../report/symbols/symbol_files.js';
import { headerOf } from './headers.js';
import { workerPrologue } from './in_page/worker_script.js';
import { pathOf, scriptNameOf, tableName, withoutQuery } from './site_names.js';

/** @import { Answer } from './headers.js' */
/** @import { RunSettings } from './options.js' */

/** What webpack and Rspack make with devtool: 'eval…', the default while developing. */
const EVAL = /^eval\((?:__webpack_require__\.ts\()?["`].*\/\/# sourceURL=/m;

/** Characters to a line, in the mean: in sources fewer, in minified scripts far more. */
const MINIFIED_LINE = 200;

/** A dev server's own, which is no part of the app. */
const SERVERS_OWN = /\/@(vite\/client|react-refresh)$/;

/** @typedef {{code: string, name: string, table: Uint8Array}} SiteScript with probes, and its function table with the name of that */

/** The scripts of a site, with probes; each is made once. */
export class SiteScripts {
  #sourceMaps;
  #note;
  #addressOfTable;
  #instrumenter;
  /** @type {Map<string, Promise<{code: string, table: Uint8Array} | null>>} by what they are made of */
  #made = new Map();
  /** Minified ones whose original names nobody gave. @type {Set<string>} */
  #nameless = new Set();
  /** Source maps that cannot be read, after the first one: how many by the reason. @type {Map<string, number>} */
  #unread = new Map();
  /** Of those without a source map, which are sources themselves. */
  #selects;
  /** Scripts that `include` and `exclude` leave out as a whole. */
  leftOut = 0;

  /**
   * @param {RunSettings} settings
   * @param {(note: string) => void} note
   * @param {(name: string) => string} addressOfTable by which scripts get theirs
   */
  constructor({ instrument, sourceMaps, takeSmall }, note, addressOfTable) {
    this.#sourceMaps = sourceMaps;
    this.#note = note;
    this.#addressOfTable = addressOfTable;
    this.#selects = sourceFilter(instrument);
    this.#instrumenter = new ChunkInstrumenter(instrument, {
      root: '/',
      // So development servers name what they read, such as Turbopack.
      files: process.cwd(),
      warn: note,
      takeSmall,
    });
  }

  /** @returns {string | undefined} what has got probes since it was asked last, in one line */
  takeSummary() {
    return this.#instrumenter.takeSummary();
  }

  /** Functions since then. */
  get functions() {
    return this.#instrumenter.functions;
  }

  /** @param {string} url @param {string} code @param {Answer['headers']} headers @returns {Promise<SiteScript | null>} null: it stays as it is */
  async script(url, code, headers) {
    if (SERVERS_OWN.test(withoutQuery(url))) return null;
    const name = tableName(url, code);
    const known = this.#made.get(name) ?? this.#make(url, code, { headers, name });
    this.#made.set(name, known);
    const made = await known;
    return made && { ...made, name };
  }

  /** What many scripts have in common, once what is to be profiled has run. */
  noteRest() {
    this.#noteNameless();
    for (const [reason, count] of this.#unread) {
      if (count > 0)
        this.#note(`${count} more source ${count === 1 ? 'map' : 'maps'} cannot be read: ${reason}`);
      this.#unread.set(reason, 0);
    }
  }

  #noteNameless() {
    const [first, ...others] = this.#nameless;
    if (first === undefined) return;
    const which =
      others.length === 0
        ? `${first} is minified and has`
        : `${first} and ${others.length} more ${others.length === 1 ? 'script' : 'scripts'} are minified and have`;
    this.#note(
      `${which} no source map, so names and lines are those of the script: build with source maps and, where the server does not give them ` +
        'out, name their folder by sourceMaps (--source-maps)',
    );
  }

  /** @param {string} url of the script @param {import('../report/symbols/script_map.js').MapProblem} problem */
  #noteUnread(url, { message, reason }) {
    const more = this.#unread.get(reason);
    this.#unread.set(reason, more === undefined ? 0 : more + 1);
    if (more === undefined) this.#note(`${message}: names in ${url} are those of the script`);
  }

  /** @param {string} url @param {string} code @param {Making} making */
  async #make(url, code, making) {
    return (await this.#instrument(url, code, making)) ?? this.#asItIs(url, code);
  }

  /**
   * @typedef {{headers: Answer['headers'], name: string}} Making `name` of the table
   * @param {string} url @param {string} code @param {Making} making
   */
  async #instrument(url, code, { headers, name }) {
    if (EVAL.test(code)) {
      this.#note(
        `${url} has its functions in texts for eval, which get no probes: set webpack's devtool to 'source-map' or 'cheap-module-source-map'`,
      );
    }
    const told = headerOf(headers, 'sourcemap') ?? headerOf(headers, 'x-sourcemap');
    const folders = this.#sourceMaps;
    const { map, url: base, problem } = await findSourceMap({ url, code, told, folders });
    if (problem) this.#noteUnread(url, problem);
    if (!map && !this.#selects(scriptNameOf(withoutQuery(url)))) {
      this.leftOut++;
      return null;
    }
    const chunk = {
      code,
      file: scriptNameOf(url),
      folder: posix.dirname(pathOf(base)),
      mapTo: /** @type {null} */ (null),
      tableName: this.#addressOfTable(name),
      // Any script may be a worker's: one that was made of a text imports what it is.
      prologue: workerPrologue(),
    };
    try {
      const result = await this.#instrumenter.instrument({ ...chunk, map });
      if (result && !map && !problem && isMinified(code)) this.#nameless.add(url);
      return result;
    } catch (error) {
      if (!map) throw error;
      this.#note(`the source map of ${url} is no source map: ${/** @type {Error} */ (error).message}`);
      return this.#instrumenter.instrument(chunk);
    }
  }

  /** A script without new probes: with its function table, if it had some before. @param {string} url @param {string} code */
  async #asItIs(url, code) {
    const inside = tableIn(code);
    if (inside) return { code, table: inside };
    const name = tableNameIn(code);
    if (name === undefined || !URL.canParse(name, url)) return null;
    const { href } = new URL(name, url);
    try {
      return { code, table: await download(href) };
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      this.#note(
        `function table ${href} cannot be read: ${message}: names in ${url} are those of the script`,
      );
      return null;
    }
  }
}

/** @param {string} code */
function isMinified(code) {
  return code.length / code.trimEnd().split('\n').length > MINIFIED_LINE;
}
