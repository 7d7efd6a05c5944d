import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceOf } from './gecko_profiler.js';

const SITE = 'http://127.0.0.1:1';

test("a profile of Firefox is a trace of the thread with the page's scripts: by functions, on the page's clock, and what is no script's is of its callers", () => {
  const thread = {
    samples: {
      schema: { stack: 0, time: 1 },
      data: [
        [null, 10],
        [1, 11.5],
        [3, 12],
        [0, 13],
      ],
    },
    stackTable: {
      schema: { prefix: 0, frame: 1 },
      data: [
        [null, 0],
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    },
    frameTable: {
      schema: { location: 0, line: 1 },
      data: [
        [0, null],
        [1, 5],
        [1, 9],
        [2, null],
      ],
    },
    stringTable: ['(root)', `a.b (${SITE}/x.js:2:30)[7]`, 'Array.prototype.sort'],
  };
  const other = { ...thread, stringTable: ['(root)', 'f (chrome://browser/x.js:1:1)', ''] };
  const profile = {
    meta: { startTime: 1_000 },
    threads: [other],
    processes: [{ meta: { startTime: 1_100 }, threads: [thread], processes: [] }],
  };
  assert.deepEqual(traceOf(profile, SITE, 1_090), {
    resources: [`${SITE}/x.js`],
    frames: [{ name: 'a.b', resourceId: 0, line: 2, column: 30 }],
    stacks: [{ frameId: 0 }, { frameId: 0, parentId: 0 }],
    samples: [
      { timestamp: 20 },
      { timestamp: 21.5, stackId: 0 },
      { timestamp: 22, stackId: 1 },
      { timestamp: 23 },
    ],
  });
});

test('a function without a name, and one with parentheses in its name, have their places', () => {
  const locations = [`${SITE}/x.js:1:2`, `get (x) (${SITE}/y.js?a=(b):3:4)[12]`, `${SITE}/x.js[22]`];
  const thread = {
    samples: { schema: { stack: 0, time: 1 }, data: [] },
    stackTable: { schema: { prefix: 0, frame: 1 }, data: locations.map((_, i) => [null, i]) },
    frameTable: { schema: { location: 0 }, data: locations.map((_, i) => [i]) },
    stringTable: locations,
  };
  const { frames, resources } = traceOf(
    { meta: { startTime: 0 }, threads: [thread], processes: [] },
    SITE,
    0,
  );
  assert.deepEqual(
    frames.map(({ name, line, column }) => [name, line, column]),
    [
      ['', 1, 2],
      ['get (x)', 3, 4],
    ],
  );
  assert.deepEqual(resources, [`${SITE}/x.js`, `${SITE}/y.js?a=(b)`]);
});
