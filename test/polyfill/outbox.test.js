import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { Outbox } from '../../polyfill/beacon/outbox.js';
import { replace } from '../lib/replaced.js';

/** @import { ServerResponse } from 'node:http' */

// What Node lacks of a page. Requests and answers are real ones.
const page = new EventTarget();
const { setTimeout, clearTimeout } = globalThis;

/** ms; stands still until a test lets time pass. */
let now = 0;
/** @type {Map<unknown, {due: number, callback: () => void}>} */
const timers = new Map();

const realm = {
  document: Object.assign(new EventTarget(), { hidden: false }),
  origin: 'https://page.example',
  addEventListener: page.addEventListener.bind(page),
  navigator: { onLine: true, sendBeacon: () => true },
  // Requests of Node's own set timers as well. They are of no use here, nor does it matter when they are called.
  setTimeout(
    /** @type {(...args: any[]) => void} */ callback,
    /** @type {number} */ ms,
    /** @type {any[]} */ ...args
  ) {
    const timer = setTimeout(callback, ms, ...args).unref();
    timers.set(timer, { due: now + ms, callback: () => callback(...args) });
    return timer;
  },
  clearTimeout(/** @type {NodeJS.Timeout | undefined} */ timer) {
    timers.delete(timer);
    clearTimeout(timer);
  },
};

/** Those so far, each fulfilled when it was answered or failed. @type {Promise<unknown>[]} */
const requests = [];
/** Outboxes that are left go on as long as there is a request, and try again later. */
after(async () => {
  await Promise.all(requests);
  await new Promise((resolve) => setImmediate(resolve));
  for (const timer of timers.keys()) realm.clearTimeout(/** @type {NodeJS.Timeout} */ (timer));
});
replace(performance, { now: () => now }, after);

const { fetch } = globalThis;
replace(
  globalThis,
  {
    ...realm,
    fetch(/** @type {any} */ input, /** @type {any} */ init) {
      const request = fetch(input, init);
      requests.push(request.catch(() => {}));
      return request;
    },
  },
  after,
);

/** The outbox knows of the answer to its last request, and has done what it does then. */
async function answered() {
  await requests.at(-1);
  await new Promise((resolve) => setImmediate(resolve));
}

/** @param {number} ms */
function pass(ms) {
  now += ms;
  for (const [timer, { due, callback }] of [...timers]) {
    if (due > now) continue;
    realm.clearTimeout(/** @type {NodeJS.Timeout} */ (timer));
    callback();
  }
}

/** @param {boolean} hidden */
function setHidden(hidden) {
  realm.document.hidden = hidden;
  realm.document.dispatchEvent(new Event('visibilitychange'));
}

/**
 * @typedef {{text: string, answer: (status: number, headers?: Record<string, string>) => void, hangUp: () => void}} Arrived
 * @returns what waits for requests one by one, and what came and was not asked for
 */
async function receiver() {
  /** @type {Arrived[]} */
  const arrived = [];
  const arrivals = new EventTarget();
  const server = createServer(async (request, /** @type {ServerResponse} */ response) => {
    const text = (await request.toArray()).join('');
    arrived.push({
      text,
      answer: (status, headers) => void response.writeHead(status, headers).end(),
      hangUp: () => void response.destroy(),
    });
    arrivals.dispatchEvent(new Event('arrival'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => (server.closeAllConnections(), server.close()));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    arrived,
    async next() {
      if (arrived.length === 0) await once(arrivals, 'arrival');
      return /** @type {Arrived} */ (arrived.shift());
    },
  };
}

const fail = (/** @type {Error} */ error) => assert.fail(error);

/** @param {string} text */
const item = (text) => ({ body: new TextEncoder().encode(text), isPacked: false, tells: 0 });

/** Ends the pause after a failure. */
const comeBack = () => page.dispatchEvent(new Event('online'));

test('what the receiver had no time for stays when the page is hidden, and is not tried before its time', async () => {
  const { url, next, arrived } = await receiver();
  const outbox = new Outbox(url, 1000, fail, fail);
  outbox.add(item('first'));
  (await next()).answer(503);
  await answered();
  outbox.add(item('second'));
  setHidden(true);
  assert.equal(outbox.sent, 1, 'the second one, which was not tried');
  setHidden(false);
  comeBack();
  const again = await next();
  assert.deepEqual([again.text, arrived], ['first', []]);
  again.answer(204);
  await answered();
  assert.deepEqual([outbox.sent, outbox.dropped], [2, 0]);
});

test(
  'what the browser does not take of a hidden page is sent when it is seen again, also of a beacon that has ended',
  { timeout: 10_000 },
  async () => {
    const { url, next } = await receiver();
    const outbox = new Outbox(url, 1000, fail, fail);
    realm.navigator.sendBeacon = () => false;
    setHidden(true);
    outbox.add(item('first'));
    setHidden(false);
    (await next()).answer(204);
    await answered();
    setHidden(true);
    outbox.add(item('second'));
    realm.navigator.sendBeacon = () => true;
    realm.document.hidden = false; // as in a browser that does not say so of a page it brings back
    outbox.close();
    (await next()).answer(204);
    await answered();
    assert.equal(outbox.sent, 2);
  },
);

test(
  'what the receiver has no time for waits alone and longer and longer, while it takes what else there is',
  { timeout: 10_000 },
  async () => {
    const { url, next, arrived } = await receiver();
    const outbox = new Outbox(url, 1000, fail, fail);
    const asked = async () => {
      const { text, answer } = await next();
      answer(text === 'bad' ? 500 : 204);
      await answered();
      return text;
    };
    outbox.add(item('bad'));
    assert.equal(await asked(), 'bad');
    outbox.add(item('first'));
    pass(10_000);
    assert.deepEqual([await asked(), await asked()], ['first', 'bad']);
    pass(10_000);
    outbox.add(item('second'));
    assert.equal(await asked(), 'second');
    pass(10_000);
    assert.equal(await asked(), 'bad');
    pass(20_000);
    outbox.add(item('third'));
    assert.equal(await asked(), 'third');
    assert.deepEqual(arrived, []);
    pass(20_000);
    assert.equal(await asked(), 'bad');
  },
);

test('a receiver that has no time is asked after longer and longer pauses, whatever waits', async () => {
  const { url, next, arrived } = await receiver();
  const outbox = new Outbox(url, 1000, fail, fail);
  for (const seconds of [10, 20, 40]) {
    outbox.add(item(`before ${seconds} s`));
    assert.deepEqual(arrived, []);
    const { text, answer } = await next();
    answer(503);
    await answered();
    assert.equal(text, `before ${seconds} s`);
    outbox.add(item('waits'));
    pass(seconds * 1000 - 1);
    assert.deepEqual(arrived, []);
    page.dispatchEvent(new Event('pagehide'));
    pass(1);
  }
});

test('a page that closes hands over all that waits', async () => {
  const { url, next } = await receiver();
  const outbox = new Outbox(url, 1000, fail, fail);
  outbox.add(item('first'));
  (await next()).answer(503);
  await answered();
  outbox.add(item('second'));
  page.dispatchEvent(new Event('pagehide'));
  assert.equal(outbox.sent, 2);
});

test('where nothing may wait, all is tried once, and told if it failed', async () => {
  const { url, next } = await receiver();
  const outbox = new Outbox(url, 0, fail, fail);
  outbox.add(item('first'));
  (await next()).answer(204);
  await answered();
  assert.equal(outbox.sent, 1);
  outbox.add(item('second'));
  (await next()).answer(503);
  await answered();
  assert.deepEqual([outbox.dropped, outbox.takeUntold()], [1, 1]);
});

test('what is on its way does not give way to what waits', async () => {
  const { url, next } = await receiver();
  const outbox = new Outbox(url, 10, fail, fail);
  for (const text of ['first...', 'second..', 'third...']) outbox.add(item(text));
  assert.equal(outbox.dropped, 1);
  const texts = [];
  for (let i = 0; i < 2; i++) {
    const { text, answer } = await next();
    texts.push(text);
    answer(204);
    await answered();
  }
  assert.deepEqual(texts, ['first...', 'third...']);
  assert.deepEqual([outbox.dropped, outbox.takeUntold()], [1, 1]);
});

test('what never has an answer does not keep the rest from being sent, and that is told once', async () => {
  const { url, next } = await receiver();
  /** @type {string[]} */
  const errors = [];
  const outbox = new Outbox(url, 1000, fail, ({ message }) => errors.push(message));
  outbox.add(item('never'));
  outbox.add(item('other'));
  const texts = [];
  for (let i = 0; i < 7; i++) {
    const { text, hangUp, answer } = await next();
    texts.push(text);
    if (text === 'other') answer(204);
    else hangUp();
    await answered();
    if (text === 'never') comeBack();
  }
  assert.deepEqual(texts, ['never', 'other', 'never', 'never', 'never', 'never', 'never']);
  assert.equal(errors.length, 1);
  assert.match(
    errors[0],
    /^startBeacon: http:.* cannot be reached, or does not let this page read its answers/,
  );
});
