import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { SiteTexts } from '../instrumenter/site_texts.js';
import { decodedAddress } from '../instrumenter/decoded_address.js';
import { instrumentHtml } from '../instrumenter/html.js';
import { SourceError } from '../instrumenter/source_error.js';
import { ChunkInstrumenter } from '../instrumenter/plugin/chunk_instrumenter.js';
import { sourceFilter } from '../instrumenter/plugin/source_filter.js';
import { tableNameIn } from '../instrumenter/prelude.js';
import { tableIn } from '../report/symbol_files.js';
import { symbolicate } from '../report/symbolicate.js';
import { tableSymbols } from '../report/table_symbols.js';
import { download } from './download.js';
import { headerOf, headersOfChanged, headersOfRead, isolated, mediaType } from './headers.js';
import { pageReplacements } from './html_page.js';
import { OwnFiles } from './own_files.js';
import { MAX_BUFFER_SIZE } from './page_script.js';
import { workerPrologue } from './realm_script.js';
import { findSourceMap } from './script_map.js';

/** @import { ProfilerTrace } from '../report/check_trace.js' */
/** @import { Answer } from './headers.js' */
/** @import { Kind } from './kinds.js' */
/** @import { RunSettings } from './options.js' */

/** https://mimesniff.spec.whatwg.org/#javascript-mime-type */
const JAVASCRIPT = /^(text|application)\/(x-)?(java|ecma)script$/;

/** What webpack and Rspack make with devtool: 'eval…', the default while developing. */
const EVAL = /^eval\((?:__webpack_require__\.ts\()?["`].*\/\/# sourceURL=/m;

/** Characters to a line, in the mean: in sources fewer, in minified scripts far more. */
const MINIFIED_LINE = 200;

/** A dev server's own, which is no part of the app. */
const SERVERS_OWN = /\/@(vite\/client|react-refresh)$/;

/**
 * The pages and scripts that a browser gets, made ready to be profiled on their way to it. Knows nothing of browsers: whoever stands
 * between one and its servers, asks here.
 */
export class InstrumentedSite {
  /** Whether documents begin to record as they load. */
  record = false;
  /** Nothing gets probes any more. Pages stay isolated. */
  isOver = false;
  #settings;
  #isolates;
  #refusesServiceWorkers;
  #asks;
  #own;
  #instrumenter;
  /** @type {Map<string, Promise<{code: string, table: Uint8Array} | null>>} by what they are made of */
  #scripts = new Map();
  /** @type {Map<string, Uint8Array>} function tables by address of their script or page */
  #tables = new Map();
  /** @type {Set<string>} */
  #notes = new Set();
  /** Minified scripts with probes whose original names nobody gave. @type {Set<string>} */
  #nameless = new Set();
  /** Of scripts without a source map, which are sources themselves. */
  #selects;
  #texts = new SiteTexts();

  /**
   * @param {RunSettings} settings
   * @param {{isolates: boolean, refusesServiceWorkers?: boolean, asks?: boolean}} how `isolates` pages; `asks`: as in `Start`
   */
  constructor(settings, { isolates, refusesServiceWorkers = false, asks = false }) {
    this.#settings = settings;
    this.#asks = asks;
    this.#isolates = isolates;
    this.#refusesServiceWorkers = refusesServiceWorkers;
    this.#selects = sourceFilter(settings.instrument);
    this.#own = new OwnFiles(() => ({ ...this.#sampling, record: this.record }));
    this.#instrumenter = new ChunkInstrumenter(settings.instrument, {
      root: '/',
      // So development servers name what they read, such as Turbopack.
      files: process.cwd(),
      warn: (message) => this.note(message),
    });
  }

  /** @param {string} note that is told once */
  note(note) {
    if (this.#notes.has(note)) return;
    this.#notes.add(note);
    this.#settings.onNote(note);
  }

  get isIsolating() {
    return this.#isolates;
  }

  get sampleInterval() {
    return this.#settings.sampleInterval;
  }

  get #sampling() {
    return { sampleInterval: this.sampleInterval, maxBufferSize: MAX_BUFFER_SIZE };
  }

  /** A browser has got a page. */
  get isVisited() {
    return this.#own.hasDocuments;
  }

  /** @param {string} id of a document @returns {number} ms since 1970 */
  servedAt(id) {
    return this.#own.servedAt(id);
  }

  /** Somebody asked for that. */
  get wantsNoServiceWorkers() {
    return this.#settings.blockServiceWorkers;
  }

  get blockServiceWorkers() {
    return this.wantsNoServiceWorkers || this.#refusesServiceWorkers;
  }

  /** @returns {string[]} why documents could not be sampled */
  get problems() {
    return [...this.#own.problems()];
  }

  /** @returns {string | undefined} what has got probes since it was asked last, in one line */
  takeSummary() {
    return this.#instrumenter.takeSummary();
  }

  /** @param {string} url @returns {Promise<Answer> | null} for our own files; null: somebody else's */
  ownAnswer(url) {
    return this.#own.answer(url);
  }

  /**
   * Whether `change` has to do with an answer. Its body need not be there yet.
   * @param {Kind} kind @param {Pick<Answer, 'status' | 'headers'>} answer
   */
  wants(kind, { status, headers }) {
    if (!this.#getsProbes(kind) && !this.#isIsolated(kind)) return false;
    const type = mediaType(headers);
    const isRead = status >= 200 && status !== 204 && !(status >= 300 && status < 400);
    const isDocument = kind === 'document' || kind === 'frame';
    return isRead && (isDocument ? type === 'text/html' : status < 400 && JAVASCRIPT.test(type));
  }

  /**
   * @param {Kind} kind @param {string} url @param {Answer} answer that `wants`
   * @param {string} [embedderPolicy] that isolates pages in the browser that asks
   * @returns {Promise<Answer>}
   */
  async change(kind, url, answer, embedderPolicy) {
    if (!this.#getsProbes(kind)) {
      return this.redirect({ ...answer, headers: headersOfRead(answer.headers) }, embedderPolicy);
    }
    const address = url.replace(/#.*$/s, '');
    const text = this.#texts.read(answer.body, kind, headerOf(answer.headers, 'content-type'));
    let changed =
      kind === 'document'
        ? this.#page(address, text)
        : await this.#script(address, text, answer, kind === 'worker' ? workerPrologue() : '');
    if (kind === 'worker') changed += this.#own.workerTail;
    return {
      status: answer.status,
      headers: headersOfChanged(answer.headers, this.#policy(embedderPolicy)),
      body: Buffer.from(changed),
    };
  }

  /**
   * On the way from one isolated page to another, answers that lead there have to be isolated, too: browsers would take a new window.
   * @template {{headers: Answer['headers']}} T
   * @param {T} redirect @param {string} [embedderPolicy] as of `change` @returns {T}
   */
  redirect(redirect, embedderPolicy) {
    return { ...redirect, headers: isolated(redirect.headers, this.#policy(embedderPolicy)) };
  }

  #policy(embedderPolicy = 'credentialless') {
    return this.#isolates ? embedderPolicy : null;
  }

  /** @param {Kind} kind @returns {kind is Exclude<Kind, 'frame'>} */
  #getsProbes(kind) {
    return !this.isOver && kind !== 'frame';
  }

  /** What an isolated page has in it has to be isolated, too. @param {Kind} kind */
  #isIsolated(kind) {
    return this.isIsolating && kind !== 'script';
  }

  /** Once what is to be profiled has run. */
  noteNamelessScripts() {
    const [first, ...others] = this.#nameless;
    if (first === undefined) return;
    const which =
      others.length === 0
        ? `${first} is minified and has`
        : `${first} and ${others.length} more ${others.length === 1 ? 'script' : 'scripts'} are minified and have`;
    this.note(
      `${which} no source map, so names and lines are those of the script: build with source maps and, where the server does not give them ` +
        'out, name their folder by sourceMaps (--source-maps)',
    );
  }

  /** With the names and places of the sources. @param {ProfilerTrace} trace */
  symbolicate(trace) {
    return symbolicate(trace, (resource) => {
      const table = this.#tables.get(resource) ?? this.#tables.get(withoutQuery(resource));
      return table ? tableSymbols(table, resource) : null;
    });
  }

  /** @param {string} url @param {string} html */
  #page(url, html) {
    const { instrument } = this.#settings;
    const start = {
      ...this.#sampling,
      record: this.record,
      blockServiceWorkers: this.blockServiceWorkers,
      asks: this.#asks,
    };
    const tags = this.#own.tagsFor(start);
    const name = tableName(url, html);
    const options = {
      file: nameOf(url, 'index.html'),
      tableName: this.#own.addressOfTable(name),
      probe: instrument.probe,
      minWeight: instrument.minWeight,
      replacements: pageReplacements(html, tags),
    };
    let result;
    try {
      result = instrumentHtml(html, options);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.note(
        `${url}:${error.line}:${error.column}: ${error.message}; inline scripts of the page have no probes`,
      );
      return replaced(html, options.replacements);
    }
    if (result.table) this.#addTable(url, name, result.table);
    return result.code;
  }

  /** @param {string} url @param {string} code @param {Answer} answer @param {string} prologue */
  async #script(url, code, { headers }, prologue) {
    if (SERVERS_OWN.test(withoutQuery(url))) return code;
    const name = tableName(url, prologue + code);
    const known = this.#scripts.get(name) ?? this.#made(url, code, { headers, name, prologue });
    this.#scripts.set(name, known);
    const result = await known;
    if (!result) return code;
    this.#addTable(url, name, result.table);
    return result.code;
  }

  /** @param {string} url @param {string} code @param {Making} making */
  async #made(url, code, making) {
    return (await this.#instrument(url, code, making)) ?? this.#asItIs(url, code);
  }

  /**
   * @typedef {{headers: Answer['headers'], name: string, prologue: string}} Making `name` of the table; `prologue` as of `InstrumentOptions`
   * @param {string} url @param {string} code @param {Making} making
   */
  async #instrument(url, code, { headers, name, prologue }) {
    if (EVAL.test(code)) {
      this.note(
        `${url} has its functions in texts for eval, which get no probes: set webpack's devtool to 'source-map' or 'cheap-module-source-map'`,
      );
    }
    const folders = this.#settings.sourceMaps;
    const { map, url: base, problem } = await findSourceMap({ url, code, headers, folders });
    if (problem) this.note(`${problem}: names in ${url} are those of the script`);
    const file = nameOf(url, 'script.js');
    if (!map && !this.#selects(file)) return null;
    const chunk = {
      code,
      file,
      folder: posix.dirname(pathOf(base)),
      mapTo: /** @type {null} */ (null),
      tableName: this.#own.addressOfTable(name),
      prologue,
    };
    try {
      const result = await this.#instrumenter.instrument({ ...chunk, map });
      if (result && !map && !problem && isMinified(code)) this.#nameless.add(url);
      return result;
    } catch (error) {
      if (!map) throw error;
      this.note(`the source map of ${url} is no source map: ${/** @type {Error} */ (error).message}`);
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
      this.note(`function table ${href} cannot be read: ${message}: names in ${url} are those of the script`);
      return null;
    }
  }

  /** @param {string} url @param {string} name @param {Uint8Array} table */
  #addTable(url, name, table) {
    this.#own.addTable(name, table);
    this.#tables.set(url, table);
    // JSC's stacks have addresses without their query.
    this.#tables.set(withoutQuery(url), table);
  }
}

/** @param {string} url @param {string} text */
function tableName(url, text) {
  return `${createHash('sha256').update(url).update('\0').update(text).digest('hex').slice(0, 20)}.ppft`;
}

/** @param {string} code */
function isMinified(code) {
  return code.length / code.trimEnd().split('\n').length > MINIFIED_LINE;
}

/** How a script without a source map appears. @param {string} url @param {string} index what a folder's address stands for */
function nameOf(url, index) {
  const path = pathOf(url).slice(1);
  return path.endsWith('/') || path === '' ? path + index : path;
}

/** @param {string} url */
function pathOf(url) {
  return decodedAddress(new URL(url).pathname);
}

/** @param {string} url */
function withoutQuery(url) {
  return url.replace(/\?.*$/s, '');
}

/** @param {string} text @param {import('../instrumenter/html_scripts.js').Replacement[]} replacements */
function replaced(text, replacements) {
  return [...replacements]
    .sort((a, b) => b.start - a.start)
    .reduce((before, { start, end, value }) => before.slice(0, start) + value + before.slice(end), text);
}
