import { handOverChannel } from './realm_messages.js';

/** @import { RealmKind } from './outcome.js' */
/** @import { HandedOver, SaidByPage, SaidByRealm } from './realm_messages.js' */
/** @import { RealmRecording } from './realm_recording.js' */

/** A worker or frame on the channel of its page: it records when the page says so, and hands over what there was. */
export class ObedientRealm {
  /** The script of a worker may have names like those of the platform. */
  #realm = /** @type {any} */ (globalThis);
  #recording;
  #kind;
  #id;
  #channel;
  /** Id of its page; undefined: none has answered yet. @type {string | undefined} */
  #owner;
  /** The owner has loaded it, so no other page has. */
  #isSure;
  #isShared = 'SharedWorkerGlobalScope' in this.#realm;
  #holdsLock = false;

  /**
   * @param {RealmRecording} recording
   * @param {{kind: RealmKind, page: string | undefined, channelName: string}} about `page`: id, where it is known
   */
  constructor(recording, { kind, page, channelName }) {
    this.#recording = recording;
    this.#kind = kind;
    this.#owner = page;
    this.#isSure = page !== undefined;
    this.#id = `${channelName} ${Math.random()}`;
    this.#channel = new BroadcastChannel(channelName);
    this.#channel.onmessage = (/** @type {{data: SaidByPage}} */ { data: said }) => this.#hear(said);
  }

  /** Asks for its page, and for what it is to do. */
  greet() {
    this.#say();
    // Whether a realm is still there can be told by nothing but what it holds. A busy browser may take its time.
    navigator.locks?.request(this.#id, () => {
      this.#holdsLock = true;
      this.#say();
      return new Promise(() => {});
    });
  }

  /** @param {SaidByPage} said */
  async #hear({ page, what, to }) {
    // What other realms say has none.
    if (page === undefined || (to && to.id !== this.#id)) return;
    if (this.#comesToOwn(what, to)) {
      this.#isSure = Boolean(to?.isLoader);
      this.#owner = page;
      this.#say();
    }
    if (page !== this.#owner) return;
    if (what === 'begin') this.#recording.begin();
    else if (what === 'tell') this.#handOver(page, { answer: await this.#recording.soFar(), isLast: false });
    else this.#handOver(page, { answer: await this.#recording.end(), isLast: true });
  }

  /**
   * Whether it belongs to the page that says this from now on. Pages of several tabs may answer: that which has loaded it is its own. A shared
   * worker goes on with the page that comes next.
   * @param {SaidByPage['what']} what @param {SaidByPage['to']} to
   */
  #comesToOwn(what, to) {
    if (to) return this.#owner === undefined || (to.isLoader && !this.#isSure);
    return this.#isShared && what === 'begin';
  }

  /** @param {string} page id @param {Omit<HandedOver, 'id'>} what */
  #handOver(page, what) {
    const channel = new BroadcastChannel(handOverChannel(this.#channel.name, page));
    channel.postMessage(/** @type {HandedOver} */ ({ id: this.#id, ...what }));
    channel.close();
  }

  #say() {
    const url = this.#realm.location.href;
    const name = `${this.#kind} ${url}`;
    /** @type {SaidByRealm} */
    const said = { id: this.#id, name, url, owner: this.#owner, holdsLock: this.#holdsLock };
    this.#channel.postMessage(said);
  }
}
