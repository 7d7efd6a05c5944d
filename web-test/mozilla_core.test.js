import assert from 'node:assert/strict';
import { LOCK_OFFSET } from './lib/core_lock.js';
import { countResources } from './lib/count_resources.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';

eachEngine(
  'of a worker that is stopped inside the core the page learns nothing but that the newest samples come later',
  { path: '/plain.html', serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page }) => {
    const { before, during, stopped, after, kept, stoppedAt, last } = await page.evaluate(
      async (lockOffset) => {
        const { Profiler } = await import('/dist/polyprof-mozilla.mjs');
        const older = new Profiler();
        older.start(1000);
        await older.ready;
        busy(150);
        const before = older.results().samples;
        const lock = new Int32Array(globalThis.__polyprof__.m.buffer, lockOffset, 1);
        while (Atomics.compareExchange(lock, 0, 0, 1) !== 0);
        const attached = older.frame();
        const during = older.results().samples;
        older.stop();
        const stoppedAt = performance.now() * 1000;
        const stopped = older.results().samples;
        Atomics.store(lock, 0, 0);
        Atomics.notify(lock, 0);
        busy(100);
        const samples = older.samples();
        return {
          before,
          during,
          stopped,
          after: samples.length,
          kept: JSON.stringify(attached),
          stoppedAt,
          last: samples.at(-1).micros,
        };
      },
      LOCK_OFFSET,
    );
    assert.ok(before > 50, `${before} samples`);
    assert.deepEqual([during, stopped, kept], [0, 0, '{}']);
    assert.ok(after >= before, `${before} samples before, ${after} after`);
    assert.ok(last <= stoppedAt, `sampled at ${last} µs, stopped at ${stoppedAt}`);
  },
);

eachEngine(
  'a profiler that was stopped while the core could not be had ends by itself when it can',
  { path: '/plain.html', serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page }) => {
    await page.evaluate(countResources);
    const { samples, sampling } = await page.evaluate(async (lockOffset) => {
      const { Profiler } = await import('/dist/polyprof-mozilla.mjs');
      const older = new Profiler();
      older.start(1000);
      await older.ready;
      const sampling = resources().endedWorkers;
      busy(100);
      const lock = new Int32Array(globalThis.__polyprof__.m.buffer, lockOffset, 1);
      while (Atomics.compareExchange(lock, 0, 0, 1) !== 0);
      older.stop();
      Atomics.store(lock, 0, 0);
      Atomics.notify(lock, 0);
      while (resources().endedWorkers < 1) await new Promise((resolve) => setTimeout(resolve));
      return { samples: older.results().samples, sampling };
    }, LOCK_OFFSET);
    assert.equal(sampling, 0);
    assert.ok(samples > 50, `${samples} samples`);
  },
);
