import { setTimeout as delay } from 'node:timers/promises';
import { ORDER } from '../in_page/asking_protocol.js';

/** @import { ServerResponse } from 'node:http' */
/** @import { AskingDocument } from '../in_page/asking_protocol.js' */

/** How long documents that were asked may take to hand over what they recorded. */
const TELL_ALL_MS = 15_000;

/** How long what a document said as it was left may be on its way. */
const ON_ITS_WAY_MS = 1000;

/** Of a browser that is ended, as WebDriver's sessions are, no page can tell anything: what it did since it told last is lost. */
const TELL_AGAIN_MS = 1000;

/** A document in a browser that nobody reaches, and its questions. */
export class Visitor {
  /** What is it to tell? null: it is between two questions, or gone. @type {ServerResponse | null} */
  #question = null;
  /** It waits for an answer, or does what it was answered. */
  #asks = false;
  /** It may still have something to tell. */
  isOpen = true;
  /** How many it has asked. */
  questions = 0;
  /** Another one had its tab when it came. @type {import('./tab_claim.js').TabClaim | undefined} */
  claim;
  #tellAll = () => {};
  /** It was to tell what it saw so far, and that has not come. */
  #owes = false;
  #settle = () => {};
  /** @type {import('node:net').Socket | null} */
  #socket = null;

  /** @param {Partial<AskingDocument>} document */
  constructor({ url = '', tab, timeOrigin }) {
    this.url = url;
    this.tab = tab;
    this.timeOrigin = timeOrigin;
  }

  /** As far as it is known: a document that is left says so, or gives its question up. */
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

  /** What it told arrived. */
  hasSettled() {
    this.#owes = false;
    this.#settle();
  }

  /** @returns {Promise<boolean>} whether all came that it was to tell before the rest: who is left meanwhile may not get it out */
  async settled() {
    const settled = new Promise((resolve) => (this.#settle = () => resolve(undefined)));
    if (this.#owes) await Promise.race([settled, waited(ON_ITS_WAY_MS)]);
    return !this.#owes;
  }

  /** @param {ServerResponse} question @param {string} [now] what it is told at once, else it waits for the answer */
  asks(question, now) {
    this.isOpen = true;
    this.questions++;
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
    if (this.#question && order === ORDER.soFar) this.#owes = true;
    this.#question?.end(order);
    this.#question = null;
  }
}

/** @param {number} ms */
export const waited = (ms) => delay(ms, undefined, { ref: false });
