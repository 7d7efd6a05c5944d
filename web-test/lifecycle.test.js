import assert from 'node:assert/strict';
import { countResources } from './lib/count_resources.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';

for (const [probe, isolated] of [
  ['flag', true],
  ['shadow', true],
  ['flag', false],
]) {
  const folders = { '/': instrumentedPages(probe) };
  eachEngine(
    `${probe} probes${isolated ? '' : ', no isolation'}: 100 profilers one after the other leave no worker, listener, timer or memory behind`,
    { path: '/busy.html', serve: { folders, isolated } },
    async ({ page }) => {
      await page.evaluate(countResources);
      const { before, after, bytes } = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const cycle = async () => {
          const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 1000 });
          busy(2);
          await profiler.stop();
        };
        const quiet = async () => {
          const { workers, endedWorkers } = resources();
          if (workers !== endedWorkers) await new Promise((resolve) => setTimeout(resolve, 10)).then(quiet);
        };
        // The first ones fill what stays: the engine's caches, the core's place in the page's memory.
        for (let i = 0; i < 5; i++) await cycle();
        await quiet();
        const size = () => __polyprof__.m?.buffer.byteLength ?? 0;
        const [before, bytes] = [resources(), [size()]];
        for (let i = 0; i < 100; i++) await cycle();
        await quiet();
        bytes.push(size());
        return { before, after: resources(), bytes };
      });
      const uses = isolated ? 100 : 0;
      assert.deepEqual(after, {
        ...before,
        workers: before.workers + uses,
        endedWorkers: before.endedWorkers + uses,
        memories: before.memories + (probe === 'shadow' ? 0 : 100),
      });
      assert.equal(bytes[1], bytes[0], 'the shared memory did not grow');
    },
  );
}
