import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, medianInterval } from './statistics.js';

test('the interval holds the median and is as narrow as the data', () => {
  assert.equal(median([3, 1, 2, 10]), 2.5);
  assert.deepEqual(medianInterval([7, 7, 7]), [7, 7]);
  const [low, high] = medianInterval([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.ok(low >= 1 && low < 5 && high > 5 && high <= 9, `${low} to ${high}`);
});
