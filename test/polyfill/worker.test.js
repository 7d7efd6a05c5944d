import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { cellsOf, LIFE, SAMPLING, SEEN, SINCE, TICK, WAKE } from '../../polyfill/sampling/cells.js';
import { comesTrue } from '../../polyfill/sampling/comes_true.js';
import { coreModule, newCore, traceOf } from '../wasm/load_core.js';
import { HELD, HOLD, NOW } from './lib/held_worker.js';

/** The worker that samples the shadow stack, beside a page and a clock of the test's. */

const PATIENCE_MS = 10_000;

/** @param {import('node:test').TestContext} t */
async function startWorker(t) {
  const { core, memory } = await newCore();
  const control = new Int32Array(new SharedArrayBuffer(12));
  const cells = cellsOf(memory);
  cells[SAMPLING] = cells[LIFE] = 1;
  const worker = new Worker(new URL('lib/held_worker.js', import.meta.url), { workerData: control });
  t.after(() => worker.terminate());
  const flags = new Int8Array(new SharedArrayBuffer(64));
  worker.postMessage({ module: coreModule(), memory, seat: core.seat(), flags, timeOrigin: 0, life: 1 });
  assert.deepEqual(await once(worker, 'message'), ['ready']);

  const becomes = async (/** @type {() => boolean} */ condition) =>
    assert.ok(await comesTrue(condition, PATIENCE_MS), String(condition));
  const wake = () => {
    Atomics.add(cells, WAKE, 1);
    Atomics.notify(cells, WAKE);
  };
  return {
    core,
    /** @param {number} ms */
    setClock: (ms) => Atomics.store(control, NOW, ms),
    wake,
    /** @param {number} tick */
    watchFrom: (tick) => Atomics.store(cells, SINCE, tick),
    /** @param {number} tick */
    hasTold: (tick) => becomes(() => Atomics.load(cells, TICK) === tick),
    stopNext: () => Atomics.store(control, HOLD, 1),
    isStopped: () => becomes(() => Atomics.load(control, HELD) === 1),
    /** @param {number} session that ends now, at 50 ms, before the worker goes on @returns {Promise<number>} how many it has */
    async samplesOfEnded(session) {
      Atomics.store(control, NOW, 50);
      core.closeSession(session, 50);
      wake();
      Atomics.store(control, HOLD, 0);
      Atomics.notify(control, HOLD);
      await becomes(() => Atomics.load(cells, SEEN) === Atomics.load(cells, WAKE) && !core.isBusy);
      return traceOf(core, session).samples.length;
    },
  };
}

test('a session that ends after the worker looked at the clock has all its samples, however long it is stopped there', async (t) => {
  const page = await startWorker(t);
  const session = page.core.openSession(1, 1000, 0);
  page.wake();
  page.setClock(5);
  await page.hasTold(5);
  page.stopNext();
  await page.isStopped();
  assert.equal(await page.samplesOfEnded(session), 50);
});

for (const [hasAnswered, which] of /** @type {const} */ ([
  [true, 'so has one that also began after that'],
  [false, 'also where the worker had not answered before'],
])) {
  test(which, async (t) => {
    const page = await startWorker(t);
    page.stopNext();
    page.wake();
    await page.isStopped();
    page.setClock(10);
    const session = page.core.openSession(1, 1000, 10);
    if (hasAnswered) page.watchFrom(10);
    page.wake();
    assert.equal(await page.samplesOfEnded(session), 40);
  });
}
