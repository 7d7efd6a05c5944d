import { randomUUID } from 'node:crypto';
import { LOADING, ORDER, readAskingQuery, readRequestName, REQUEST } from '../in_page/asking_protocol.js';
import { goneNotes } from '../outcome_notes.js';
import { leftOutcome } from './left_outcome.js';
import { TabClaim } from './tab_claim.js';
import { Visitor, waited } from './visitor.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { LeftRealms } from '../in_page/asking_protocol.js' */
/** @import { Leave } from '../drivers/driver.js' */
/** @import { InstrumentedSite } from '../site.js' */

/** A document that is sampled asks at once, but Firefox sends what it asks when it has loaded, and a busy machine takes its time. */
const FIRST_QUESTION_MS = 3000;

/**
 * Documents in a browser that nobody reaches: they ask what they are to tell, and send what they saw then, or when they are left.
 */
export class Visitors {
  #site;
  #leave;
  /** @type {Map<string, Visitor>} by id of the document */
  #visitors = new Map();
  #isOver = false;
  /** Ids of documents that have asked, or were left. @type {Set<string>} */
  #heard = new Set();
  /** What is waited for before the end. */
  #onHeard = () => {};
  /** Of their pages. @type {string[]} */
  origins = [];

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
    if (this.#isForeign(request)) response.writeHead(403).end();
    else if (what === REQUEST.asks) this.#asks(id, query, response);
    else await this.#hear({ what, id, mode: query.get('mode') ?? '' }, request, response);
    return true;
  }

  /** Pages of other sites may find the address, and make something up. @param {IncomingMessage} request */
  #isForeign({ headers: { origin, 'sec-fetch-site': site = 'same-origin' } }) {
    return origin === undefined ? site !== 'same-origin' : !this.origins.includes(origin);
  }

  /** @param {{what: string, id: string, mode: string}} about `what` of `REQUEST`, `mode` of one that was left @param {IncomingMessage} request @param {ServerResponse} response */
  async #hear({ what, id, mode }, request, response) {
    const body = Buffer.concat(await request.toArray());
    if (what === REQUEST.leftRealms) {
      const { url, ...gone } = /** @type {LeftRealms} */ (JSON.parse(body.toString()));
      for (const note of goneNotes(url, gone)) this.#site.note(note);
      return void response.writeHead(204).end();
    }
    const visitor = this.#visitors.get(id);
    const outcome =
      what === REQUEST.left
        ? leftOutcome(body, { id, mode, visitor, request, site: this.#site })
        : JSON.parse(body.toString());
    if (outcome) this.#leave(JSON.stringify({ ...outcome, tab: visitor?.tab }));
    response.writeHead(204).end();
    if (what !== REQUEST.left) visitor?.hasSettled();
    if (what !== REQUEST.told) visitor?.hasToldAll();
    this.#hasHeard(id);
  }

  /** @param {string} id @param {URLSearchParams} query @param {ServerResponse} question */
  #asks(id, query, question) {
    const visitor = this.#visitors.get(id) ?? this.#greet(id, query);
    const now = this.#orderAtOnce(visitor, query.has(LOADING));
    visitor.asks(question, this.#isOver ? undefined : now);
    if (this.#isOver) visitor.answer(ORDER.all);
    this.#hasHeard(id);
  }

  /** @param {string} id */
  #hasHeard(id) {
    this.#heard.add(id);
    this.#onHeard();
  }

  /** @returns {Promise<void>} when all that were served of late have asked, or could have */
  async #allHaveAsked() {
    const late = this.#site.sampledSince(Date.now() - FIRST_QUESTION_MS);
    const haveAsked = () => late.every((id) => this.#heard.has(id));
    const asked = new Promise((resolve) => {
      this.#onHeard = () => haveAsked() && resolve(undefined);
    });
    if (!haveAsked()) await Promise.race([asked, waited(FIRST_QUESTION_MS)]);
  }

  /** @param {string} id @param {URLSearchParams} query of its first question */
  #greet(id, query) {
    const visitor = new Visitor(readAskingQuery(query));
    const holder = [...this.#visitors.values()].find(({ tab, isThere }) => isThere && tab === visitor.tab);
    if (holder && visitor.tab !== undefined) visitor.claim = new TabClaim(holder);
    this.#visitors.set(id, visitor);
    return visitor;
  }

  /** @param {Visitor} visitor that asks @param {boolean} isLoading @returns {string | undefined} of `ORDER`; undefined: it is to wait for one */
  #orderAtOnce(visitor, isLoading) {
    const isRefused = visitor.claim?.isRefused;
    if (isRefused) visitor.tab = randomUUID();
    if (isRefused !== undefined) visitor.claim = undefined;
    if (isRefused) return ORDER.tab + visitor.tab;
    return isLoading || visitor.claim ? ORDER.askAgain : undefined;
  }

  /** The recording has ended. @returns {Promise<void>} when all documents that can have told */
  async end() {
    this.#isOver = true;
    await this.#allHaveAsked();
    const open = [...this.#visitors.values()].filter(({ isOpen }) => isOpen);
    const closed = open.map((visitor) => visitor.closed());
    for (const visitor of open) visitor.answer(ORDER.all);
    await Promise.all(closed);
    for (const { url, isOpen } of open) {
      if (isOpen)
        this.#site.note(`${url} was closed or did not answer: what it did last is not in the profile`);
    }
    const left = [...this.#visitors.values()].filter(({ isOpen }) => !isOpen);
    await Promise.all(left.map((visitor) => this.#noteUnsettled(visitor)));
  }

  /** @param {Visitor} visitor */
  async #noteUnsettled(visitor) {
    if (await visitor.settled()) return;
    this.#site.note(
      `${visitor.url} was left while it told what it had done: about a second of that is not in the profile`,
    );
  }
}
