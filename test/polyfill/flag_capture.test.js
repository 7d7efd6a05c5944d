import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { areDown, COLD_BYTE, cool, flagsOf, raise, warm } from '../../polyfill/hook/flags.js';
import { ProbePoint } from '../../wasm/core.js';
import { page } from './told_page.js';

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
