import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfTime } from '../../instrumenter/calibrate/self_time.js';

const URL = 'http://localhost/page.js';

/** @param {number} id @param {string} functionName @param {number[]} [children] @param {number} [line] in the script; without, it is the engine's own */
const node = (id, functionName, children = [], line) => ({
  id,
  callFrame: {
    functionName,
    url: line === undefined ? '' : URL,
    lineNumber: (line ?? 0) - 1,
    columnNumber: line === undefined ? -1 : 0,
  },
  children,
});

const busy = /** @type {any} */ ({ line: 3, column: 1, key: { source: 'page.js', name: 'busy', shape: '' } });
const functions = new Map([[URL, [busy]]]);

/** 1 ms idle, 4 ms in `busy`, 2 of them in a built-in; 1 ms of the browser's own. */
const profile = {
  nodes: [
    node(1, '(root)', [2, 3, 5]),
    node(2, '(idle)'),
    node(3, 'busy', [4], 3),
    node(4, 'push'),
    node(5, '(program)'),
  ],
  samples: [2, 3, 4, 5, 2],
  timeDeltas: [0, 1000, 2000, 2000, 1000],
};

test('what is idle is not busy, and a built-in counts as its caller', () => {
  const { busyUs, selfUs } = selfTime(profile, functions);
  assert.equal(busyUs, 5000);
  assert.deepEqual([...selfUs], [[busy, 4000]]);
});

test('time in which a page waited for a processor is left out evenly, where it is known', () => {
  const { busyUs, selfUs } = selfTime(profile, functions, 2500);
  assert.equal(busyUs, 2500);
  assert.deepEqual([...selfUs], [[busy, 2000]]);
});

test('a processor time that is longer than the profile changes nothing', () => {
  const { busyUs, selfUs } = selfTime(profile, functions, 9000);
  assert.equal(busyUs, 5000);
  assert.deepEqual([...selfUs], [[busy, 4000]]);
});

test('an empty profile has no time, whatever the processor did', () => {
  assert.equal(selfTime({ nodes: [] }, functions, 9000).busyUs, 0);
});
