import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { speeds } from './lib/report.js';
import { selectedEngines } from '../web-test/lib/browsers.js';

const BENCH = fileURLToPath(new URL('overhead.js', import.meta.url));

test(
  'a quick bench runs each variant in each engine, and all compute the same',
  { timeout: 240_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [BENCH, '--quick']);
    for (const engine of selectedEngines()) assert.match(stdout, new RegExp(`^${engine}, preact: `, 'm'));
  },
);

test('a quick bench in turns runs each variant in each engine', { timeout: 240_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, '--quick', '--turns']);
  for (const engine of selectedEngines()) assert.match(stdout, new RegExp(`^${engine}, preact: `, 'm'));
});

test('a quick bench in Node runs what nobody samples', { timeout: 240_000 }, async () => {
  const options = ['--quick', '--in-node', '--workloads', 'preact,startup'];
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, ...options]);
  for (const workload of ['preact', 'startup']) assert.match(stdout, new RegExp(`^node, ${workload}: `, 'm'));
});

test('a workload or engine that there is not is told with those that there are', async () => {
  await assert.rejects(promisify(execFile)(process.execPath, [BENCH, '--workloads', 'octane']), (error) => {
    const { code, stderr } = /** @type {any} */ (error);
    assert.equal(code, 2);
    assert.match(stderr, /^--workloads has 'octane': it takes typescript, planck, marked, preact, objects, /);
    return true;
  });
});

test('a bench in Node is told to go without what only browsers have', async () => {
  await assert.rejects(promisify(execFile)(process.execPath, [BENCH, '--in-node', '--turns']), (error) => {
    const { code, stderr } = /** @type {any} */ (error);
    assert.deepEqual([code, stderr.split(':')[0]], [2, '--in-node goes without --turns and --engines']);
    return true;
  });
});

test('the summary is the geometric mean over what was not refused, and names the slowest', () => {
  const row = (/** @type {number} */ ratio) => [{ name: 'flag', ratio, interval: [1, 1], ratios: [] }];
  const of = (/** @type {string} */ workload, /** @type {number} */ ratio, /** @type {string} */ refusal) =>
    /** @type {any} */ ({ engine: 'webkit', workload, rows: row(ratio), refusal });
  const text = speeds([of('a', 2, ''), of('b', 0.5, ''), of('c', 9, 'too noisy')]);
  assert.match(text, /^\| flag \| 1\.000 \(a 0\.500; 2\) \|$/m);
});
