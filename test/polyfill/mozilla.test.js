import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Paths, ROOT } from '../../polyfill/mozilla/paths.js';
import { Statistics } from '../../polyfill/mozilla/statistics.js';

test('statistics of any numbers are those of the list of them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 })), (values) => {
      const statistics = new Statistics();
      values.forEach((value) => statistics.insert(value));
      const { count, min, max, mean } = statistics;
      const sum = values.reduce((all, value) => all + value, 0);
      const expected =
        values.length > 0 ? [Math.min(...values), Math.max(...values), sum / values.length] : [NaN, NaN, NaN];
      assert.deepEqual([count, min, max, mean], [values.length, ...expected]);
    }),
  );
});

test('statistics refuse what is no number', () => {
  for (const value of [NaN, Infinity, '1', undefined]) {
    assert.throws(() => new Statistics().insert(/** @type {any} */ (value)), TypeError);
  }
});

test('paths of several traces have one numbering', () => {
  const paths = new Paths();
  const frame = (/** @type {string} */ name) => ({ name, resourceId: 0, line: 1, column: 2 });
  const first = paths.ofStacks({
    resources: ['https://h/a.js'],
    frames: [frame('f'), frame('g')],
    stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }],
    samples: [],
  });
  const second = paths.ofStacks({
    resources: ['https://h/a.js'],
    frames: [frame('g'), { name: 'native' }, frame('f')],
    stacks: [{ frameId: 2 }, { frameId: 1, parentId: 0 }, { frameId: 0, parentId: 0 }],
    samples: [],
  });
  assert.deepEqual(
    [first, second],
    [
      [0, 1],
      [0, 2, 1],
    ],
  );
  assert.deepEqual([paths.callerOf(2), paths.callerOf(0)], [0, ROOT]);
  assert.deepEqual(paths.stackOf(2), [
    { name: 'f', file: 'https://h/a.js', line: 1, column: 2 },
    { name: 'native', file: '', line: 0, column: 0 },
  ]);
});
