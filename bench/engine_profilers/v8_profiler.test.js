import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCounts } from '../../report/traces/sample_counts.js';
import { traceOf, weighted, within } from './v8_profiler.js';

const node = (
  /** @type {number} */ id,
  /** @type {string} */ functionName,
  /** @type {number[]} */ children = [],
  url = '',
  lineNumber = -1,
  columnNumber = -1,
) => ({ id, children, callFrame: { functionName, url, lineNumber, columnNumber } });

test("a profile of DevTools is a trace: places count from 1, built-in functions are their callers' time, and garbage collection is of what ran before", () => {
  const nodes = [
    node(1, '(root)', [2, 3, 4, 5]),
    node(2, '(program)'),
    node(3, '(idle)'),
    node(4, '(garbage collector)'),
    node(5, 'outer', [6], 'http://a/x.js', 0, 9),
    node(6, 'sort', [7]),
    node(7, 'compare', [], 'http://a/y.js', 2, 0),
  ];
  assert.deepEqual(
    traceOf({
      nodes,
      samples: [3, 5, 6, 7, 4, 2],
      timeDeltas: [1000, 1000, 500, 500, 1000, 1000],
      startTime: 7000,
    }),
    {
      resources: ['http://a/x.js', 'http://a/y.js'],
      frames: [
        { name: 'outer', resourceId: 0, line: 1, column: 10 },
        { name: 'compare', resourceId: 1, line: 3, column: 1 },
      ],
      stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }],
      samples: [
        { timestamp: 9, stackId: 0 },
        { timestamp: 9.5, stackId: 0 },
        { timestamp: 10, stackId: 1 },
        { timestamp: 11, stackId: 1 },
        { timestamp: 12 },
      ],
    },
  );
});

const trace = (/** @type {number[]} */ times) => ({
  resources: [],
  frames: [],
  stacks: [],
  samples: times.map((timestamp) => ({ timestamp })),
});

test('samples before and after two times are left out', () => {
  assert.deepEqual(within(trace([1, 2, 3, 4]), 2, 3).samples, [{ timestamp: 2 }, { timestamp: 3 }]);
});

test('a sample counts for the time around it; uneven ones are worth fewer', () => {
  const counts = sampleCounts(weighted(trace([0, 1, 5, 6])));
  const sum = counts.reduce((total, count) => total + count, 0);
  assert.deepEqual(
    counts.map((count) => Math.round((12 * count) / sum)),
    [1, 5, 5, 1],
  );
  // Spans of 0.5, 2.5, 2.5 and 0.5: the square of their sum over the sum of their squares.
  assert.equal(sum.toFixed(6), (36 / 13).toFixed(6));
});
