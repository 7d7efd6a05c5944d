import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';

eachEngine(
  '32 profilers sample at once, each at its own rate; one more is refused, and has its place when one stops',
  { path: '/busy.html', serve: { folders: { '/': instrumentedPages() } } },
  async ({ page }) => {
    const { counts, span, refusals, again } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const intervals = Array.from({ length: 32 }, (_, i) => 1 + i);
      const profilers = await Promise.all(
        intervals.map((sampleInterval) => performance.profile({ sampleInterval, maxBufferSize: 100_000 })),
      );
      const start = performance.now();
      const refusals = [];
      try {
        new Profiler({ sampleInterval: 1, maxBufferSize: 1 });
      } catch (error) {
        refusals.push(`${error.name}: ${error.message}`);
      }
      await performance.profile({ sampleInterval: 1 }).catch((error) => refusals.push(error.name));
      for (let i = 0; i < 30; i++) {
        busy(20);
        await new Promise((resolve) => setTimeout(resolve));
      }
      const span = performance.now() - start;
      const traces = await Promise.all(profilers.map((profiler) => profiler.stop()));
      const again = new Profiler({ sampleInterval: 1, maxBufferSize: 1 });
      await again.stop();
      return { counts: traces.map(({ samples }) => samples.length), span, refusals, again: again.stopped };
    });
    assert.deepEqual(refusals, [
      'QuotaExceededError: polyprof: 32 profilers sample: stop() one',
      'QuotaExceededError',
    ]);
    assert.equal(again, true);
    counts.forEach((count, i) => {
      const due = span / (i + 1);
      assert.ok(count >= due * 0.8 - 2 && count <= due * 1.1 + 2, `every ${i + 1} ms: ${count} of ${due}`);
    });
  },
);
