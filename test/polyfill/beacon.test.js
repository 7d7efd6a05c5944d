import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anonymizeUrl } from '../../polyfill/beacon/anonymize_url.js';
import { Beacon } from '../../polyfill/beacon/beacon.js';
import { convertBeaconOptions } from '../../polyfill/beacon/options.js';
import { ProfiledWindow } from '../../polyfill/beacon/profiled_window.js';
import { traceBodies } from '../../polyfill/beacon/trace_bodies.js';
import { checkTrace } from '../../report/reading/check_trace.js';
import { timedTraceArbitrary } from '../report/arbitraries.js';
import { traceOf } from '../report/traces.js';
import { replace } from '../lib/replaced.js';

/** Options of a beacon that profiles all the time, and begins at once. */
const WITHOUT_GAP = Object.freeze({
  url: 'https://h/',
  window: 1000,
  every: 1000,
  start: /** @type {const} */ ('now'),
});

/** @type {[string, 'page' | 'script', string][]} */
const ADDRESSES = [
  ['https://me:secret@shop.example/cart?user=7#pay', 'page', 'https://shop.example/cart'],
  ['https://shop.example/orders/4711/items', 'page', 'https://shop.example/orders/:id/items'],
  ['https://shop.example/u/1b4e28ba-2fa1-11d2-883f-0016d3cca427/', 'page', 'https://shop.example/u/:id/'],
  ['https://shop.example/u/jane%40doe.example/x', 'page', 'https://shop.example/u/:id/x'],
  ['https://shop.example/reset/dGhpcyBpcyBhIHRva2Vu0', 'page', 'https://shop.example/reset/:id'],
  ['https://shop.example/orders/4711.html', 'page', 'https://shop.example/orders/:id'],
  ['https://shop.example/call/+4915112345678', 'page', 'https://shop.example/call/:id'],
  ['https://shop.example/t;jsessionid=0AF1D2C3B4A59687FEDC', 'page', 'https://shop.example/:id'],
  [
    'https://shop.example/in/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.s5wQ/x',
    'page',
    'https://shop.example/in/:id/x',
  ],
  ['https://shop.example/reset/dGhpcyBpcyBhIHRva2Vu0%3D%3D', 'page', 'https://shop.example/reset/:id'],
  ['https://shop.example/100%/tea', 'page', 'https://shop.example/100%/tea'],
  [
    'https://shop.example/about-our-company-and-you',
    'page',
    'https://shop.example/about-our-company-and-you',
  ],
  [
    'https://cdn.example/js/app-4f3a9c1b7d20e5.js?v=7#x',
    'script',
    'https://cdn.example/js/app-4f3a9c1b7d20e5.js',
  ],
  ['blob:https://shop.example/0a1b2c3d-0000', 'script', 'blob:'],
  ['data:text/javascript,alert(1)', 'script', 'data:'],
  ['chrome-extension://abcdefgh/content.js', 'script', 'chrome-extension:'],
  ['file:///home/jane/site/app.js', 'script', 'file:///app.js'],
  ['', 'script', ''],
  ['<anonymous>', 'script', ''],
  ['https://', 'script', ''],
];

for (const [url, kind, expected] of ADDRESSES) {
  test(`of the ${kind} ${JSON.stringify(url)} the beacon sends ${JSON.stringify(expected)}`, () => {
    assert.equal(anonymizeUrl(url, kind), expected);
  });
}

test('options that make no sense are told by name', () => {
  const url = 'https://collect.example/';
  /** @type {[any, RegExp][]} */
  const mistakes = [
    [undefined, /^TypeError: startBeacon: url must be/],
    [{ url: 7 }, /^TypeError: startBeacon: url must be/],
    [{ url, sessionRate: 2 }, /^RangeError: startBeacon: sessionRate must be a number from 0 to 1$/],
    [{ url, window: '5s' }, /^RangeError: startBeacon: window must be/],
    [{ url, window: 6000, every: 5000 }, /^RangeError: startBeacon: every must be a number from 6000 to/],
    [{ url, start: 'later' }, /^TypeError: startBeacon: start must be 'random' or 'now'$/],
    [{ url, sampleInterval: NaN }, /^RangeError: startBeacon: sampleInterval/],
    [{ url, onError: 'log' }, /^TypeError: startBeacon: onError must be a function$/],
  ];
  for (const [options, message] of mistakes) assert.throws(() => convertBeaconOptions(options), message);
  const { window, every } = convertBeaconOptions({ url, window: undefined });
  assert.deepEqual([window, every], [5000, 60_000]);
});

/** @param {Uint8Array} body */
const read = (body) => JSON.parse(new TextDecoder().decode(body));

test('for any trace: its parts are traces, have the same samples, and no more bytes than allowed', () => {
  fc.assert(
    fc.property(timedTraceArbitrary, fc.integer({ min: 1000, max: 5000 }), (trace, maxBytes) => {
      const bodies = traceBodies(trace, { session: 's', losses: { lostTicks: 1 } }, maxBytes);
      const parts = bodies.map(read);
      for (const [i, { trace: part }] of parts.entries()) {
        checkTrace(part);
        assert.ok(bodies[i].length <= maxBytes || part.samples.length === 1);
      }
      assert.equal(new Set(parts.map(({ id }) => id)).size, parts.length);
      assert.equal(parts.filter(({ losses }) => losses).length, 1);
      const oldestFirst = parts.reverse().map((part) => part.trace);
      oldestFirst.slice(1).reduce((older, part) => {
        assert.equal(part.olderSamples, older);
        return older + part.samples.length;
      }, oldestFirst[0].samples.length);
      assert.deepEqual(oldestFirst.flatMap(pathsOf), pathsOf(trace));
    }),
  );
});

/** @param {import('../../report/reading/check_trace.js').ProfilerTrace} trace */
function pathsOf({ resources, frames, stacks, samples }) {
  return samples.map(({ timestamp, stackId }) => {
    const path = [];
    for (let id = stackId; id !== undefined; id = stacks[id].parentId) {
      const { resourceId, ...frame } = frames[stacks[id].frameId];
      path.push({ ...frame, file: resourceId === undefined ? undefined : resources[resourceId] });
    }
    return { timestamp, path };
  });
}

test('a trace that fits is sent as it is', () => {
  const trace = traceOf(['main;f', '']);
  const [body, ...others] = traceBodies(trace, { mode: 'flag' }, 60_000);
  const { id, ...rest } = read(body);
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.deepEqual([rest, others], [{ mode: 'flag', trace }, []]);
});

/** As a page's, for one test. @param {import('node:test').TestContext} t @param {Record<string, unknown>} realm */
const setRealm = (t, realm) => replace(globalThis, realm, (putBack) => t.after(putBack));

const session = { id: 's', isProfiled: true };
const profiler = { stopped: false, sampleInterval: 10, stop: async () => ({ samples: [] }) };

/** A page where timers are due at once, and 30 ms pass with each look at the clock. @param {() => Promise<object>} profile */
function pageThatProfiles(profile) {
  let now = 0;
  return {
    performance: { now: () => (now += 30), profile },
    setTimeout: (/** @type {() => void} */ callback, /** @type {number} */ ms) =>
      setImmediate(() => ((now += ms), callback())),
    clearTimeout: clearImmediate,
    document: Object.assign(new EventTarget(), { hidden: false }),
    addEventListener() {},
    removeEventListener() {},
  };
}

test('a window ends though its time comes between two looks at the clock', { timeout: 10_000 }, async (t) => {
  /** @type {() => void} */
  let onStop = () => {};
  const stopped = new Promise((resolve) => (onStop = () => resolve(undefined)));
  const page = pageThatProfiles(async () => ({ ...profiler, stop: () => (onStop(), profiler.stop()) }));
  setRealm(t, { ...page, setTimeout, clearTimeout });
  const settings = convertBeaconOptions({ url: 'https://h/', window: 100, every: 60_000, start: 'now' });
  const beacon = new Beacon(settings, session);
  await stopped;
  beacon.stop();
});

test('a window tells what was lost in it, not what was lost before, but what was missing before still is', () => {
  const counting = { ...profiler, losses: { lateTicks: 3, lostTicks: 1, missingTables: 1 } };
  const window = new ProfiledWindow(counting, () => {});
  counting.losses = { lateTicks: 5, lostTicks: 1, missingTables: 1 };
  assert.deepEqual(window.losses, { lateTicks: 2, lostTicks: 0, missingTables: 1 });
});

test(
  'without a gap, a window begins before the one before it ends, unless that had no memory',
  { timeout: 10_000 },
  async (t) => {
    /** @type {string[]} */
    const log = [];
    /** @type {() => void} */
    let onThird = () => {};
    const third = new Promise((resolve) => (onThird = () => resolve(undefined)));
    let windows = 0;
    const page = pageThatProfiles(async () => {
      const number = ++windows;
      log.push(`begin ${number}`);
      if (number === 3) onThird();
      const one = {
        ...profiler,
        losses: { lostToMemory: 0 },
        async stop() {
          // As long as it takes: nobody may sample until then.
          await new Promise((resolve) => setImmediate(resolve));
          log.push(`end ${number}`);
          return { samples: [] };
        },
      };
      if (number === 2) setImmediate(() => (one.losses = { lostToMemory: 1 }));
      return one;
    });
    setRealm(t, { ...page, navigator: { onLine: true } });
    const settings = convertBeaconOptions(WITHOUT_GAP);
    const beacon = new Beacon(settings, session);
    await third;
    beacon.stop();
    assert.deepEqual(log, ['begin 1', 'begin 2', 'end 1', 'end 2', 'begin 3']);
  },
);

test(
  'an onError that throws ends nothing, and the page hears of it as of any other error',
  { timeout: 10_000 },
  async (t) => {
    /** @type {(value: unknown) => void} */
    let onWindow = () => {};
    const profiled = new Promise((resolve) => (onWindow = resolve));
    let windows = 0;
    const page = pageThatProfiles(async () => {
      if (++windows === 1) throw new Error('no core');
      onWindow('profiles');
      return profiler;
    });
    /** @type {(() => void)[]} */
    const microtasks = [];
    setRealm(t, {
      ...page,
      navigator: { onLine: true },
      queueMicrotask: (/** @type {() => void} */ callback) => microtasks.push(callback),
    });
    const onError = (/** @type {any} */ error) => {
      throw new Error(`told of ${error.message}`);
    };
    const settings = convertBeaconOptions({ ...WITHOUT_GAP, onError });
    const beacon = new Beacon(settings, session);
    assert.equal(await profiled, 'profiles');
    beacon.stop();
    assert.equal(microtasks.length, 1);
    assert.throws(microtasks[0], /^Error: told of no core$/);
  },
);

for (const [sentence, onLine, outcomes] of /** @type {const} */ ([
  ['five windows in a row that could not be profiled end the beacon', true, 'xxxxoxxxxx'],
  ['without a network, no number of windows that could not be profiled does so', false, 'xxxxxxxxo'],
])) {
  test(sentence, { timeout: 10_000 }, async (t) => {
    /** @type {(value: unknown) => void} */
    let onEnd = () => {};
    const ended = new Promise((resolve) => (onEnd = resolve));
    const left = [...outcomes];
    const page = pageThatProfiles(async () => {
      if (left.shift() === 'x') throw new Error('no core');
      if (left.length === 0) onEnd('profiles');
      return profiler;
    });
    setRealm(t, { ...page, navigator: { onLine }, removeEventListener: () => onEnd('ended') });
    let errors = 0;
    const onError = () => errors++;
    const settings = convertBeaconOptions({ ...WITHOUT_GAP, onError });
    const beacon = new Beacon(settings, session);
    assert.equal(await ended, onLine ? 'ended' : 'profiles');
    beacon.stop();
    assert.deepEqual(left, []);
    assert.equal(errors, [...outcomes].filter((outcome) => outcome === 'x').length);
  });
}
