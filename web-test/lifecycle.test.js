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

eachEngine(
  'after a profiler whose buffer became full in the task that stops it, the next one samples at once',
  { path: '/busy.html', serve: { folders: { '/': instrumentedPages() } } },
  async ({ page }) => {
    const waits = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const waits = [];
      for (let i = 0; i < 5; i++) {
        const full = await performance.profile({ sampleInterval: 1, maxBufferSize: 50 });
        busy(200);
        await full.stop();
        const start = performance.now();
        const next = await performance.profile({ sampleInterval: 1 });
        waits.push(performance.now() - start);
        await next.stop();
      }
      return waits;
    });
    // For so long the page waits for a worker that does not answer.
    const slow = waits.filter((ms) => ms > 1500);
    assert.ok(slow.length < 3, `ms: ${waits}`);
  },
);

eachEngine(
  'who keeps a profiler, or sends its trace when the page closes, does not keep the memory that it sampled into',
  { path: '/busy.html', serve: { folders: { '/': instrumentedPages() } }, only: ['chromium'] },
  async ({ page }) => {
    await page.evaluate(async () => {
      polyprof.install({ force: true });
      globalThis.kept = [];
      globalThis.memories = [];
      const { Memory } = WebAssembly;
      WebAssembly.Memory = function (options) {
        const memory = new Memory(options);
        memories.push(new WeakRef(memory));
        return memory;
      };
      for (let i = 0; i < 5; i++) {
        const profiler = await performance.profile({ sampleInterval: 1 });
        kept.push(profiler);
        await polyprof.sendOnHide(profiler, '/closed').ready;
        busy(20);
        await profiler.stop();
      }
    });
    const devtools = await /** @type {NonNullable<typeof page.devtools>} */ (page.devtools)();
    let left = NaN;
    for (let tries = 0; tries < 200 && left !== 0; tries++) {
      await devtools.send('HeapProfiler.collectGarbage');
      left = await page.evaluate(() => memories.filter((memory) => memory.deref()).length);
    }
    assert.deepEqual([left, await page.evaluate(() => memories.length)], [0, 5]);
    const states = await page.evaluate(() => kept.map(({ mode, losses }) => [mode, typeof losses.lostTicks]));
    assert.deepEqual(states[0], ['flag', 'number']);
  },
);
