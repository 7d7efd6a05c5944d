import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { assertRegular, assertTrue, profileGroundTruth } from './lib/ground_truth.js';
import { instrumentedPages } from './lib/instrumented.js';
import { profileBusy } from './lib/on_time.js';
import { folded, IDLE, selfShares } from './lib/trace.js';

const folders = { '/': instrumentedPages() };
const serve = { folders, isolated: false };

/** Time that is located in dense code stands for a hundred times as much. So does a pause of the machine, and in a short session that would be all that is seen. */
const SESSION_MS = 16_000;

eachEngine(
  'without isolation there is a sample per interval, each function has its true share of them, within 2 points, and no worker runs',
  { path: '/ground_truth.html', serve },
  async ({ page, server }) => {
    const outcome = await profileGroundTruth(page, SESSION_MS);
    assert.equal(outcome.mode, 'self-timed');
    assertRegular(outcome);
    assertTrue([outcome], { samples: 10_000, points: 2 });
    assert.ok(!server.requests.some(({ path }) => path.includes('worker')));
  },
);

eachEngine(
  'without isolation a function that calls many short ones and then works itself has its time',
  { path: '/tight.html', serve },
  async ({ page }) => {
    const { trace, share } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      let calling = Infinity;
      for (let i = 0; i < 5; i++) {
        const start = performance.now();
        callsThenWorks(200, 1000, 0);
        calling = Math.min(calling, performance.now() - start);
      }
      const profiler = await performance.profile({ sampleInterval: 1 });
      const start = performance.now();
      callsThenWorks(5000, 1000, 1e6);
      const elapsed = performance.now() - start;
      return { trace: await profiler.stop(), share: 1 - (40 * calling) / elapsed };
    });
    const measured = selfShares(trace).callsThenWorks ?? 0;
    // Calls are dearer while they are profiled. A tick in one is located seldom, and then stands for about a hundred.
    assert.ok(share > 0.85 && measured > 0.75, `${measured}, true ${share}\n${folded(trace)}`);
  },
);

eachEngine(
  'without isolation an idle page gives samples without a stack, and a full buffer is announced',
  { path: '/ground_truth.html', serve },
  async ({ page }) => {
    const trace = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 5, maxBufferSize: 60 });
      await new Promise((resolve) => profiler.addEventListener('samplebufferfull', resolve));
      return profiler.stop();
    });
    assert.equal(trace.samples.length, 60);
    assert.ok(trace.samples.every((sample) => !('stackId' in sample)));
    assert.ok((selfShares(trace)[IDLE] ?? 0) > 0.95, folded(trace));
  },
);

eachEngine(
  'where a policy allows no worker, install({ worker: false }) samples without',
  { path: '/busy.html', serve: { folders, csp: "worker-src 'none'" } },
  async ({ page }) => {
    const { mode, trace } = await profileBusy(page, 'busy', { worker: false });
    assert.equal(mode, 'self-timed');
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  },
);

eachEngine(
  'a session without isolation raises no flag of quiet functions, and after it nothing is armed',
  { path: '/busy.html', serve },
  async ({ page }) => {
    const flags = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      const during = [...__polyprof__.f.slice(0, 8)];
      await profiler.stop();
      // The sampler is gone before another one starts.
      await (await performance.profile({ sampleInterval: 1 })).stop();
      await new Promise((resolve) => setTimeout(resolve));
      return { during, after: [...__polyprof__.f.slice(0, 8)] };
    });
    assert.deepEqual(flags, { during: [1, 1, 1, 1, 0, 0, 0, 0], after: Array(8).fill(0) });
  },
);
