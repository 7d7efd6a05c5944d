import assert from 'node:assert/strict';
import { LOCK_OFFSET, rememberCoreLock } from './lib/core_lock.js';
import { countResources } from './lib/count_resources.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';

eachEngine(
  'of a worker that is stopped inside the core the page learns nothing but that the newest samples come later',
  { path: '/plain.html', serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page }) => {
    await page.evaluate(rememberCoreLock, LOCK_OFFSET);
    const { before, during, stopped, after, kept, stoppedAt, last } = await page.evaluate(async () => {
      const { Profiler } = await import('/dist/polyprof-mozilla.mjs');
      const older = new Profiler();
      older.start(1000);
      await older.ready;
      // The worker may have no processor for a while.
      for (let i = 0; i < 20 && older.results().samples <= 50; i++) busy(150);
      const before = older.results().samples;
      coreLock.take();
      const attached = older.frame();
      const during = older.results().samples;
      older.stop();
      const stoppedAt = performance.now() * 1000;
      const stopped = older.results().samples;
      coreLock.give();
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
    });
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
    await page.evaluate(rememberCoreLock, LOCK_OFFSET);
    const { samples, sampling } = await page.evaluate(async () => {
      const { Profiler } = await import('/dist/polyprof-mozilla.mjs');
      const older = new Profiler();
      older.start(1000);
      await older.ready;
      const sampling = resources().endedWorkers;
      busy(100);
      coreLock.take();
      older.stop();
      coreLock.give();
      while (resources().endedWorkers < 1) await new Promise((resolve) => setTimeout(resolve));
      return { samples: older.results().samples, sampling };
    });
    assert.equal(sampling, 0);
    assert.ok(samples > 50, `${samples} samples`);
  },
);
