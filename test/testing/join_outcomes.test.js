import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinOutcomes } from '../../testing/join_outcomes.js';

/**
 * Samples of functions at times; null: idle.
 * @param {number} timeOrigin
 * @param {[number, string | null][]} samples
 */
function outcome(timeOrigin, samples) {
  const names = [...new Set(samples.flatMap(([, name]) => name ?? []))];
  return {
    trace: {
      resources: ['http://a.test/app.js'],
      frames: names.map((name) => ({ name, resourceId: 0, line: 1, column: 1 })),
      stacks: names.map((_, frameId) => ({ frameId })),
      samples: samples.map(([timestamp, name]) => ({
        timestamp,
        ...(name !== null && { stackId: names.indexOf(name) }),
      })),
    },
    mode: 'flag',
    losses: { lateTicks: 1 },
    sampleInterval: 1,
    url: 'http://a.test/',
    userAgent: 'Mozilla',
    timeOrigin,
  };
}

/** @param {import('../../report/reading/check_trace.js').ProfilerTrace} trace */
const seen = ({ samples, stacks, frames }) =>
  samples.map(({ timestamp, stackId }) => [
    timestamp,
    stackId === undefined ? null : frames[stacks[stackId].frameId].name,
  ]);

test('documents follow each other, and nothing runs in between', () => {
  const { trace, details } = joinOutcomes([
    outcome(1000, [
      [5, 'f'],
      [6, 'g'],
    ]),
    outcome(1100, [[5, 'f']]),
  ]);
  assert.deepEqual(seen(trace), [
    [5, 'f'],
    [6, 'g'],
    [7, null],
    [105, 'f'],
  ]);
  assert.deepEqual(details.losses, { lateTicks: 2 });
});

test('parts of one document are one: what both have is there once, and what it was left for is idle', () => {
  const { trace } = joinOutcomes([
    outcome(1000, [
      [5, 'f'],
      [6, 'f'],
      [7, 'g'],
    ]),
    outcome(1000, [
      [6, 'f'],
      [7, 'g'],
      [8, 'g'],
    ]),
    outcome(1000, [[500, 'g']]),
  ]);
  assert.deepEqual(seen(trace), [
    [5, 'f'],
    [6, 'f'],
    [7, 'g'],
    [8, 'g'],
    [9, null],
    [500, 'g'],
  ]);
});

test('what several documents have of stacks, frames and scripts is in their joined trace once', () => {
  const { trace } = joinOutcomes([outcome(0, [[1, 'f']]), outcome(10, [[1, 'g']]), outcome(20, [[1, 'f']])]);
  const counts = [trace.resources, trace.frames, trace.stacks].map(({ length }) => length);
  assert.deepEqual(counts, [1, 2, 2]);
});
