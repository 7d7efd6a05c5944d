import { handOverChannel } from './realm_messages.js';

/** @import { RealmsOutcome } from './outcome.js' */
/** @import { HandedOver, RealmAnswer, SaidByPage, SaidByRealm } from './realm_messages.js' */

/** How long a worker or frame may take to hand over what it recorded, since the latest that did: longer than tasks should take. Of thirty, each has twice as long. */
export const REALM_PATIENCE_MS = 3000;

/** The workers and frames of a page, as its document sees them: through a channel on which those of other tabs speak, too. */
export class PageRealms {
  #channel;
  #handOvers;
  #pageId;
  /** Names of those that have greeted, by id. @type {Map<string, string>} */
  #known = new Map();
  /** Ids of those that hold a lock until they end. @type {Set<string>} */
  #locked = new Set();
  #isRecording = false;
  /** @type {(id: string, answer: RealmAnswer) => void} */
  #answered = () => {};

  /** @param {BroadcastChannel} channel @param {string} pageId */
  constructor(channel, pageId) {
    this.#channel = channel;
    this.#pageId = pageId;
    channel.onmessage = (/** @type {{data: SaidByRealm}} */ { data: said }) => this.#hear(said);
    this.#handOvers = new BroadcastChannel(handOverChannel(channel.name, pageId));
    this.#handOvers.onmessage = (/** @type {{data: HandedOver}} */ { data: { id, answer } }) =>
      this.#answered(id, answer);
  }

  begin() {
    this.#forgetEnded();
    this.#isRecording = true;
    this.#tell();
  }

  /** @returns {Promise<RealmsOutcome>} */
  async end() {
    const ended = await this.#forgetEnded();
    const asked = [...this.#known];
    const answers = await this.#answersOf(asked.map(([id]) => id));
    return {
      outcomes: [...answers.values()].flatMap(({ outcome }) => outcome ?? []),
      problems: asked.flatMap(([id, name]) => {
        const message = answers.get(id)?.problem;
        return message === undefined ? [] : [{ name, message }];
      }),
      ended,
      silent: asked.filter(([id]) => !answers.has(id)).map(([, name]) => name),
    };
  }

  /** The document is left, and they end with it. @returns {RealmsOutcome} */
  left() {
    return { outcomes: [], problems: [], ended: [...this.#known.values()], silent: [] };
  }

  /** @param {SaidByRealm} said */
  #hear({ id, name, url, owner, holdsLock }) {
    // What other pages say has none.
    if (id === undefined) return;
    if (holdsLock) this.#locked.add(id);
    if (owner !== undefined && owner !== this.#pageId) this.#known.delete(id);
    else {
      const to = { id, isLoader: !this.#known.has(id) && this.#isLoaderOf(url, name) };
      this.#known.set(id, name);
      // One that greets when all have been asked is late: it is to record no longer.
      this.#tell(to);
    }
  }

  /** @param {SaidByPage['to']} [to] undefined: all */
  #tell(to) {
    /** @type {SaidByPage} */
    const said = { page: this.#pageId, what: this.#isRecording ? 'begin' : 'end', to };
    this.#channel.postMessage(said);
  }

  /** It was loaded by the page itself, and is not one of those that are known. @param {string} url @param {string} name */
  #isLoaderOf(url, name) {
    const known = [...this.#known.values()].filter((each) => each === name);
    return performance.getEntriesByName(url).length > known.length;
  }

  /** @param {string[]} ids @returns {Promise<Map<string, RealmAnswer>>} by id; of those that took too long none */
  async #answersOf(ids) {
    /** @type {Map<string, RealmAnswer>} */
    const answers = new Map();
    const patience = REALM_PATIENCE_MS * (1 + ids.length / 30);
    await new Promise((resolve) => {
      let timer = setTimeout(resolve, ids.length > 0 ? patience : 0);
      this.#answered = (id, answer) => {
        // A second one is to a greeting that came late, and has nothing.
        if (answers.has(id)) return;
        answers.set(id, answer);
        clearTimeout(timer);
        if (ids.every((each) => answers.has(each))) resolve(undefined);
        else timer = setTimeout(resolve, patience);
      };
      this.#isRecording = false;
      this.#tell();
    });
    return answers;
  }

  /** @returns {Promise<string[]>} names of those that are no longer there, which are forgotten */
  async #forgetEnded() {
    if (!navigator.locks) return [];
    // Others may greet meanwhile.
    const before = [...this.#known].filter(([id]) => this.#locked.has(id));
    const { held = [] } = await navigator.locks.query();
    const alive = new Set(held.map(({ name }) => String(name)));
    const ended = before.filter(([id]) => !alive.has(id));
    for (const [id] of ended) {
      this.#known.delete(id);
      this.#locked.delete(id);
    }
    return ended.map(([, name]) => name);
  }
}
