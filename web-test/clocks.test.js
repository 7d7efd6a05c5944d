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
        busy(200);
        return { trace: await profiler.stop(), losses: profiler.losses };
      }, wrong);
    for (const wrong of [1, 2, 3]) {
      const { trace } = await onTime(() => measure(wrong));
      const ran = trace.samples.filter(({ stackId }) => stackId !== undefined).length;
      assert.ok(ran > 150 && ran < 250, `look ${wrong}: ${folded(trace)}`);
    }
  },
);
