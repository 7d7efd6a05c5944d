import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atSameMoments } from './same_moments.js';

/** @param {[timestamp: number, stackId?: number][]} samples */
const traceOf = (samples) => ({
  resources: [],
  frames: [],
  stacks: [],
  samples: samples.map(([timestamp, stackId]) =>
    stackId === undefined ? { timestamp } : { timestamp, stackId },
  ),
});

test('each sample with a stack meets the other profiler’s nearest one, with or without a stack', () => {
  const often = traceOf([[10, 0], [11], [12, 1], [13, 2]]);
  const seldom = traceOf([[9, 0], [10, 0], [10.8, 1], [11.4], [12.6, 2], [13, 0], [14, 0]]);
  const moments = atSameMoments(often, seldom);
  assert.deepEqual(moments.often.samples, traceOf([[10, 0], [11], [13, 2], [13, 2]]).samples);
  assert.deepEqual(
    moments.seldom.samples,
    traceOf([
      [10, 0],
      [10.8, 1],
      [12.6, 2],
      [13, 0],
    ]).samples,
  );
});

test('a profiler that saw nothing has nothing in common', () => {
  assert.deepEqual(atSameMoments(traceOf([]), traceOf([[1, 0]])).seldom.samples, []);
});
