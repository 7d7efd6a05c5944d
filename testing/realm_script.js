/**
 * The other realms of a page that is profiled: its workers, and frames of its origin. They are asked through a channel that all of them share.
 *
 * @typedef {'worker' | 'frame'} RealmKind
 * @typedef {Omit<import('./page_script.js').Start, 'id' | 'blockServiceWorkers' | 'asks'> & {kind: RealmKind}} RealmStart
 * @typedef {Pick<import('./page_script.js').Outcome, 'trace' | 'mode' | 'losses' | 'sampleInterval' | 'url' | 'userAgent' | 'timeOrigin' | 'full'> & {kind: RealmKind}} RealmOutcome
 *
 * @typedef {object} RealmsOutcome
 * @property {RealmOutcome[]} outcomes
 * @property {string[]} problems why realms could not be sampled
 * @property {string[]} ended those that had ended before: nobody knows what they did
 * @property {string[]} silent those that are busy and did not answer
 *
 * @typedef {{outcome?: RealmOutcome, problem?: string}} RealmAnswer neither: it did not record
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
export function startInRealm({ channel: name, folder, record, kind, ...options }) {
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
    const { mode, losses } = profiler;
    const { sampleInterval } = options;
    // A worker of a text is known by what it imported.
    const { href } = realm.location;
    const url = (href.startsWith('blob:') && trace.resources[0]) || href;
    const { userAgent } = navigator;
    const { timeOrigin } = performance;
    return { outcome: { kind, trace, mode, losses, sampleInterval, url, userAgent, timeOrigin, full } };
  };
  channel.onmessage = async ({ data }) => {
    if (data === 'begin') starting ??= begin();
    else if (data.end === 'all' || data.end === id) {
      const answer = await end().catch(({ message }) => ({
        problem: `${kind} ${realm.location.href}: ${message}`,
      }));
      channel.postMessage({ id, answer });
    }
  };
  if (record) starting = begin();
  starting?.catch(() => {});
  // For those who wait for it.
  Object.defineProperty(realm, '__polyprofRun__', { get: () => starting });
  const greet = () => channel.postMessage({ id, name: `${kind} ${realm.location.href}` });
  // Whether a realm is still there can be told by nothing but what it holds.
  if (navigator.locks) navigator.locks.request(id, () => (greet(), new Promise(() => {})));
  else greet();
  return starting;
}

/**
 * The page's side. Its text goes into pages: it sees nothing of this file.
 * @param {BroadcastChannel} channel
 */
export function realmsOn(channel) {
  /** Longer than tasks should take. */
  const patienceMs = 3000;
  /** @type {Map<string, string>} names by id */
  const known = new Map();
  let isRecording = false;
  /** @type {(id: string, answer: RealmAnswer) => void} */
  let answered = () => {};
  channel.onmessage = ({ data: { id, answer, name } }) => {
    if (answer) return answered(id, answer);
    known.set(id, name);
    // One that greets when all have been asked is late: it is to record no longer.
    channel.postMessage(isRecording ? 'begin' : { end: id });
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
      channel.postMessage('begin');
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
        channel.postMessage({ end: 'all' });
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
