import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

test('a bench in Node is told to go without what only browsers have', async () => {
  await assert.rejects(promisify(execFile)(process.execPath, [BENCH, '--in-node', '--turns']), (error) => {
    const { code, stderr } = /** @type {any} */ (error);
    assert.equal(code, 2);
    assert.match(stderr, /^error: --in-node goes without --turns and --engines: /);
    return true;
  });
});
