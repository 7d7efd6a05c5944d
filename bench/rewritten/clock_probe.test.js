import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { canHaveClock, clockedPlaces, withClocks } from './clock_probe.js';
import { functionsIn } from './functions_in.js';

const CODE = `function sum(n) { 'use strict'; tick(10); return n ? inner() : 0; function inner() { return n + sum(n - 1); } }
class Shape { get area() { tick(1); return 4; } fail() { tick(2); throw new Error('failed'); } }
async function later() { await 0; }
function* each() { yield 1; }
const short = () => 1;
//# sourceMappingURL=x.js.map`;
const functions = functionsIn(CODE);
const able = functions.flatMap((one, id) => (canHaveClock(one) ? [id] : []));
const idOf = (/** @type {string} */ text) => functions.findIndex(({ start }) => CODE.startsWith(text, start));

/** The script in a realm with a clock of its own, which `tick` moves on. */
function run() {
  let now = 0;
  const tick = (/** @type {number} */ ms) => (now += ms);
  const realm = vm.createContext({ tick, performance: { now: () => now }, fetch: () => {} });
  vm.runInContext(withClocks(CODE, functions, able), realm);
  const clocks = () => new Map(vm.runInContext('__clocks()', realm));
  return { eval: (/** @type {string} */ text) => vm.runInContext(text, realm), clocks };
}

test('a clocked function tells how long it ran, with what it called and alone; recursion counts once', () => {
  const page = run();
  assert.equal(page.eval('sum(3)'), 6);
  assert.equal(page.eval('new Shape().area'), 4);
  assert.throws(() => page.eval('new Shape().fail()'), /failed/);
  const clocks = page.clocks();
  assert.deepEqual({ ...clocks.get(idOf('(n) {')) }, { ms: 40, own: 40, calls: 1 });
  assert.deepEqual({ ...clocks.get(idOf('() { return n')) }, { ms: 30, own: 0, calls: 1 });
  assert.deepEqual({ ...clocks.get(idOf('() { tick(1)')) }, { ms: 1, own: 1, calls: 1 });
  assert.deepEqual({ ...clocks.get(idOf('() { tick(2)')) }, { ms: 2, own: 2, calls: 1 });
});

test('what ran before the workload has its input does not count', () => {
  const page = run();
  page.eval('sum(3); fetch("input.json"); sum(1)');
  assert.deepEqual({ ...page.clocks().get(idOf('(n) {')) }, { ms: 20, own: 20, calls: 1 });
});

test('functions that pause, and those without a block, have no clock', () => {
  assert.deepEqual(
    functions.filter((one) => !canHaveClock(one)).map(({ line }) => line),
    [3, 4, 5],
  );
});

test('a clocked function is known by its place in the changed script', () => {
  const changed = withClocks(CODE, functions, able);
  const own = functionsIn(changed).slice(-functions.length);
  const places = [...clockedPlaces(changed)].map(([place, id]) => {
    const { line, column } = own[id];
    return [place, `${line}:${column}`];
  });
  assert.equal(places.length, able.length);
  for (const [found, expected] of places) assert.equal(found, expected);
});
