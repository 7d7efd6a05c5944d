/**
 * The other realms of a page that is profiled: its workers, and frames of its origin. They are asked through a channel that all of them share, also those of other
 * tabs. Each realm belongs to one page, which it obeys.
 *
 * @typedef {'worker' | 'frame'} RealmKind
 * @typedef {Omit<import('./page_script.js').Start, 'id' | 'blockServiceWorkers' | 'asks'> & {kind: RealmKind, page?: string}} RealmStart `page`: id of the document that it belongs to; undefined: it has to find that out
 * @typedef {Pick<import('./page_script.js').Outcome, 'trace' | 'mode' | 'losses' | 'sampleInterval' | 'url' | 'userAgent' | 'timeOrigin' | 'full'> & {kind: RealmKind}} RealmOutcome
 *
 * @typedef {object} RealmsOutcome
 * @property {RealmOutcome[]} outcomes
 * @property {string[]} problems why realms could not be sampled
 * @property {string[]} ended those that had ended before: nobody knows what they did
 * @property {string[]} silent those that are busy and did not answer
 *
 * @typedef {{outcome?: RealmOutcome, problem?: string}} RealmAnswer neither: it did not record
 *
 * @typedef {object} SaidByRealm on the channel
 * @property {string} id
 * @property {string} name
 * @property {string} url
 * @property {string | undefined} owner id of the page that it belongs to
 * @property {RealmAnswer} [answer]
 *
 * @typedef {object} SaidByPage
 * @property {string} page its id
 * @property {'begin' | 'end'} what realms are to do
 * @property {{id: string, isLoader: boolean}} [to] the realm that it answers; `isLoader`: the page itself has loaded its script
 */

/**
 * The text that is put behind scripts so that workers which run or import them load our profiler. It is behind the script so that positions in the script stay the same;
 * therefore what runs while the script loads is missed. Service workers cannot import, and are left out.
 * @param {string} path of `realmScript`'s text; workers of a text have no address that it could be below
 */
export function workerTail(path) {
  const sampled = `import(globalThis.origin+${JSON.stringify(path)}).then(()=>globalThis.__polyprofRun__)`;
  return `\n;${IN_WORKER}&&${sampled}.catch(()=>{}).then(()=>globalThis.${LET_GO}?.());`;
}

const IN_WORKER = 'globalThis.WorkerGlobalScope&&!globalThis.clients';

/** Name of what lets go of what a worker was sent. */
const LET_GO = '__polyprofLetGo__';

/** @returns {string} what stands in front of such a script, on one line */
export function workerPrologue() {
  return `${IN_WORKER}&&(${String(holdUntilSampled).replace(/\s*\n\s*/g, '')})("${LET_GO}");`;
}

/**
 * What the worker is sent waits until sampling runs, as a page's parser does, but for no more than a second. Before all listeners of the worker's own, since Chromium
 * calls them in their order. Its text goes into workers, on one line: it sees nothing of this file.
 * @param {string} letGoName
 */
function holdUntilSampled(letGoName) {
  /* The script may have names like those of the platform. */
  const worker = globalThis;
  /* Modules that a worker imports are asked for as it is itself. */
  if (letGoName in worker) return;
  const types = ['message', 'connect'];
  const held = /** @type {MessageEvent[]} */ ([]);
  const hold = (/** @type {any} */ event) => {
    event.stopImmediatePropagation();
    held.push(event);
  };
  for (const type of types) worker.addEventListener(type, hold);
  const letGo = () => {
    for (const type of types) worker.removeEventListener(type, hold);
    for (const event of held.splice(0))
      worker.dispatchEvent(new worker.MessageEvent(event.type, /** @type {any} */ (event)));
  };
  worker.Object.defineProperty(worker, letGoName, { value: letGo });
  worker.setTimeout(letGo, 1000);
}

/** @param {RealmStart} start @returns {string} a script, behind the polyfill */
export function realmScript(start) {
  return `(${startInRealm})(${JSON.stringify(start)});`;
}

/**
 * Its text goes into workers and frames: it sees nothing of this file.
 * @param {RealmStart} start
 * @returns {Promise<unknown> | undefined} when sampling runs; undefined: nothing is to be recorded yet
 */
export function startInRealm({ channel: name, folder, record, kind, page: owner, ...options }) {
  const realm = /** @type {any} */ (globalThis);
  const id = `${name} ${Math.random()}`;
  const channel = new BroadcastChannel(name);
  /** @type {Promise<any> | undefined} */
  let starting;
  const begin = async () => {
    realm.polyprof.install({ force: true, baseUrl: realm.origin + folder, unknown: 'show' });
    return realm.performance.profile(options);
  };
  /** @returns {Promise<RealmAnswer>} */
  const end = async () => {
    const started = starting;
    starting = undefined;
    if (!started) return {};
    const profiler = await started;
    const full = profiler.stopped;
    const trace = await profiler.stop();
    const { mode, losses, sampleInterval } = profiler;
    // A worker of a text is known by what it imported.
    const { href } = realm.location;
    const url = (href.startsWith('blob:') && trace.resources[0]) || href;
    const { userAgent } = navigator;
    const { timeOrigin } = performance;
    return { outcome: { kind, trace, mode, losses, sampleInterval, url, userAgent, timeOrigin, full } };
  };
  const say = (/** @type {RealmAnswer | undefined} */ answer = undefined) => {
    const { href } = realm.location;
    /** @type {SaidByRealm} */
    const said = { id, name: `${kind} ${href}`, url: href, owner, answer };
    channel.postMessage(said);
  };
  const isShared = 'SharedWorkerGlobalScope' in realm;
  let isSure = owner !== undefined;
  channel.onmessage = async (/** @type {{data: SaidByPage}} */ { data: { page, what, to } }) => {
    if (page === undefined || (to && to.id !== id)) return;
    // Pages of several tabs may answer: that which has loaded it is its own. A shared worker goes on with the page that comes next.
    if (to ? owner === undefined || (to.isLoader && !isSure) : isShared && what === 'begin') {
      isSure = Boolean(to?.isLoader);
      owner = page;
      say();
    }
    if (page !== owner) return;
    if (what === 'begin') starting ??= begin();
    else say(await end().catch(({ message }) => ({ problem: `${kind} ${realm.location.href}: ${message}` })));
  };
  if (record) starting = begin();
  starting?.catch(() => {});
  // For those who wait for it.
  Object.defineProperty(realm, '__polyprofRun__', { get: () => starting });
  // Whether a realm is still there can be told by nothing but what it holds.
  if (navigator.locks) navigator.locks.request(id, () => (say(), new Promise(() => {})));
  else say();
  return starting;
}

/**
 * The page's side. Its text goes into pages: it sees nothing of this file.
 * @param {BroadcastChannel} channel
 * @param {string} page its id
 */
export function realmsOn(channel, page) {
  /** Longer than tasks should take. */
  const patienceMs = 3000;
  /** @type {Map<string, string>} names by id */
  const known = new Map();
  let isRecording = false;
  /** @type {(id: string, answer: RealmAnswer) => void} */
  let answered = () => {};
  /** @param {SaidByPage['to']} [to] undefined: all */
  const tell = (to) => {
    /** @type {SaidByPage} */
    const said = { page, what: isRecording ? 'begin' : 'end', to };
    channel.postMessage(said);
  };
  /** Loaded by the page itself, and not one of those that are known. @param {string} url @param {string} name */
  const isLoader = (url, name) =>
    performance.getEntriesByName(url).length > [...known.values()].filter((each) => each === name).length;
  channel.onmessage = (/** @type {{data: SaidByRealm}} */ { data: { id, answer, name, url, owner } }) => {
    // What other pages say has none.
    if (id === undefined) return;
    if (owner !== undefined && owner !== page) known.delete(id);
    else if (answer) answered(id, answer);
    else {
      const to = { id, isLoader: !known.has(id) && isLoader(url, name) };
      known.set(id, name);
      // One that greets when all have been asked is late: it is to record no longer.
      tell(to);
    }
  };
  /** @returns {Promise<string[]>} names of those that are no longer there, which are forgotten */
  const forgetEnded = async () => {
    if (!navigator.locks) return [];
    // Others may greet meanwhile.
    const before = [...known];
    const { held = [] } = await navigator.locks.query();
    const alive = new Set(held.map(({ name }) => String(name)));
    const ended = before.filter(([id]) => !alive.has(id));
    for (const [id] of ended) known.delete(id);
    return ended.map(([, name]) => name);
  };

  return {
    begin() {
      forgetEnded();
      isRecording = true;
      tell();
    },

    /** @returns {Promise<RealmsOutcome>} */
    async end() {
      const ended = await forgetEnded();
      const asked = [...known];
      /** @type {Map<string, RealmAnswer>} */
      const answers = new Map();
      const silent = () => asked.filter(([id]) => !answers.has(id)).map(([, name]) => name);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, asked.length > 0 ? patienceMs : 0);
        answered = (id, answer) => {
          answers.set(id, answer);
          if (silent().length === 0) resolve(clearTimeout(timer));
        };
        isRecording = false;
        tell();
      });
      const all = [...answers.values()];
      return {
        outcomes: all.flatMap(({ outcome }) => outcome ?? []),
        problems: all.flatMap(({ problem }) => problem ?? []),
        ended,
        silent: silent(),
      };
    },

    /** The document is left, and they end with it. @returns {RealmsOutcome} */
    left() {
      return { outcomes: [], problems: [], ended: [...known.values()], silent: [] };
    },
  };
}
