import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { LOADING, ORDER, readAskingQuery, readRequestName, REQUEST } from '../in_page/asking_protocol.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Leave } from '../drivers/driver.js' */
/** @import { AskingDocument } from '../in_page/asking_protocol.js' */
/** @import { Outcome } from '../in_page/outcome.js' */
/** @import { InstrumentedSite } from '../site.js' */

/** How long documents that were asked may take to hand over what they recorded. */
const TELL_ALL_MS = 15_000;

/** How long what a document said as it was left may be on its way. */
const ON_ITS_WAY_MS = 1000;

/** Of a browser that is ended, as WebDriver's sessions are, no page can tell anything: what it did since it told last is lost. */
const TELL_AGAIN_MS = 1000;

/** A document. */
class Visitor {
  /** What is it to tell? null: it is between two questions, or gone. @type {ServerResponse | null} */
  #question = null;
  /** It waits for an answer, or does what it was answered. */
  #asks = false;
  /** It may still have something to tell. */
  isOpen = true;
  #tellAll = () => {};
  /** @type {import('node:net').Socket | null} */
  #socket = null;

  /** @param {Partial<AskingDocument>} document */
  constructor({ url = '', tab, mode, timeOrigin }) {
    this.url = url;
    this.tab = tab;
    this.mode = mode;
    this.timeOrigin = timeOrigin;
  }

  /** For sure: a document that is left says so, or gives its question up. */
  get isThere() {
    return this.isOpen && this.#asks;
  }

  /** @returns {Promise<unknown>} when it has told all that it can tell, or is gone */
  closed() {
    const told = new Promise((resolve) => (this.#tellAll = () => resolve(undefined)));
    // That of a page that is there stays open.
    const gone = this.#socket?.destroyed
      ? undefined
      : new Promise((resolve) => this.#socket?.once('close', resolve));
    const patience = Promise.race([gone, waited(TELL_ALL_MS)]).then(() => waited(ON_ITS_WAY_MS));
    return Promise.race([told, patience]);
  }

  hasToldAll() {
    this.isOpen = false;
    this.#tellAll();
  }

  /** @param {ServerResponse} question @param {string} [now] what it is told at once, else it waits for the answer */
  asks(question, now) {
    this.isOpen = true;
    this.#socket = question.socket;
    if (now !== undefined) return void question.end(now);
    this.#question?.end();
    this.#question = question;
    this.#asks = true;
    const later = setTimeout(() => this.answer(ORDER.soFar), TELL_AGAIN_MS);
    question.on('close', () => {
      clearTimeout(later);
      // Without an answer.
      if (this.#question === question) {
        this.#question = null;
        this.#asks = false;
      }
    });
  }

  /** @param {string} order of `ORDER` */
  answer(order) {
    this.#question?.end(order);
    this.#question = null;
  }
}

/**
 * Documents in a browser that nobody reaches: they ask what they are to tell, and send what they saw then, or when they are left.
 */
export class Visitors {
  #site;
  #leave;
  /** @type {Map<string, Visitor>} by id of the document */
  #visitors = new Map();
  #isOver = false;

  /** @param {InstrumentedSite} site @param {Leave} leave gets what documents saw */
  constructor(site, leave) {
    this.#site = site;
    this.#leave = leave;
  }

  /**
   * @param {string} name of one of our own files, with its query
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @returns {Promise<boolean>} whether it was what documents say, and was answered
   */
  async answer(name, request, response) {
    const asked = readRequestName(name);
    if (!asked) return false;
    const { what, id, query } = asked;
    if (isForeign(request)) {
      response.writeHead(403).end();
      return true;
    }
    if (what === REQUEST.asks) {
      this.#asks(id, query, response);
      return true;
    }
    const body = Buffer.concat(await request.toArray());
    const visitor = this.#visitors.get(id);
    const outcome =
      what === REQUEST.left
        ? outcomeOf(body, { id, visitor, request, site: this.#site })
        : JSON.parse(body.toString());
    if (outcome) this.#leave(JSON.stringify({ ...outcome, tab: visitor?.tab }));
    response.writeHead(204).end();
    if (what !== REQUEST.told) visitor?.hasToldAll();
    return true;
  }

  /** @param {string} id @param {URLSearchParams} query @param {ServerResponse} question */
  #asks(id, query, question) {
    let visitor = this.#visitors.get(id);
    let now = query.has(LOADING) ? ORDER.askAgain : undefined;
    if (!visitor) {
      visitor = new Visitor(readAskingQuery(query));
      if (this.#isTaken(visitor.tab)) {
        visitor.tab = randomUUID();
        now = ORDER.tab + visitor.tab;
      }
      this.#visitors.set(id, visitor);
    }
    visitor.asks(question, this.#isOver ? undefined : now);
    if (this.#isOver) visitor.answer(ORDER.all);
  }

  /** By a window that has opened this one, which began with what that one had stored. @param {string | undefined} tab */
  #isTaken(tab) {
    return tab !== undefined && [...this.#visitors.values()].some((each) => each.tab === tab && each.isThere);
  }

  /** The recording has ended. @returns {Promise<void>} when all documents that can have told */
  async end() {
    this.#isOver = true;
    const open = [...this.#visitors.values()].filter(({ isOpen }) => isOpen);
    const closed = open.map((visitor) => visitor.closed());
    for (const visitor of open) visitor.answer(ORDER.all);
    await Promise.all(closed);
    for (const { url, isOpen } of open) {
      if (isOpen)
        this.#site.note(`${url} was closed or did not answer: what it did last is not in the profile`);
    }
  }
}

/** Pages of other sites may find the address, and make something up. @param {IncomingMessage} request */
function isForeign({ headers }) {
  const own = `http://${headers.host}`;
  return (headers.origin ?? own) !== own || (headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin';
}

/** @param {number} ms */
const waited = (ms) => delay(ms, undefined, { ref: false });

/**
 * A trace that came by beacon, which has nothing beside it.
 * @param {Buffer} body @param {{id: string, visitor: Visitor | undefined, request: IncomingMessage, site: InstrumentedSite}} document @returns {Outcome}
 */
function outcomeOf(body, { id, visitor, request, site }) {
  const isPacked = request.headers['content-type'] === 'application/gzip';
  const { olderSamples = 0, ...trace } = JSON.parse((isPacked ? gunzipSync(body) : body).toString());
  const url = request.headers.referer ?? '';
  if (olderSamples > 0) {
    site.note(`${url} was left with more samples than fit into a beacon: older ones may be missing`);
  }
  return {
    trace,
    mode: visitor?.mode ?? 'left',
    losses: {},
    sampleInterval: site.sampleInterval,
    url,
    userAgent: request.headers['user-agent'] ?? '',
    // One that was left before it could ask began about then.
    timeOrigin: visitor?.timeOrigin ?? site.servedAt(id),
    full: false,
    scripts: 1,
    blocked: [],
    serviceWorker: '',
    refusedServiceWorker: '',
  };
}
