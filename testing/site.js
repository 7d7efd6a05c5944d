import { SiteTexts } from '../instrumenter/pages/site_texts.js';
import { symbolicate } from '../report/symbols/symbolicate.js';
import { headerOf, headersOfChanged, headersOfRead, isolated } from './headers.js';
import { isHtml, isShownAsItIs, mayBeHtml } from './html_type.js';
import { whyNoProbes } from './no_probes.js';
import { OwnFiles } from './own_files.js';
import { MAX_BUFFER_SIZE } from './in_page/page_script.js';
import { isClassicScript, isJavaScript } from './script_types.js';
import { SitePages } from './site_pages.js';
import { SiteScripts } from './site_scripts.js';
import { SiteTables } from './site_tables.js';

/** @import { ProfilerTrace } from '../report/reading/check_trace.js' */
/** @import { Answer } from './headers.js' */
/** @import { Kind } from './kinds.js' */
/** @import { RunSettings } from './options.js' */

/** What says nothing is no script to those that insist on its type, and stays none. */
const TYPE_OF_UNTYPED = { document: 'text/html', script: 'text/plain', worker: 'text/plain' };

/**
 * The pages and scripts that a browser gets, made ready to be profiled on their way to it. Knows nothing of browsers: whoever stands
 * between one and its servers, asks here.
 */
export class InstrumentedSite {
  /** Whether documents begin to record as they load. */
  record = false;
  /** Nothing gets probes any more. Pages stay isolated. */
  isOver = false;
  /** What a note is told as: of what stands for a server, those who read it may never have seen the address. @type {(note: string) => string} */
  named = (note) => note;
  #settings;
  #isolates;
  #refusesServiceWorkers;
  #asks;
  #asksAt = '';
  /** @type {OwnFiles} */
  #own;
  #pages;
  #scripts;
  /** @type {SiteTables} */
  #tables;
  /** @type {Set<string>} */
  #notes = new Set();
  #texts = new SiteTexts();

  /**
   * @param {RunSettings} settings
   * @param {{isolates: boolean, refusesServiceWorkers?: boolean, asks?: boolean}} how `isolates` pages; `asks`: nobody reaches them
   * @param {InstrumentedSite} [earlier] of the same page: what the page shows yet may be of that one
   */
  constructor(settings, { isolates, refusesServiceWorkers = false, asks = false }, earlier) {
    this.#settings = settings;
    this.#asks = asks;
    this.#isolates = isolates;
    this.#refusesServiceWorkers = refusesServiceWorkers;
    this.#tables = earlier ? earlier.#tables : new SiteTables();
    const workerStart = () => ({ ...this.#sampling, record: this.record });
    this.#own = earlier ? earlier.#own.goOn(workerStart) : new OwnFiles(workerStart);
    const note = (/** @type {string} */ text) => this.note(text);
    const addressOfTable = (/** @type {string} */ name) => this.#own.addressOfTable(name);
    this.#pages = new SitePages(settings, note, addressOfTable);
    this.#scripts = new SiteScripts(settings, note, addressOfTable);
  }

  /** @param {string} note that is told once */
  note(note) {
    const named = this.named(note);
    if (this.#notes.has(named)) return;
    this.#notes.add(named);
    this.#settings.onNote(named);
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

  /** @param {number} since ms since 1970 @returns {string[]} ids of documents that were served since then, and are sampled */
  sampledSince(since) {
    return this.#own.sampledSince(since);
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
    return this.#scripts.takeSummary();
  }

  /** @param {string} [serviceWorker] that answered for the page; empty: none */
  whyNoProbes(serviceWorker) {
    return whyNoProbes(
      {
        functions: [this.#scripts.functions, ...this.#pages.functions],
        scriptsLeftOut: this.#scripts.leftOut,
        takeSmall: this.#settings.takeSmall,
      },
      serviceWorker,
    );
  }

  /** Origins that documents ask for what is answered later: whether they are sampled and, if nobody reaches them, what they are to tell. */
  set waitingRooms(/** @type {{untilReady: string, untilAsked: string}} */ { untilReady, untilAsked }) {
    this.#own.waitingRoom = untilReady;
    this.#asksAt = untilAsked;
  }

  /** @param {string} url @param {boolean} [isPatient] as of `OwnFiles.answer` @returns {Promise<Answer> | null} for our own files; null: somebody else's */
  ownAnswer(url, isPatient) {
    return this.#own.answer(url, isPatient);
  }

  /** @param {string} url @returns {Promise<Answer> | null} likewise, for those that any worker may ask for */
  ownAnswerToWorker(url) {
    return this.#own.answerToWorker(url);
  }

  /**
   * Whether `change` has to do with an answer. Its body need not be there yet.
   * @param {Kind} kind @param {Pick<Answer, 'status' | 'headers'>} answer
   */
  wants(kind, { status, headers }) {
    if (!this.#getsProbes(kind) && !this.#isIsolated(kind)) return false;
    if (!hasBody(status)) return false;
    if (isOfDocument(kind)) return mayBeHtml(headers);
    return status < 400 && (kind === 'script' ? isClassicScript(headers) : isJavaScript(headers));
  }

  /**
   * @param {Kind} kind @param {string} url @param {Answer} answer that `wants`
   * @param {string} [embedderPolicy] that isolates pages in the browser that asks
   * @returns {Promise<Answer>}
   */
  async change(kind, url, answer, embedderPolicy) {
    if (!this.#getsProbes(kind)) {
      return this.unchanged(answer, embedderPolicy);
    }
    if (kind === 'document' && !isHtml(answer.headers, answer.body)) {
      return this.unchanged(answer, embedderPolicy);
    }
    const address = url.replace(/#.*$/s, '');
    const { text, write } = this.#texts.read(answer.body, kind, headerOf(answer.headers, 'content-type'));
    const { body, charset } = write(
      kind === 'document'
        ? this.#page(address, text)
        : (await this.#script(address, text, answer)) + this.#own.workerTail,
    );
    const type = { untyped: TYPE_OF_UNTYPED[kind], charset };
    return {
      status: answer.status,
      headers: headersOfChanged(answer.headers, this.#policy(embedderPolicy), type),
      body,
    };
  }

  /**
   * Whether an answer gets no probes, but is shown: a picture in a frame of an isolated page has to be isolated, too.
   * @param {Kind} kind @param {Pick<Answer, 'status' | 'headers'>} answer that `wants` does not want
   */
  isShown(kind, { status, headers }) {
    return this.isIsolating && isOfDocument(kind) && hasBody(status) && isShownAsItIs(headers);
  }

  /** @param {Answer} answer whose body was read @param {string} [embedderPolicy] as of `change` @returns {Answer} */
  unchanged(answer, embedderPolicy) {
    return this.isolated({ ...answer, headers: headersOfRead(answer.headers) }, embedderPolicy);
  }

  /**
   * What isolated pages show, and what leads from one to another: browsers would take a new window.
   * @template {{headers: Answer['headers']}} T
   * @param {T} answer @param {string} [embedderPolicy] as of `change` @returns {T}
   */
  isolated(answer, embedderPolicy) {
    return { ...answer, headers: isolated(answer.headers, this.#policy(embedderPolicy)) };
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

  /** What many scripts have in common, once what is to be profiled has run. */
  noteRest() {
    this.#scripts.noteRest();
  }

  /** With the names and places of the sources. @param {ProfilerTrace} trace */
  symbolicate(trace) {
    return symbolicate(trace, (resource) => this.#tables.symbolsOf(resource));
  }

  /** @param {string} url @param {string} html */
  #page(url, html) {
    const ownTags = this.#own.tagsFor({
      ...this.#sampling,
      record: this.record,
      blockServiceWorkers: this.blockServiceWorkers,
      asksAt: this.#asks ? this.#asksAt : '',
    });
    const { code, name, table } = this.#pages.page(url, html, ownTags);
    if (name !== undefined && table) this.#addTable(url, name, table);
    return code;
  }

  /** @param {string} url @param {string} code @param {Answer} answer */
  async #script(url, code, { headers }) {
    const result = await this.#scripts.script(url, code, headers);
    if (!result) return code;
    this.#addTable(url, result.name, result.table);
    return result.code;
  }

  /** @param {string} url @param {string} name @param {Uint8Array} table */
  #addTable(url, name, table) {
    this.#own.addTable(name, table);
    this.#tables.add(url, table);
  }
}

/** @param {Kind} kind */
function isOfDocument(kind) {
  return kind === 'document' || kind === 'frame';
}

/** @param {number} status of an answer; 0: there is none */
function hasBody(status) {
  return status >= 200 && status !== 204 && !(status >= 300 && status < 400);
}
