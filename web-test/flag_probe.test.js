import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { profileGroundTruth } from './lib/ground_truth.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime } from './lib/on_time.js';
import { folded, framesOf, IDLE, selfShares } from './lib/trace.js';

const serve = { folders: { '/': instrumentedPages() } };
const groundTruth = { path: '/ground_truth.html', serve };

eachEngine(
  'a stack is the chain of callers, with positions of definitions',
  groundTruth,
  async ({ page }) => {
    const { trace } = await profileGroundTruth(page, 1000);
    const leaf = trace.samples.find(({ stackId }) => framesOf(trace, stackId)[0]?.name === 'throws');
    assert.ok(leaf, folded(trace));
    const frames = framesOf(trace, leaf.stackId);
    assert.deepEqual(
      frames.map(({ name }) => name),
      ['throws', 'throughWhichItFlies', 'catches', 'cycle', ...frames.slice(4).map(({ name }) => name)],
    );
    for (const { name, resourceId, line, column } of frames.slice(0, 3)) {
      const url = trace.resources[resourceId];
      const source = await page.evaluate(async (url) => (await fetch(url)).text(), url);
      const text = source.split('\n')[line - 1];
      assert.ok(
        text.slice(0, column - 1).endsWith(`function ${name}`),
        `${name} at ${url}:${line}:${column}`,
      );
      assert.equal(text[column - 1], '(');
    }
  },
);

eachEngine(
  'idle time before an async function is not charged to it, and it appears once',
  { path: '/busy.html', serve },
  async ({ page }) => {
    const { trace } = await onTime(() =>
      page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        await new Promise((resolve) => setTimeout(resolve, 300));
        await new Promise((resolve) => setTimeout(() => resolve(busyAsync(100)), 0));
        return { trace: await profiler.stop(), losses: profiler.losses };
      }),
    );
    const shares = selfShares(trace);
    assert.ok(shares[IDLE] > 0.5 && shares.hotLoop > 0.1 && !(shares.busyAsync > 0.05), folded(trace));
    const names = trace.samples.map(({ stackId }) => framesOf(trace, stackId).map(({ name }) => name));
    const hot = names.find(([leaf]) => leaf === 'hotLoop');
    assert.deepEqual(hot.slice(0, 2), ['hotLoop', 'busyAsync']);
    assert.notEqual(hot[2], 'busyAsync');
  },
);

eachEngine('two sessions at once each get their own rate', groundTruth, async ({ page }) => {
  const { rates } = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const profilers = [
      await performance.profile({ sampleInterval: 10, maxBufferSize: 1e5 }),
      await performance.profile({ sampleInterval: 14.2, maxBufferSize: 1e5 }),
    ];
    const start = performance.now();
    await runGroundTruth(4000);
    const elapsed = performance.now() - start;
    const traces = await Promise.all(profilers.map((profiler) => profiler.stop()));
    return {
      rates: traces.map((trace, i) => ({
        interval: profilers[i].sampleInterval,
        ratio: (trace.samples.length * profilers[i].sampleInterval) / elapsed,
        steps: trace.samples.slice(1).map((sample, j) => sample.timestamp - trace.samples[j].timestamp),
      })),
    };
  });
  assert.deepEqual(
    rates.map(({ interval }) => interval),
    [10, 15],
  );
  for (const { interval, ratio, steps } of rates) {
    assert.ok(Math.abs(ratio - 1) <= 0.05, `${interval} ms: ${ratio}`);
    // A tenth of the interval, in whole ticks, and that of a tick.
    const jitter = Math.ceil(interval / 10) + 0.2;
    for (const step of steps)
      assert.ok(Math.abs(step - interval) < jitter, `${interval} ms: a step of ${step}`);
  }
});

eachEngine('an idle page gives samples without a stack', groundTruth, async ({ page }) => {
  const trace = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const profiler = await performance.profile({ sampleInterval: 5 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    return profiler.stop();
  });
  assert.ok(trace.samples.length >= 90, `${trace.samples.length} samples`);
  assert.ok((selfShares(trace)[IDLE] ?? 0) > 0.95, folded(trace));
  assert.ok(trace.samples.every((sample) => !('stackId' in sample) || sample.stackId !== undefined));
});

eachEngine(
  'a stack deeper than the engine tells is cut at its root end, and counted',
  { path: '/tight.html', serve },
  async ({ page }) => {
    const { trace, losses } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 5 });
      for (let i = 0; i < 30; i++) recursive(2000, 5e6);
      return { trace: await profiler.stop(), losses: profiler.losses };
    });
    assert.ok(selfShares(trace).bottom > 0.5, folded(trace));
    assert.ok(losses.truncatedStacks > 0, JSON.stringify(losses));
  },
);

eachEngine(
  'a stack that is told whole is not counted as cut',
  { path: '/tight.html', serve },
  async ({ page }) => {
    const losses = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      for (let i = 0; i < 30; i++) recursive(60, 5e6);
      await profiler.stop();
      return profiler.losses;
    });
    assert.equal(losses.truncatedStacks, 0);
  },
);
