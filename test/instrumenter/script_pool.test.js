import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ResultCache } from '../../instrumenter/result_cache.js';
import { instrumentScripts } from '../../instrumenter/command/script_pool.js';

/** A calibration of a large program, and scripts of it that are worth threads. */

/** @type {import('../../instrumenter/budget/calibration.js').Calibration} */
const CALIBRATION = { version: 1, selfTime: 'measured', busyMs: 10_000, sources: {} };
for (let source = 0; source < 400; source++) {
  CALIBRATION.sources[`${source}.js`] = Array.from({ length: 50 }, (_, index) => [
    `f${index}`,
    `s${index}`,
    1000 * index,
    100 * index,
  ]);
}
const TASKS = Array.from({ length: 150 }, (_, index) => ({
  code: `function f1() { g() } // ${'x'.repeat(7000)}`,
  name: `${index}.js`,
  folder: '/',
  root: '/',
  probe: 'flag',
  minWeight: 0,
  budget: 0.01,
  sources: { include: [], exclude: [] },
  sourceMap: false,
  inputMap: null,
}));

test('what a calibration leaves out is decided once in each thread, not for each script', async () => {
  const cpuMs = async (/** @type {number} */ threads) => {
    const before = process.cpuUsage();
    /** @type {any[]} */
    const results = [];
    const options = { threads, calibration: structuredClone(CALIBRATION) };
    await instrumentScripts(TASKS, options, (index, result) => void (results[index] = result));
    assert.equal(results.filter(({ code }) => /__ppF/.test(code)).length, TASKS.length);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  // The first run compiles the code.
  await cpuMs(1);
  const [alone, threads] = [await cpuMs(1), await cpuMs(2)];
  // Two threads have to start, and to compile it anew.
  assert.ok(threads < 3 * alone + 3000, `${threads} ms, alone ${alone} ms`);
});

test('a calibration is read once for the keys of all results, which differ by it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'polyprof-cache-'));
  t.after(() => rmSync(folder, { recursive: true }));
  let readings = 0;
  const calibration = { ...CALIBRATION, toJSON: () => ({ ...CALIBRATION, readings: ++readings }) };
  const cache = new ResultCache(folder, calibration);
  const result = /** @type {any} */ ({ code: 'x' });
  for (const task of TASKS.slice(0, 3)) cache.write(task, result);
  assert.deepEqual(cache.read(TASKS[2]), result);
  assert.equal(readings, 1);
  assert.equal(new ResultCache(folder, { ...CALIBRATION, busyMs: 1 }).read(TASKS[2]), null);
  assert.equal(new ResultCache(folder).read(TASKS[2]), null);
});
