import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockOrder, measureInBlocks } from './blocks.js';

test('each variant comes twice in a block, mirrored, and each block starts with another', () => {
  assert.deepEqual(blockOrder(['a', 'b', 'c'], 0), ['a', 'b', 'c', 'c', 'b', 'a']);
  assert.deepEqual(blockOrder(['a', 'b', 'c'], 4), ['b', 'c', 'a', 'a', 'c', 'b']);
});

test('measurements are by variant and block, in their order', async () => {
  let last = 0;
  const counted = await measureInBlocks(['a', 'b'], 2, () => ++last);
  assert.deepEqual(Object.fromEntries(counted), {
    a: [
      [1, 4],
      [6, 7],
    ],
    b: [
      [2, 3],
      [5, 8],
    ],
  });
});
