import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { distFile, SESSION_FILES } from '../instrumenter/files/dist_files.js';
import { REMOVES_ITSELF, startScript } from './in_page/page_script.js';
import { realmScript } from './in_page/realm_script.js';
import { workerTail } from './in_page/worker_script.js';
import { ServedDocuments } from './served_documents.js';

/** @import { Answer } from './headers.js' */
/** @import { Start } from './in_page/page_script.js' */
/** @import { RealmStart } from './in_page/realm_script.js' */
/** @import { ServedDocument } from './served_documents.js' */

/** Path of our own files, on every server that a page asks. */
export const OWN_PATH = '/__polyprof__/';

const MEDIA_TYPES = /** @type {Record<string, string>} */ ({
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
});

/** Answers that come from no server: the profiler's files, function tables, and what starts a document. */
export class OwnFiles {
  #documents = new ServedDocuments();
  /** @type {Map<string, Uint8Array>} function tables by name */
  #tables = new Map();

  /** Nobody else's, of whatever page. */
  #channel = `polyprof-${randomUUID()}`;
  /** @type {() => Omit<RealmStart, 'folder' | 'channel' | 'kind'>} */
  #workerStart;

  /** @param {() => Omit<RealmStart, 'folder' | 'channel' | 'kind'>} workerStart of a worker that starts now */
  constructor(workerStart) {
    this.#workerStart = workerStart;
  }

  /** For the next profile of the page. @param {() => Omit<RealmStart, 'folder' | 'channel' | 'kind'>} workerStart as above */
  goOn(workerStart) {
    this.#workerStart = workerStart;
    this.#documents.forgetProblems();
    return this;
  }

  /** What follows a script that workers are made of. */
  get workerTail() {
    return workerTail(`${OWN_PATH}${this.#channel}.js`);
  }

  /** @param {Omit<Start, 'id' | 'folder' | 'channel'>} start @returns {string} tags that have to come first in a document */
  tagsFor(start) {
    const id = this.#documents.add({ ...start, folder: OWN_PATH, channel: this.#channel });
    // The second one is answered when sampling runs: until then the parser waits, so that nothing of the page is missed.
    return ['start', 'ready'].map((name) => `<script src="${OWN_PATH}${name}-${id}.js"></script>`).join('');
  }

  get hasDocuments() {
    return !this.#documents.isEmpty;
  }

  /** @param {string} id */
  servedAt(id) {
    return this.#documents.get(id)?.servedAt ?? 0;
  }

  /** @param {number} since ms since 1970 */
  sampledSince(since) {
    return this.#documents.sampledSince(since);
  }

  /** @param {string} name @param {Uint8Array} table @returns {string} its address for scripts of any server */
  addTable(name, table) {
    this.#tables.set(name, table);
    return this.addressOfTable(name);
  }

  /** @param {string} name */
  addressOfTable(name) {
    return `${OWN_PATH}${name}`;
  }

  /** Why documents could not be sampled; of those that have not said yet nothing. */
  problems() {
    return this.#documents.problems;
  }

  /** @param {string} url @returns {Promise<Answer> | null} null: it is nothing of ours */
  answer(url) {
    const { pathname, search } = new URL(url);
    if (!pathname.startsWith(OWN_PATH)) return null;
    return this.#answer(pathname.slice(OWN_PATH.length), decodeURIComponent(search.slice(1)));
  }

  /**
   * What no document asks for alone. Shared workers ask where only the browser's own session hears them, as it hears all pages.
   * @param {string} url @returns {Promise<Answer> | null} null: it is something else
   */
  answerToWorker(url) {
    const { pathname } = new URL(url);
    const name = pathname.slice(OWN_PATH.length);
    const isOfWorkers =
      this.#tables.has(name) || SESSION_FILES.includes(name) || name === `${this.#channel}.js`;
    return pathname.startsWith(OWN_PATH) && isOfWorkers ? this.#answer(name, '') : null;
  }

  /** @param {string} name @param {string} query @returns {Promise<Answer>} */
  async #answer(name, query) {
    const table = this.#tables.get(name);
    if (table) return file('bin', table);
    if (SESSION_FILES.includes(name)) return file(name, distFile(name));
    if (name === `${this.#channel}.js`) {
      /** @type {RealmStart} */
      const start = { ...this.#workerStart(), kind: 'worker', folder: OWN_PATH, channel: this.#channel };
      return file('js', `${distFile('polyprof-whole.js')};${realmScript(start)}`);
    }
    const [, what, id] = /^(start|ready|started)-(\d+)/.exec(name) ?? [];
    const document = this.#documents.get(id);
    if (!document) return { ...file('', ''), status: 404 };
    if (what === 'start') {
      return file('js', distFile('polyprof-whole.js') + startScript(document.start));
    }
    if (what === 'ready') {
      return file('js', ((await isSettled(document)) ? '' : askAgain(id, query)) + REMOVES_ITSELF);
    }
    this.#documents.hasStarted(document, query);
    return file('js', '');
  }
}

/** How long a document whose requests nobody intercepts waits for one answer, ms. */
const GAP_MS = 30;

/** @param {ServedDocument} document @returns {Promise<boolean>} false: not yet */
function isSettled({ start, started }) {
  const settled = started.then(() => true);
  return start.asks ? Promise.race([settled, delay(GAP_MS, false)]) : settled;
}

/**
 * Firefox sends nothing else while it waits for a script that its parser needs: so what starts a document would wait for what waits for it.
 * @param {string} id of the document @param {string} times that it asked
 */
function askAgain(id, times) {
  return `document.write('<script src="${OWN_PATH}ready-${id}.js?${Number(times) + 1}"></script>');`;
}

/** @param {string} name @param {string | Uint8Array} content @returns {Answer} */
function file(name, content) {
  return {
    status: 200,
    headers: [
      ['content-type', MEDIA_TYPES[name.replace(/^.*\./, '')] ?? 'application/octet-stream'],
      ['cache-control', 'no-store'],
      ['access-control-allow-origin', '*'],
      // A worker of an isolated page has to be isolated itself.
      ['cross-origin-embedder-policy', 'require-corp'],
      ['cross-origin-resource-policy', 'cross-origin'],
    ],
    body: Buffer.from(content),
  };
}
