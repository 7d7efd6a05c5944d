import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutHidden } from '../../polyfill/extra/hidden_scripts.js';

const TRACE = {
  resources: ['https://h/own.js', 'https://other/lib.js'],
  frames: [
    { name: 'main', resourceId: 0, line: 1, column: 2 },
    { name: 'lib', resourceId: 1, line: 3, column: 4 },
    { name: 'inner', resourceId: 1, line: 5, column: 6 },
    { name: 'callback', resourceId: 0, line: 7, column: 8 },
    { name: 'unknown' },
  ],
  stacks: [
    { frameId: 0 }, // main
    { frameId: 1, parentId: 0 }, // main;lib
    { frameId: 2, parentId: 1 }, // main;lib;inner
    { frameId: 3, parentId: 2 }, // main;lib;inner;callback
    { frameId: 3, parentId: 0 }, // main;callback
    { frameId: 1 }, // lib
    { frameId: 4, parentId: 2 }, // main;lib;inner;unknown
  ],
  samples: [
    { timestamp: 1, stackId: 3, marker: 'script' },
    { timestamp: 2, stackId: 4 },
    { timestamp: 3 },
    { timestamp: 4, stackId: 5 },
    { timestamp: 5, stackId: 6 },
  ],
};

/** @param {string[]} hidden @param {boolean} marks */
function filtered(hidden, marks) {
  const json = withoutHidden(new TextEncoder().encode(JSON.stringify(TRACE)), new Set(hidden), marks);
  return JSON.parse(new TextDecoder().decode(json));
}

test('frames of hidden scripts are left out, and what then is the same stack is one', () => {
  const trace = filtered(['https://other/lib.js'], false);
  assert.deepEqual(trace, {
    resources: ['https://h/own.js'],
    frames: [
      { name: 'main', resourceId: 0, line: 1, column: 2 },
      { name: 'callback', resourceId: 0, line: 7, column: 8 },
      { name: 'unknown' },
    ],
    stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }, { frameId: 2, parentId: 0 }],
    samples: [
      { timestamp: 1, marker: 'script', stackId: 1 },
      { timestamp: 2, stackId: 1 },
      { timestamp: 3 },
      { timestamp: 4 },
      { timestamp: 5, stackId: 2 },
    ],
  });
});

test('marked, one frame stands for a run of them, however deep it is', () => {
  const trace = filtered(['https://other/lib.js'], true);
  assert.deepEqual(trace.frames, [
    { name: 'main', resourceId: 0, line: 1, column: 2 },
    { name: 'unknown' },
    { name: 'callback', resourceId: 0, line: 7, column: 8 },
  ]);
  assert.deepEqual(trace.stacks, [
    { frameId: 0 },
    { frameId: 1, parentId: 0 },
    { frameId: 2, parentId: 1 },
    { frameId: 2, parentId: 0 },
    { frameId: 1 },
  ]);
  const stackIds = trace.samples.map((/** @type {any} */ { stackId }) => stackId);
  assert.deepEqual(stackIds, [2, 3, undefined, 4, 1]);
});

test('without hidden scripts a trace stays as it is', () => {
  assert.deepEqual(filtered([], false), TRACE);
});
