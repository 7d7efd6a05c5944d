import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceOf } from './v8_profiler.js';

const node = (
  /** @type {number} */ id,
  /** @type {string} */ functionName,
  /** @type {number[]} */ children = [],
  url = '',
  lineNumber = -1,
  columnNumber = -1,
) => ({ id, children, callFrame: { functionName, url, lineNumber, columnNumber } });

test("a profile of DevTools is a trace: places count from 1, built-in functions are their callers' time", () => {
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
    traceOf({ nodes, samples: [3, 5, 6, 7, 4, 2], timeDeltas: [1000, 1000, 500, 500, 1000, 1000] }),
    {
      resources: ['http://a/x.js', 'http://a/y.js'],
      frames: [
        { name: 'outer', resourceId: 0, line: 1, column: 10 },
        { name: 'compare', resourceId: 1, line: 3, column: 1 },
      ],
      stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }],
      samples: [
        { timestamp: 2, stackId: 0 },
        { timestamp: 2.5, stackId: 0 },
        { timestamp: 3, stackId: 1 },
        { timestamp: 4 },
        { timestamp: 5 },
      ],
    },
  );
});
