import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Paths, ROOT } from '../../polyfill/mozilla/paths.js';
import { Statistics } from '../../polyfill/mozilla/statistics.js';
import { TickRuns } from '../../polyfill/mozilla/tick_runs.js';

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
  const pathsOf = (/** @type {import('../../polyfill/mozilla/paths.js').Trace} */ trace) => {
    const pathOf = paths.of(trace);
    return trace.stacks.map((_, id) => pathOf(id));
  };
  const first = pathsOf({
    resources: ['https://h/a.js'],
    frames: [frame('f'), frame('g')],
    stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }],
    samples: [],
  });
  const second = pathsOf({
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

test('a function that is called from two places has two paths; sites that are not those of the stack are none', () => {
  const paths = new Paths();
  const pathOf = paths.of({
    resources: [],
    frames: [{ name: 'f' }, { name: 'g' }],
    stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }],
    samples: [],
  });
  const [inside, first, second] = [7, 3, 4].map((line) => ({ line, column: 5 }));
  const found = [[inside, first], [inside, second], [second, first], [inside], undefined].map((sites) =>
    pathOf(1, sites),
  );
  assert.deepEqual(found, [1, 2, 1, 3, 3]);
  assert.deepEqual(
    [0, 1, 2, 3].map((path) => paths.siteOf(path)),
    [null, first, second, null],
  );
  assert.deepEqual(
    [1, 2, 3].map((path) => paths.callerOf(path)),
    [0, 0, 0],
  );
});

const looksArbitrary = fc.array(
  fc.record({ from: fc.integer({ min: -4, max: 4 }), ticks: fc.nat(6), value: fc.nat(2) }),
);

test('each tick has what was seen at it first, and nothing where nobody looked', () => {
  fc.assert(
    fc.property(looksArbitrary, fc.nat(40), (looks, forgotten) => {
      const runs = new TickRuns();
      /** @type {number[]} by tick */
      const expected = [];
      let end = 0;
      for (const { from, ticks, value } of looks) {
        const after = Math.max(0, end + from);
        const last = after + ticks;
        runs.add(after, last, value);
        for (let tick = after + 1; tick <= last; tick++) expected[tick] ??= tick > end ? value : 0;
        if (ticks > 0) end = Math.max(end, last);
      }
      runs.forgetBefore(forgotten);
      for (let tick = forgotten; tick <= end + 2; tick++) assert.equal(runs.at(tick), expected[tick] ?? 0);
    }),
  );
});
