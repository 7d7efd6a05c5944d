import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime } from './lib/on_time.js';
import { folded } from './lib/trace.js';

for (const probe of /** @type {const} */ (['flag', 'shadow'])) {
  const folders = { '/': instrumentedPages(probe, []) };
  eachEngine(
    `${probe}: what small functions take that only the event loop calls is not idle time`,
    { path: '/frames.html', serve: { folders } },
    async ({ page }) => {
      const measure = () =>
        page.evaluate(async () => {
          polyprof.install({ force: true });
          const profiler = await performance.profile({ sampleInterval: 1 });
          await runTimers(50);
          return { trace: await profiler.stop(), losses: profiler.losses };
        });
      const { trace, losses } = await onTime(measure);
      const busy = trace.samples.filter(({ stackId }) => stackId !== undefined).length;
      // A tick that is due while a function runs and comes after it finds the page idle.
      const late = losses.lateTicks + losses.workerlessTicks;
      assert.ok(busy + late > 450, `${busy} busy and ${late} late of 500: ${folded(trace)}`);
    },
  );
}
