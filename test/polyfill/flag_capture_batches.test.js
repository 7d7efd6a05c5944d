import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbePoint } from '../../wasm/core.js';

// The polyfill takes the engine for SpiderMonkey, by what its errors have.
globalThis.Error = /** @type {any} */ (
  class extends Error {
    fileName = '';
  }
);
const { page } = await import('./told_page.js');

test('where errors keep nothing else, stacks are read when somebody asks, or when many of them wait', () => {
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
