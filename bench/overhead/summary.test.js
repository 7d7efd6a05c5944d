import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speeds } from './summary.js';

test('the summary is the geometric mean over what was not refused, and names the slowest', () => {
  const row = (/** @type {number} */ ratio) => [{ name: 'flag', ratio, interval: [1, 1], ratios: [] }];
  const of = (/** @type {string} */ workload, /** @type {number} */ ratio, /** @type {string} */ refusal) =>
    /** @type {any} */ ({ engine: 'webkit', workload, rows: row(ratio), refusal });
  const text = speeds([of('a', 2, ''), of('b', 0.5, ''), of('c', 9, 'too noisy')]);
  assert.match(text, /^\| flag \| 1\.000 \(a 0\.500; 2\) \|$/m);
});
