import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { folded, selfShares } from './lib/trace.js';

const periodicPage = { path: '/periodic.html', serve: { folders: { '/': instrumentedPages() } } };

/** Distances between the samples of a full buffer at 10 ms. @param {import('./lib/each_engine.js').Page} page @param {object} options of `install` */
function steps(page, options) {
  return page.evaluate(async (options) => {
    polyprof.install({ force: true, ...options });
    const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 160 });
    await new Promise((resolve) => profiler.addEventListener('samplebufferfull', resolve));
    const { samples } = await profiler.stop();
    return samples.slice(1).map(({ timestamp }, i) => timestamp - samples[i].timestamp);
  }, options);
}

/**
 * Profiles a function that runs for 3 ms in each 10 ms, right between two multiples of the session's interval. By the page's own clock: a
 * busy machine may wake the worker when the page does something else already.
 * @param {import('./lib/each_engine.js').Page} page
 */
function profilePeriodic(page) {
  return page.evaluate(async () => {
    polyprof.install({ force: true, worker: false });
    // All sessions count from the first one's begin.
    const first = new Profiler({ sampleInterval: 10, maxBufferSize: 41 });
    await new Promise((resolve) => first.addEventListener('samplebufferfull', resolve));
    const second = await performance.profile({ sampleInterval: 10 });
    const { samples } = await first.stop();
    const mean = samples.reduce((sum, { timestamp }, i) => sum + timestamp - 10 * i, 0) / samples.length;
    const truth = periodic((((mean + 3.5) % 10) + 10) % 10, 404);
    return { truth, trace: await second.stop() };
  });
}

eachEngine(
  'samples are an interval apart, a tenth of it more or less',
  { ...periodicPage, atOnce: true },
  async ({ page }) => {
    const distances = await steps(page, {});
    for (const distance of distances) assert.ok(distance > 8.8 && distance < 11.2, `${distance} ms`);
    assert.ok(Math.min(...distances) < 9.3, `at least ${Math.min(...distances)} ms`);
    assert.ok(Math.max(...distances) > 10.7, `at most ${Math.max(...distances)} ms`);
    const sum = distances.reduce((total, distance) => total + distance, 0);
    assert.ok(Math.abs(sum - 10 * distances.length) < 12, `${sum} ms`);
  },
);

eachEngine(
  'without jitter samples are exactly an interval apart',
  { ...periodicPage, atOnce: true },
  async ({ page }) => {
    for (const distance of await steps(page, { jitter: false })) {
      assert.ok(Math.abs(distance - 10) < 0.01, `${distance} ms`);
    }
  },
);

eachEngine('work as periodic as the samples is seen in its true share', periodicPage, async ({ page }) => {
  const { truth, trace } = await profilePeriodic(page);
  const share = selfShares(trace).works ?? 0;
  assert.ok(Math.abs(share - truth) < 0.08, `${share}, truly ${truth}\n${folded(trace)}`);
});
