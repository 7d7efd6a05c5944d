import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime } from './lib/on_time.js';
import { folded } from './lib/trace.js';

eachEngine(
  'the worker has the clock of the page, also when the system’s clock is set while it starts',
  { path: '/busy.html', serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page }) => {
    const measure = (/** @type {number} */ setBy) =>
      page.evaluate(async (setBy) => {
        // As WebKit does when the clock is set: here, once the worker is made, and before it looks at its own time origin.
        const { get } = Object.getOwnPropertyDescriptor(Performance.prototype, 'timeOrigin') ?? {};
        let workers = 0;
        Object.defineProperty(performance, 'timeOrigin', {
          configurable: true,
          get: () => get?.call(performance) - (workers === 0 ? setBy : 0),
        });
        globalThis.Worker = class extends Worker {
          constructor(/** @type {[string, object]} */ ...of) {
            super(...of);
            workers++;
          }
        };
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        await new Promise((resolve) => setTimeout(resolve, 20));
        const begin = performance.now();
        busy(200);
        const ms = performance.now() - begin;
        return { trace: await profiler.stop(), losses: profiler.losses, ms };
      }, setBy);
    for (const setBy of [200, -200]) {
      const { trace, ms } = await onTime(() => measure(setBy));
      const ran = trace.samples.filter(({ stackId }) => stackId !== undefined).length;
      assert.ok(Math.abs(ran - ms) < 50, `set by ${setBy}: ${ran} samples in ${ms} ms\n${folded(trace)}`);
    }
  },
);
