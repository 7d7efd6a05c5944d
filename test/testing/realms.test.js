import assert from 'node:assert/strict';
import { on } from 'node:events';
import { after, test } from 'node:test';
import { ObedientRealm } from '../../testing/in_page/obedient_realm.js';
import {
  KEEP_AGAIN_MS,
  PageRealms,
  REALM_PATIENCE_MS,
  REALM_TELLING_TASKS,
} from '../../testing/in_page/page_realms.js';
import { handOverChannel } from '../../testing/in_page/realm_messages.js';
import { RealmRecording } from '../../testing/in_page/realm_recording.js';
import { replace } from '../lib/replaced.js';

/** A page and a worker of it, both here, on a channel of Node's. */

const NAME = 'realms of a test';

/** @type {() => void} */
let giveLock = () => {};
/** @type {(trace: object) => void} */
let hasStopped = () => {};
const stopped = new Promise((resolve) => (hasStopped = resolve));
const profiler = { mode: 'flag', losses: {}, sampleInterval: 1, stopped: false, stop: () => stopped };
const locks = {
  request: (/** @type {string} */ _name, /** @type {() => void} */ hold) => void (giveLock = hold),
  query: async () => ({ held: [] }),
};
replace(
  globalThis,
  {
    navigator: { locks, userAgent: 'Node' },
    location: { href: 'http://h/worker.js' },
    origin: 'http://h',
    polyprof: { install() {} },
  },
  after,
);
replace(performance, { profile: async () => profiler }, after);

/** @type {BroadcastChannel[]} */
const channels = [];
replace(
  globalThis,
  {
    BroadcastChannel: class extends BroadcastChannel {
      constructor(/** @type {string} */ name) {
        super(name);
        channels.push(this);
      }
    },
  },
  after,
);
after(() => channels.forEach((channel) => channel.close()));

test('a worker that is given its lock while its page waits for its trace hands that over', async () => {
  const messages = on(new BroadcastChannel(NAME), 'message');
  const heard = async () => (await messages.next()).value[0].data;
  const page = new PageRealms(new BroadcastChannel(NAME), 'page');
  const recording = new RealmRecording('worker', '/own/', { sampleInterval: 1, maxBufferSize: 10 });
  const realm = new ObedientRealm(recording, { kind: 'worker', page: 'page', channelName: NAME });
  recording.begin();
  page.begin();
  assert.equal((await heard()).what, 'begin');
  realm.greet();
  const { id } = await heard();
  assert.deepEqual((await heard()).to, { id, isLoader: false });
  const ended = page.end();
  assert.deepEqual(await heard(), { page: 'page', what: 'end', to: undefined });
  giveLock();
  assert.deepEqual((await heard()).holdsLock, true);
  assert.deepEqual((await heard()).to, { id, isLoader: false });
  // Something else on the channel: the worker has heard that, too.
  new BroadcastChannel(NAME).postMessage({});
  await heard();
  hasStopped({ resources: [], frames: [], stacks: [], samples: [] });
  const { outcomes, ...rest } = await ended;
  assert.deepEqual(rest, { problems: [], ended: [], cut: [], silent: [] });
  assert.deepEqual(
    outcomes.map(({ kind, url }) => [kind, url]),
    [['worker', 'http://h/worker.js']],
  );
});

test('what one realm hands over no other one has to read', async () => {
  const messages = on(new BroadcastChannel('several realms'), 'message');
  const page = new PageRealms(new BroadcastChannel('several realms'), 'page');
  const recording = new RealmRecording('frame', '/own/', { sampleInterval: 1, maxBufferSize: 10 });
  const about = /** @type {const} */ ({ kind: 'frame', page: 'page', channelName: 'several realms' });
  new ObedientRealm(recording, about).greet();
  recording.begin();
  // The greeting, and the page's answer.
  for (let i = 0; i < 2; i++) await messages.next();
  const ended = page.end();
  hasStopped({ resources: [], frames: [], stacks: [], samples: [] });
  assert.equal((await ended).outcomes.length, 1);
  new BroadcastChannel('several realms').postMessage('the end');
  for await (const [{ data }] of messages) {
    if (data === 'the end') break;
    assert.doesNotMatch(JSON.stringify(data), /outcome|samples/);
  }
});

/**
 * A page and a frame of it that records, each of whose profilers is known by its number.
 * @param {string} channelName
 */
async function pageWithFrame(channelName) {
  const messages = on(new BroadcastChannel(channelName), 'message');
  const heard = async () => (await messages.next()).value[0].data;
  const page = new PageRealms(new BroadcastChannel(channelName), 'page');
  const recording = new RealmRecording('frame', '/own/', { sampleInterval: 1, maxBufferSize: 10 });
  let profilers = 0;
  /** @type {any} */ (performance).profile = async () => {
    const number = ++profilers;
    const stop = async () => ({ resources: [], frames: [], stacks: [], samples: [{ timestamp: number }] });
    return { ...profiler, losses: { lostTicks: 10 * number }, stop };
  };
  recording.begin();
  page.begin();
  assert.equal((await heard()).what, 'begin');
  new ObedientRealm(recording, { kind: 'frame', page: 'page', channelName }).greet();
  // The greeting, and the page's answer.
  for (let i = 0; i < 2; i++) await heard();
  return { page, heard };
}

/** @param {import('../../testing/in_page/outcome.js').RealmsOutcome} told */
const partsOf = ({ outcomes }) =>
  outcomes.map(({ trace, losses }) => [trace.samples[0].timestamp, losses.lostTicks]);

test('a realm that is asked to tell goes on, each of its losses is told once, and all of it is of one realm', async () => {
  const { page } = await pageWithFrame('telling realms');
  const told = [await page.soFar(), await page.soFar(), await page.end()];
  assert.deepEqual(told.map(partsOf), [[[1, 10]], [[2, 10]], [[3, 10]]]);
  assert.equal(new Set(told.flatMap(({ outcomes }) => outcomes.map(({ id }) => id))).size, 1);
});

test('what a realm tells while it is asked for the rest comes before that', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { page, heard } = await pageWithFrame('late realms');
  const [soFar, end] = [page.soFar(), page.end()];
  assert.deepEqual([(await heard()).what, (await heard()).what], ['tell', 'end']);
  const told = [await soFar, await end];
  assert.deepEqual(partsOf({ ...told[1], outcomes: told.flatMap(({ outcomes }) => outcomes) }), [
    [1, 10],
    [2, 10],
  ]);
});

test('a page in long tasks hears that the time is up before what its realms told meanwhile, and then does not wait for long', async (t) => {
  /** @type {(() => void)[]} */
  const tasks = [];
  const nextTask = () => tasks.shift()?.();
  t.mock.method(globalThis, 'setTimeout', (/** @type {() => void} */ task) => tasks.push(task));
  const channel = new BroadcastChannel('busy realms');
  const page = new PageRealms(new BroadcastChannel('busy realms'), 'page');
  const heard = on(channel, 'message');
  channel.postMessage({ id: 'a', name: 'frame', url: 'http://h/', owner: 'page', holdsLock: false });
  await heard.next();
  const late = page.soFar();
  await heard.next();
  nextTask();
  await new Promise((resolve) => setImmediate(resolve));
  const name = handOverChannel('busy realms', 'page');
  const handOvers = /** @type {any} */ (channels.find((channel) => channel.name === name));
  handOvers.onmessage({ data: { id: 'a', answer: { outcome: { url: 'http://h/' } }, isLast: false } });
  assert.equal((await late).outcomes.length, 1);
  tasks.length = 0;
  const never = page.soFar();
  await heard.next();
  for (let task = 0; task <= REALM_TELLING_TASKS; task++) nextTask();
  assert.deepEqual((await never).outcomes, []);
});

test('why a realm cannot be sampled is told once, however often it is asked', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { page, heard } = await pageWithFrame('failing realms');
  /** @type {any} */ (performance).profile = async () => {
    throw new Error('no memory');
  };
  page.keep();
  const said = [];
  for (let i = 0; i < 2; i++) {
    t.mock.timers.tick(KEEP_AGAIN_MS);
    said.push((await heard()).what);
  }
  const { problems } = await page.end();
  assert.deepEqual(
    [said, problems],
    [['tell', 'tell'], [{ name: 'frame http://h/worker.js', message: 'no memory' }]],
  );
});

test('of a document that is left, those of its realms that have told are told apart from the others', async () => {
  const { page } = await pageWithFrame('left realms');
  const name = 'frame http://h/worker.js';
  const { ended, cut } = page.left();
  assert.deepEqual([ended, cut], [[name], []]);
  await page.soFar();
  const later = page.left();
  assert.deepEqual([later.ended, later.cut, later.outcomes], [[], [name], []]);
});

test('a page waits for its realms as long as one after the other hands over, and then no longer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const channel = new BroadcastChannel('slow realms');
  const page = new PageRealms(new BroadcastChannel('slow realms'), 'page');
  const greeted = on(channel, 'message');
  for (const id of ['a', 'b', 'c', 'stuck']) {
    channel.postMessage({ id, name: `frame ${id}`, url: 'http://h/', owner: 'page', holdsLock: false });
    await greeted.next();
  }
  const ended = page.end();
  await greeted.next();
  const name = handOverChannel('slow realms', 'page');
  const handOvers = /** @type {any} */ (channels.find((channel) => channel.name === name));
  for (const id of ['a', 'b', 'c']) {
    t.mock.timers.tick(REALM_PATIENCE_MS - 1);
    // By Node's channel the test would not know when it is there.
    handOvers.onmessage({ data: { id, answer: { problem: id }, isLast: true } });
  }
  t.mock.timers.tick(2 * REALM_PATIENCE_MS);
  const { problems, silent } = await ended;
  const told = ['a', 'b', 'c'].map((id) => ({ name: `frame ${id}`, message: id }));
  assert.deepEqual([problems, silent], [told, ['frame stuck']]);
});
