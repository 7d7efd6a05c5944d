import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime } from './lib/on_time.js';
import { folded } from './lib/trace.js';

/** WebKit reckons a time origin anew each time, from two clocks, between which a busy machine may stop the thread. */
eachEngine(
  'the worker has the clock of the page, also when one look at a time origin is wrong',
  { path: '/busy.html', serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page }) => {
    const measure = (/** @type {number} */ wrong) =>
      page.evaluate(async (wrong) => {
        const { get } = Object.getOwnPropertyDescriptor(Performance.prototype, 'timeOrigin') ?? {};
        let looks = 0;
        Object.defineProperty(performance, 'timeOrigin', {
          configurable: true,
          get: () => get?.call(performance) - (++looks === wrong ? 200 : 0),
        });
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        await new Promise((resolve) => setTimeout(resolve, 20));
        const begin = performance.now();
        busy(200);
        const ms = performance.now() - begin;
        return { trace: await profiler.stop(), losses: profiler.losses, ms };
      }, wrong);
    for (const wrong of [1, 2, 3]) {
      const { trace, ms } = await onTime(() => measure(wrong));
      const ran = trace.samples.filter(({ stackId }) => stackId !== undefined).length;
      assert.ok(Math.abs(ran - ms) < 50, `look ${wrong}: ${ran} samples in ${ms} ms\n${folded(trace)}`);
    }
  },
);
