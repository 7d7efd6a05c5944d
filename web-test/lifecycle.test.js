import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';

/** Runs in the page: counts what it makes and what of that is gone again. */
function countResources() {
  const counts = { workers: 0, endedWorkers: 0, listeners: 0, timers: 0, memories: 0 };
  const PageWorker = Worker;
  globalThis.Worker = class extends PageWorker {
    constructor(...args) {
      super(...args);
      counts.workers++;
    }
    terminate() {
      super.terminate();
      counts.endedWorkers++;
    }
  };
  for (const target of [globalThis, document]) {
    const { addEventListener, removeEventListener } = target;
    target.addEventListener = function (...args) {
      counts.listeners++;
      return addEventListener.apply(this, args);
    };
    target.removeEventListener = function (...args) {
      counts.listeners--;
      return removeEventListener.apply(this, args);
    };
  }
  const running = new Set();
  const { setInterval, clearInterval } = globalThis;
  globalThis.setInterval = (...args) => {
    const timer = setInterval(...args);
    running.add(timer);
    return timer;
  };
  globalThis.clearInterval = (timer) => {
    running.delete(timer);
    clearInterval(timer);
  };
  const PageMemory = WebAssembly.Memory;
  globalThis.memories = [];
  WebAssembly.Memory = class extends PageMemory {
    constructor(...args) {
      super(...args);
      counts.memories++;
    }
  };
  globalThis.resources = () => ({
    ...counts,
    timers: running.size,
    hook: Reflect.ownKeys(__polyprof__).length,
  });
}

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
