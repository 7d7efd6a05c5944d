import { handOverChannel } from './realm_messages.js';

/** @import { GoneRealms, RealmOutcome, RealmsOutcome } from './outcome.js' */
/** @import { HandedOver, RealmAnswer, SaidByPage, SaidByRealm } from './realm_messages.js' */

/** How long a worker or frame may take to hand over what it recorded, since the latest that did: longer than tasks should take. Of thirty, each has twice as long. */
export const REALM_PATIENCE_MS = 3000;

/** How long they may take to hand over what they recorded so far: what comes later is there the next time. */
export const REALM_TELLING_MS = 200;

/** And so many tasks: a page that is busy with long ones hears its timer before what its realms answered meanwhile. */
export const REALM_TELLING_TASKS = 3;

/** How often they hand over what is kept here: of those that end, so much is lost. */
export const KEEP_AGAIN_MS = 1000;

/** The workers and frames of a page, as its document sees them: through a channel on which those of other tabs speak, too. */
export class PageRealms {
  #channel;
  #handOvers;
  #pageId;
  /** Names of those that have greeted, by id. @type {Map<string, string>} */
  #known = new Map();
  /** Ids of those that hold a lock until they end. @type {Set<string>} */
  #locked = new Set();
  /** Ids of those that have handed over something. @type {Set<string>} */
  #tellers = new Set();
  /** What realms told so far, and nobody has yet. @type {RealmOutcome[]} */
  #told = [];
  /** Likewise, by the id of the realm: it tells the same one each time. @type {Map<string, RealmsOutcome['problems'][0]>} */
  #problems = new Map();
  #isRecording = false;
  #isKeeping = false;
  /** @type {(id: string, answer: RealmAnswer) => void} */
  #answered = () => {};
  /** @type {(id: string) => void} */
  #hasTold = () => {};
  #timers;

  /** @param {BroadcastChannel} channel @param {string} pageId */
  constructor(channel, pageId) {
    this.#channel = channel;
    this.#pageId = pageId;
    // As they are before the page has others.
    const { setTimeout, clearTimeout } = globalThis;
    this.#timers = {
      start: (/** @type {(value?: any) => void} */ task, /** @type {number} */ ms) => setTimeout(task, ms),
      stop: (/** @type {ReturnType<typeof setTimeout>} */ timer) => clearTimeout(timer),
    };
    channel.onmessage = (/** @type {{data: SaidByRealm}} */ { data: said }) => this.#hear(said);
    this.#handOvers = new BroadcastChannel(handOverChannel(channel.name, pageId));
    this.#handOvers.onmessage = (/** @type {{data: HandedOver}} */ { data: { id, answer, isLast } }) => {
      if (isLast) this.#answered(id, answer);
      else {
        this.#keep(id, answer);
        this.#hasTold(id);
      }
    };
  }

  begin() {
    this.#forgetEnded();
    this.#isRecording = true;
    this.#say('begin');
  }

  /** Until the end of the recording: what they tell meanwhile comes with the rest, also of those that are gone then. */
  keep() {
    if (this.#isKeeping) return;
    this.#isKeeping = true;
    const again = () => {
      this.#isKeeping = this.#isRecording;
      if (!this.#isKeeping) return;
      if (this.#known.size > 0) this.#say('tell');
      this.#timers.start(again, KEEP_AGAIN_MS);
    };
    this.#timers.start(again, KEEP_AGAIN_MS);
  }

  /** @returns {Promise<RealmsOutcome>} what they recorded so far, as far as they told that soon; they go on */
  async soFar() {
    const gone = await this.#forgetEnded();
    const asked = new Set(this.#known.keys());
    if (asked.size > 0) await this.#toldBy(asked);
    return { ...this.#takeTold(), silent: [], ...gone };
  }

  /** @param {Set<string>} asked ids */
  #toldBy(asked) {
    return new Promise((resolve) => {
      this.#hasTold = (id) => asked.delete(id) && asked.size === 0 && resolve(undefined);
      this.#timers.start(() => this.#afterTasks(REALM_TELLING_TASKS, resolve), REALM_TELLING_MS);
      this.#say('tell');
    });
  }

  /** @param {number} tasks @param {(value?: any) => void} then */
  #afterTasks(tasks, then) {
    if (tasks === 0) then();
    else this.#timers.start(() => this.#afterTasks(tasks - 1, then), 0);
  }

  /** @returns {Promise<RealmsOutcome>} */
  async end() {
    const gone = await this.#forgetEnded();
    const asked = [...this.#known];
    const answers = await this.#answersOf(asked.map(([id]) => id));
    for (const [id, answer] of answers) this.#keep(id, answer);
    return {
      ...this.#takeTold(),
      ...gone,
      silent: asked.filter(([id]) => !answers.has(id)).map(([, name]) => name),
    };
  }

  /** The document is left, and they end with it. @returns {RealmsOutcome} */
  left() {
    return { ...this.#takeTold(), silent: [], ...this.#gone([...this.#known]) };
  }

  /** @param {string} id @param {RealmAnswer} answer */
  #keep(id, { outcome, problem }) {
    if (outcome) {
      this.#told.push({ ...outcome, id });
      this.#tellers.add(id);
    }
    if (problem !== undefined) {
      this.#problems.set(id, { name: this.#known.get(id) ?? 'realm', message: problem });
    }
  }

  #takeTold() {
    const problems = [...this.#problems.values()];
    this.#problems.clear();
    return { outcomes: this.#told.splice(0), problems };
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
      this.#say(this.#isRecording ? 'begin' : 'end', to);
    }
  }

  /** @param {SaidByPage['what']} what @param {SaidByPage['to']} [to] undefined: all */
  #say(what, to) {
    this.#channel.postMessage(/** @type {SaidByPage} */ ({ page: this.#pageId, what, to }));
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
      let timer = this.#timers.start(resolve, ids.length > 0 ? patience : 0);
      this.#answered = (id, answer) => {
        // A second one is to a greeting that came late, and has nothing.
        if (answers.has(id)) return;
        answers.set(id, answer);
        this.#timers.stop(timer);
        if (ids.every((each) => answers.has(each))) resolve(undefined);
        else timer = this.#timers.start(resolve, patience);
      };
      this.#isRecording = false;
      this.#say('end');
    });
    return answers;
  }

  /** @returns {Promise<GoneRealms>} those that are no longer there, which are forgotten */
  async #forgetEnded() {
    if (!navigator.locks) return this.#gone([]);
    // Others may greet meanwhile.
    const before = [...this.#known].filter(([id]) => this.#locked.has(id));
    const { held = [] } = await navigator.locks.query();
    const alive = new Set(held.map(({ name }) => String(name)));
    const ended = before.filter(([id]) => !alive.has(id));
    for (const [id] of ended) {
      this.#known.delete(id);
      this.#locked.delete(id);
    }
    return this.#gone(ended);
  }

  /** @param {[id: string, name: string][]} realms @returns {GoneRealms} */
  #gone(realms) {
    const namesOf = (/** @type {boolean} */ haveTold) =>
      realms.filter(([id]) => this.#tellers.has(id) === haveTold).map(([, name]) => name);
    return { ended: namesOf(false), cut: namesOf(true) };
  }
}
