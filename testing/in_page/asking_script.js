import { askingQuery, LOADING, ORDER, REQUEST, requestName } from './asking_protocol.js';
import { TAB } from './page_globals.js';

/** @import { DocumentRecording } from './document_recording.js' */

/** How long a page that is still loading waits for that before it asks again. */
export const ASK_AGAIN_MS = 200;

/** Browsers hold so much for requests that outlive their page, in bytes. */
export const MAX_OUTLIVING = 65_536;

/**
 * For a page that we cannot reach from outside: it asks what it is to send.
 * @param {DocumentRecording} recording
 * @param {{id: string, folder: string, askedFolder: string}} document `folder`: address of our files, `askedFolder`: of what it asks for
 * @returns {() => void} starts to ask; to be called again when the page was left and is shown again
 */
export function tellsWhenAsked(recording, { id, folder, askedFolder }) {
  // As they are before the page has others.
  const { fetch, setTimeout } = globalThis;
  const tab = new TabName();
  let times = 0;
  // Who ended the recording is gone when nobody answers any more.
  return () => void ask(++times).catch(() => {});

  /** Until it is to send everything, or this is called again. @param {number} time */
  async function ask(time) {
    const about = { url: location.href, timeOrigin: performance.timeOrigin };
    let query = askingQuery({ ...about, tab: tab.name });
    while (time === times) {
      // Firefox waits for what is asked for before the page has loaded: until then the answer comes at once.
      const wasComplete = isComplete();
      const question = `${requestName(REQUEST.asks, id)}?${query}${wasComplete ? '' : `&${LOADING}`}`;
      // Who passes one port on to another machine has not passed on that one.
      const answer = await fetch(askedFolder + question).catch(() => fetch(folder + question));
      const order = await answer.text();
      if (order === ORDER.all) return void (await post(REQUEST.ended, await recording.end()));
      if (order === ORDER.soFar) await post(REQUEST.told, await recording.soFar());
      else if (order.startsWith(ORDER.tab)) {
        tab.change(order.slice(ORDER.tab.length));
        query = askingQuery({ ...about, tab: tab.name });
      } else if (wasComplete || !isComplete()) await loadedOrWaited();
    }
  }

  /** What is not too big for that arrives also if the page is left meanwhile. @param {string} what of `REQUEST` @param {string} body */
  function post(what, body) {
    const send = (/** @type {boolean} */ keepalive) =>
      fetch(addressOf(what), { method: 'POST', body, keepalive });
    if (body.length > MAX_OUTLIVING) return send(false);
    // The page's own requests may take the room, and some characters are several bytes.
    return send(true).catch(() => send(false));
  }

  /** @param {string} what of `REQUEST` */
  function addressOf(what) {
    return folder + requestName(what, id);
  }

  function isComplete() {
    return document.readyState === 'complete';
  }

  function loadedOrWaited() {
    return new Promise((resolve) => {
      addEventListener('load', resolve, { once: true });
      setTimeout(resolve, ASK_AGAIN_MS);
    });
  }
}

/** What the documents of a tab are told apart by from those of others, as long as the tab is open. */
export class TabName {
  /** A page that may not use storage counts as a tab of its own. */
  #name = String(Math.random());

  constructor() {
    try {
      this.#name = sessionStorage[TAB] ?? this.#name;
    } catch {
      // So be it.
    }
    this.#keep();
    // The page may have cleared what it stores.
    addEventListener('pagehide', () => this.#keep());
  }

  get name() {
    return this.#name;
  }

  /** A window gets all that the one stores which has opened it. @param {string} name */
  change(name) {
    this.#name = name;
    this.#keep();
  }

  #keep() {
    try {
      sessionStorage[TAB] = this.#name;
    } catch {
      // So be it.
    }
  }
}
