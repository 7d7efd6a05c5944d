import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { assertInlineScripts } from './lib/inline_scripts.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime, profileBusy } from './lib/on_time.js';
import { folded, framesOf, selfShares } from './lib/trace.js';

const folders = { '/': instrumentedPages('shadow') };
const serve = { folders };

eachEngine(
  'a stack 5,000 deep is there from end to end',
  { path: '/tight.html', serve },
  async ({ page }) => {
    const trace = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      for (let i = 0; i < 100; i++) recursive(5000, 1e6);
      return profiler.stop();
    });
    const depths = trace.samples.map(({ stackId }) => {
      const frames = framesOf(trace, stackId);
      return frames[0]?.name === 'bottom' ? frames.length : 0;
    });
    assert.ok(
      depths.filter((depth) => depth === 5002).length > trace.samples.length / 2,
      folded(trace).slice(-500),
    );
  },
);

eachEngine(
  'a worker that is late to wake up loses nothing, also if the session has ended by then',
  { path: '/busy.html', serve },
  async ({ page }) => {
    const sessions = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const spin = URL.createObjectURL(new Blob(["postMessage(''); for (;;);"]));
      const spinning = Array.from({ length: 4 }, () => new Worker(spin));
      await Promise.all(
        spinning.map((worker) => new Promise((resolve) => worker.addEventListener('message', resolve))),
      );
      const sessions = [];
      for (let woken = 0; woken < 10 && sessions.length < 20;) {
        const profiler = await performance.profile({ sampleInterval: 1 });
        const begin = performance.now();
        busy(50);
        const { samples } = await profiler.stop();
        const { lateTicks, lostTicks, workerlessTicks } = profiler.losses;
        const givenUp = lostTicks + workerlessTicks;
        if (givenUp === 0) woken++;
        const delay = samples[0]?.timestamp - begin;
        sessions.push({ delay, samples: samples.length, lateTicks, givenUp });
      }
      for (const worker of spinning) worker.terminate();
      return sessions;
    });
    const told = JSON.stringify(sessions);
    // One that gets no processor for longer than stop() waits, or as if the machine had slept, is given up, and that is counted.
    const woken = sessions.filter(({ givenUp }) => givenUp === 0);
    assert.equal(woken.length, 10, told);
    for (const { delay, samples } of woken) assert.ok(delay < 3 && samples >= 45, told);
    for (const { samples, givenUp } of sessions) assert.ok(samples + givenUp >= 45, told);
  },
);

eachEngine(
  'a thread that never comes back to a probe is sampled at every tick',
  { path: '/tight.html', serve },
  async ({ page }) => {
    const { trace, losses, ms } = await onTime(() =>
      page.evaluate(async () => {
        polyprof.install({ force: true });
        recursive(0, 1e7);
        const profiler = await performance.profile({ sampleInterval: 1 });
        const start = performance.now();
        recursive(0, 3e8);
        const ms = performance.now() - start;
        return { ms, trace: await profiler.stop(), losses: profiler.losses };
      }),
    );
    assert.ok(selfShares(trace).bottom > 0.9, folded(trace));
    assert.ok(losses.filledTicks <= losses.lateTicks, JSON.stringify({ ms, losses }));
  },
);

eachEngine(
  'a second session in the same page knows the functions too',
  { path: '/busy.html', serve },
  async ({ page }) => {
    for (let session = 0; session < 3; session++) {
      const { trace } = await profileBusy(page);
      assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
    }
  },
);

eachEngine(
  'scripts of one page that were built one by one are told apart, at their places',
  { path: '/inline.html', serve },
  async ({ page }) => assertInlineScripts(page),
);

eachEngine('a buffer that is full ends the session', { path: '/busy.html', serve }, async ({ page }) => {
  const trace = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 50 });
    const full = new Promise((resolve) => profiler.addEventListener('samplebufferfull', resolve));
    busy(200);
    await full;
    return profiler.stop();
  });
  assert.equal(trace.samples.length, 50);
});

eachEngine(
  'what follows a full buffer is not late, and is nothing lost',
  { path: '/busy.html', serve, atOnce: true },
  async ({ page }) => {
    const { samples, losses } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 50 });
      const full = new Promise((resolve) => profiler.addEventListener('samplebufferfull', resolve));
      busy(100);
      await full;
      // The worker is called up once in a second.
      for (const end = performance.now() + 2500; performance.now() < end;) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const { samples } = await profiler.stop();
      return { samples: samples.length, losses: profiler.losses };
    });
    assert.equal(samples, 50);
    assert.ok(losses.lateTicks < 1000, JSON.stringify(losses));
    assert.deepEqual([losses.lostTicks, losses.workerlessTicks], [0, 0]);
  },
);

eachEngine(
  'garbage in the shared array is counted, and neither the page nor the trace breaks',
  { path: '/busy.html', serve },
  async ({ page }) => {
    const { trace, losses } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      const cells = globalThis.__polyprof__.d;
      const end = performance.now() + 300;
      for (let i = 1; performance.now() < end; i = (Math.imul(i, 1664525) + 1013904223) | 0) {
        cells[(i >>> 8) % 4096] = i;
        cells[0] = i & 256 ? i : (i >>> 12) % 40_000;
      }
      const trace = await profiler.stop();
      return { trace, losses: profiler.losses };
    });
    assert.ok(losses.garbledStacks > 0, JSON.stringify(losses));
    // Random stacks thousands of functions deep fill the core's memory; what is lost by that is counted.
    assert.ok(trace.samples.length + losses.lostTicks > 280, `${trace.samples.length} samples`);
    const next = await profileBusy(page);
    assert.ok(selfShares(next.trace).hotLoop > 0.5, folded(next.trace));
  },
);

eachEngine(
  'without isolation the page runs, and profile() rejects and names the headers and the other probe',
  { path: '/busy.html', serve: { folders, isolated: false } },
  async ({ page }) => {
    const { name, message, heat } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const heat = busy(20);
      const error = await performance.profile({ sampleInterval: 10 }).catch((error) => error);
      return { name: error.name, message: error.message, heat };
    });
    assert.equal(name, 'NotSupportedError');
    assert.match(message, /Cross-Origin-Opener-Policy.*Cross-Origin-Embedder-Policy.*--probe flag/);
    assert.equal(typeof heat, 'number');
  },
);
