import { ORDER } from '../in_page/asking_protocol.js';

/** @import { Visitor } from './visitor.js' */

/** How long the document that had the tab may take to show that it is there. */
const PATIENCE_MS = 2000;

/**
 * A document says that it is in a tab in which another one was a moment ago. Either that one was left for it, of which the word may still be on its
 * way; or it is a window that that one has opened, which begins with all that that one has stored. Who is there asks again when it is answered.
 */
export class TabClaim {
  #holder;
  #questions;
  #end = performance.now() + PATIENCE_MS;

  /** @param {Visitor} holder of the tab */
  constructor(holder) {
    this.#holder = holder;
    this.#questions = holder.questions;
    holder.answer(ORDER.askAgain);
  }

  /** @returns {boolean | undefined} whether the tab is the holder's alone; undefined: nobody knows yet */
  get isRefused() {
    if (!this.#holder.isThere) return false;
    const hasAsked = this.#holder.questions > this.#questions;
    // One that is busy cannot ask. Of one that was left without a word its next page is not missing, but counts as another tab.
    return hasAsked || performance.now() > this.#end ? true : undefined;
  }
}
