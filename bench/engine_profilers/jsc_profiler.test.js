import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceOf } from './jsc_profiler.js';

const frame = (/** @type {string} */ name, line = -1, column = -1, url = '') => ({ name, line, column, url });

test("a profile of Web Inspector is a trace: equal stacks are one, and built-in functions are their callers' time", () => {
  const outer = frame('outer', 1, 10, 'http://a/x.js');
  const inner = frame('', 3, 1, 'http://a/y.js');
  const stacks = [[outer], [frame('sort'), outer], [inner, frame('map'), outer], [frame('InjectedScript')]];
  assert.deepEqual(traceOf(stacks.map((stackFrames) => ({ stackFrames }))), {
    resources: ['http://a/x.js', 'http://a/y.js'],
    frames: [
      { name: 'outer', resourceId: 0, line: 1, column: 10 },
      { name: '', resourceId: 1, line: 3, column: 1 },
    ],
    stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }],
    samples: [
      { timestamp: 0, stackId: 0 },
      { timestamp: 1, stackId: 0 },
      { timestamp: 2, stackId: 1 },
      { timestamp: 3 },
    ],
  });
});
