import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FlagCapture } from '../../polyfill/capture/flag_capture.js';
import { areDown, COLD_BYTE, cool, flagsOf, raise, warm } from '../../polyfill/hook/flags.js';
import { Attribution } from '../../polyfill/sampling/attribution.js';
import { ProbePoint } from '../../wasm/core.js';

/**
 * A page whose worker tells only what the test says. Its only function is `busy`: before its ENTER nothing runs, and nothing after its LEAVE.
 */
function page() {
  const hook = /** @type {any} */ ({ f: new Int8Array(64), e() {}, l() {}, r() {} });
  const ticker = { tick: 0, late: 0, watched: () => 0, unwoken: () => 0 };
  let now = 0;
  /** Ticks of the busy function, and of nothing. */
  const ticks = { busy: 0, idle: 0 };
  const core = {
    tickAt: () => now,
    longestWaitTicks: () => 1,
    nextTick: (/** @type {number} */ tick) => tick + 1,
    stackOfText: (/** @type {string} */ _, /** @type {number} */ point) => Number(point !== ProbePoint.ENTER),
    record: (/** @type {number} */ after, /** @type {number} */ last, /** @type {number} */ stack) => {
      ticks[stack === 0 ? 'idle' : 'busy'] += last - after;
      return 0;
    },
  };
  const attribution = new Attribution(/** @type {any} */ (core), () => {});
  const capture = new FlagCapture(hook, /** @type {any} */ (core), /** @type {any} */ (ticker), attribution);
  /** @param {number} tick told @param {number} late of all ticks @param {number} [point] where a probe looks; none: nothing runs */
  const look = (tick, late, point) => {
    now = tick;
    Object.assign(ticker, { tick, late, watched: () => tick });
    hook.f.fill(1);
    if (point === undefined) capture.pause();
    else capture.look(point);
  };
  /** @param {number} tick now's, the worker still sleeps @param {number} point who ends a session */
  const end = (tick, point) => {
    now = tick;
    Object.assign(ticker, { watched: () => tick, unwoken: () => tick - ticker.tick });
    capture.look(point);
    return capture.unwoken;
  };
  /**
   * Checks that see a flag, if one is up.
   * @param {number} tick now's, the worker still sleeps @param {number} point @param {number} checks @param {boolean} [isSilent] the worker, for long
   */
  const check = (tick, point, checks, isSilent = false) => {
    now = tick;
    Object.assign(ticker, { watched: () => (isSilent ? ticker.tick : tick) });
    let looks = 0;
    for (; looks < checks && hook.f[0] === 1; looks++) capture.look(point);
    return looks;
  };
  const ticksOf = () => {
    capture.settle();
    return ticks;
  };
  return { look, end, check, ticksOf, ticks, attribution, hook, capture };
}

test('what the worker slept through while the page was busy is not taken for the idling after it', () => {
  const { look, ticksOf } = page();
  look(10, 0, ProbePoint.ENTER);
  look(31, 20);
  assert.deepEqual(ticksOf(), { idle: 11, busy: 20 });
});

test('what the worker slept through between idling and a busy function is the latter’s', () => {
  const { look, ticksOf } = page();
  look(10, 0, ProbePoint.LEAVE);
  look(31, 20, ProbePoint.LEAVE);
  assert.deepEqual(ticksOf(), { idle: 0, busy: 31 });
});

test('ticks slept through between entering a function and leaving it are the function’s, and idle until it is entered again', () => {
  const { look, ticksOf } = page();
  look(10, 0, ProbePoint.ENTER);
  look(31, 20, ProbePoint.LEAVE);
  look(52, 40, ProbePoint.ENTER);
  assert.deepEqual(ticksOf(), { idle: 31, busy: 21 });
});

test('what the worker still sleeps through when a session ends is late, and not all of who ends it', () => {
  const { look, end, check, ticksOf } = page();
  look(10, 0, ProbePoint.ENTER);
  check(10, ProbePoint.LEAVE, 100);
  assert.equal(end(31, ProbePoint.ENTER), 20);
  assert.deepEqual(ticksOf(), { idle: 11, busy: 20 });
  assert.equal(end(31, ProbePoint.ENTER), 20, 'counted once');
});

test('a page that wakes up looks at the clock itself for some checks: on a busy machine the worker is late then', () => {
  const { look, check, ticksOf } = page();
  look(10, 0, ProbePoint.ENTER);
  assert.equal(check(10, ProbePoint.ENTER, 10), 10);
  assert.equal(check(12, ProbePoint.LEAVE, 1), 1);
  assert.deepEqual(ticksOf(), { idle: 10, busy: 2 });
  const looks = check(12, ProbePoint.LEAVE, 1000);
  assert.ok(looks > 0 && looks < 100, `${looks} more`);
  assert.equal(check(13, ProbePoint.LEAVE, 1), 0);
  look(14, 0, ProbePoint.LEAVE);
  assert.equal(check(14, ProbePoint.LEAVE, 1), 0, 'not while it is at work');
});

test('when the worker is silent for long, no flag stays up: what it slept through is counted when it comes back', () => {
  const { look, check, ticksOf } = page();
  look(10, 0, ProbePoint.ENTER);
  assert.equal(check(210, ProbePoint.LEAVE, 10, true), 1);
  look(211, 200);
  assert.deepEqual(ticksOf(), { idle: 11, busy: 200 });
});

test('stacks are read when somebody asks, or when many of them wait', () => {
  const { look, ticksOf, ticks } = page();
  for (let tick = 1; tick <= 63; tick++) look(tick, 0, ProbePoint.LEAVE);
  assert.deepEqual(ticks, { idle: 0, busy: 0 });
  look(64, 0, ProbePoint.LEAVE);
  assert.deepEqual(ticks, { idle: 0, busy: 64 });
  look(65, 0, ProbePoint.LEAVE);
  assert.deepEqual(ticks, { idle: 0, busy: 64 });
  assert.deepEqual(ticksOf(), { idle: 0, busy: 65 });
});

test('a stack that cannot be read is lost alone', () => {
  const { look, ticksOf, ticks, attribution } = page();
  look(1, 0, ProbePoint.LEAVE);
  look(2, 0, ProbePoint.LEAVE);
  look(3, 0, ProbePoint.LEAVE);
  const add = attribution.add.bind(attribution);
  let count = 0;
  attribution.add = (look) => {
    if (++count === 2) throw new Error('no memory');
    add(look);
  };
  assert.deepEqual(ticksOf(), { idle: 0, busy: 2 });
  assert.deepEqual([ticks.busy, attribution.lost], [2, 1]);
});

test('in V8, what functions on the stack were called on can be collected after a look', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const { look } = page();
  const parser = (() => {
    const called = {
      parse: () => look(1, 0, ProbePoint.LEAVE),
      method() {
        this.parse();
      },
    };
    called.method();
    return new WeakRef(called);
  })();
  // Until the end of a task it cannot.
  await new Promise(setImmediate);
  collectGarbage();
  assert.equal(parser.deref(), undefined);
});

test('after the first looks of a session many checks call for nothing, so that compiled code knows the call; ticks that come meanwhile are seen', () => {
  const { look, hook, capture, ticksOf } = page();
  capture.arm();
  look(1, 0, ProbePoint.LEAVE);
  const called = [1, 1, 1, 1, 0, 0, 0, 0].map((cell) => cell * COLD_BYTE);
  for (let check = 0; check < 100; check++) {
    assert.deepEqual([...hook.f.subarray(0, 8)], called);
    hook[check % 2 ? 'e' : 'l']();
  }
  look(2, 0, ProbePoint.LEAVE);
  let checks = 0;
  for (; hook.f[0] !== 0 && checks < 1e6; checks++) hook.e();
  assert.ok(checks > 10_000 && checks < 1e5, `${checks} more`);
  look(3, 0, ProbePoint.LEAVE);
  hook.l();
  assert.equal(hook.f[0], 0, 'and that was it');
  assert.deepEqual(ticksOf(), { idle: 0, busy: 3 });
});

test('a flag that a tick raised while checks are called for nothing stays up when that ends', () => {
  const bytes = new Int8Array(64);
  const flags = flagsOf(bytes);
  warm(flags);
  assert.ok(areDown(flags), 'to the worker, which counts as late what nobody could see');
  raise(flags);
  cool(flags);
  assert.ok(!areDown(flags));
  warm(flags);
  cool(flags);
  assert.deepEqual([...bytes], Array(64).fill(0));
});
