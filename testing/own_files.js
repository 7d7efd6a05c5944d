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
  /** Origin of whom documents ask what is answered when they are sampled; empty: their own. */
  waitingRoom = '';

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
    return scriptTag(`${OWN_PATH}start-${padded(id)}.js`) + scriptTag(this.#readyAddress(id));
  }

  /** @param {string} id of a document */
  #readyAddress(id) {
    return `${this.waitingRoom}${OWN_PATH}ready-${padded(id)}.js`;
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

  /**
   * @param {string} url
   * @param {boolean} [isPatient] false: it is asked by a browser that sends nothing else while it waits
   * @returns {Promise<Answer> | null} null: it is nothing of ours
   */
  answer(url, isPatient = true) {
    const { pathname, search } = new URL(url);
    if (!pathname.startsWith(OWN_PATH)) return null;
    return this.#answer(pathname.slice(OWN_PATH.length), decodeURIComponent(search.slice(1)), isPatient);
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
    return pathname.startsWith(OWN_PATH) && isOfWorkers ? this.#answer(name, '', true) : null;
  }

  /** @param {string} name @param {string} query @param {boolean} isPatient as of `answer` @returns {Promise<Answer>} */
  async #answer(name, query, isPatient) {
    const table = this.#tables.get(name);
    if (table) return file('bin', table);
    if (SESSION_FILES.includes(name)) return file(name, distFile(name));
    if (name === `${this.#channel}.js`) {
      /** @type {RealmStart} */
      const start = { ...this.#workerStart(), kind: 'worker', folder: OWN_PATH, channel: this.#channel };
      return file('js', `${distFile('polyprof-whole.js')};${realmScript(start)}`);
    }
    const [, what, id] = /^(start|ready|started)-0*(\d+)/.exec(name) ?? [];
    const document = this.#documents.get(id);
    if (!document) return { ...file('', ''), status: 404 };
    if (what === 'start') {
      return file('js', distFile('polyprof-whole.js') + startScript(document.start));
    }
    if (what === 'ready') {
      const settled = document.started.then(() => true);
      const isSettled = await (isPatient ? settled : Promise.race([settled, delay(GAP_MS, false)]));
      const again = isSettled ? '' : askAgain(`${this.#readyAddress(id)}?${Number(query) + 1}`);
      return file('js', again + REMOVES_ITSELF);
    }
    this.#documents.hasStarted(document, query);
    return file('js', '');
  }
}

/**
 * Of all documents of an address the function tables are one: what stands in the same line behind the tags has to be at the same place in each.
 * @param {string} id
 */
function padded(id) {
  return id.padStart(ID_DIGITS, '0');
}

const ID_DIGITS = 6;

/** How long a browser without patience waits for one answer, ms. */
const GAP_MS = 30;

/**
 * Firefox sends nothing else while it waits for a script that its parser needs: so what starts a document would wait for what waits for it.
 * @param {string} address
 */
function askAgain(address) {
  return `document.write('${scriptTag(address)}');`;
}

/** @param {string} address */
function scriptTag(address) {
  return `<script src="${address}"></script>`;
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
