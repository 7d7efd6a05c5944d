import assert from 'node:assert/strict';
import { evenSamples } from '../../report/reading/even_samples.js';
import { onTime } from './on_time.js';
import { folded, selfShares } from './trace.js';

/**
 * Runs the page that knows the truth under our profiler.
 * @param {import('./browsers.js').Page} page at ground_truth.html
 * @param {number} ms
 * @returns {Promise<any>}
 */
export function profileGroundTruth(page, ms) {
  return page.evaluate(async (ms) => {
    const page = /** @type {any} */ (globalThis);
    page.polyprof.install({ force: true });
    const profiler = await page.performance.profile({ sampleInterval: 1, maxBufferSize: 1e6 });
    const start = performance.now();
    const { truth, wall } = await page.runGroundTruth(ms);
    const elapsed = performance.now() - start;
    const trace = await profiler.stop();
    return { trace, truth, wall, elapsed, losses: profiler.losses, mode: profiler.mode };
  }, ms);
}

/**
 * The same when the machine had a processor for the worker, too.
 * @param {import('./browsers.js').Page} page
 * @param {number} ms
 * @param {number} late share of the ticks, at most
 */
export function profileGroundTruthOnTime(page, ms, late) {
  return onTime(() => profileGroundTruth(page, ms), late);
}

/**
 * A sample per interval of 1 ms, in order.
 * @param {any} outcome of `profileGroundTruth`
 */
export function assertRegular({ trace, elapsed }) {
  const ratio = trace.samples.length / elapsed;
  assert.ok(Math.abs(ratio - 1) <= 0.05, `${trace.samples.length} samples in ${elapsed} ms`);
  for (let i = 1; i < trace.samples.length; i++) {
    assert.ok(trace.samples[i].timestamp > trace.samples[i - 1].timestamp, `sample ${i}`);
  }
  const { extraSamples, unseenMs } = evenSamples(trace);
  assert.deepEqual({ extraSamples, unseenMs }, { extraSamples: 0, unseenMs: 0 });
}

/**
 * @param {any[]} outcomes of `profileGroundTruth`, taken together
 * @param {{samples: number, points: number}} limits at least so many samples; each function's share within so many points
 */
export function assertTrue(outcomes, { samples, points }) {
  const sum = (/** @type {(outcome: any) => number} */ valueOf) =>
    outcomes.reduce((all, outcome) => all + valueOf(outcome), 0);
  const taken = sum(({ trace }) => trace.samples.length);
  assert.ok(taken >= samples, `only ${taken} samples`);
  const wall = sum((outcome) => outcome.wall);
  const shares = new Map(outcomes.map(({ trace }) => [trace, selfShares(trace)]));
  const rows = Object.keys(outcomes[0].truth).map((name) => ({
    name,
    truth: (100 * sum(({ truth }) => truth[name])) / wall,
    measured: (100 * sum(({ trace }) => trace.samples.length * (shares.get(trace)?.[name] ?? 0))) / taken,
  }));
  const text = rows
    .map((r) => `${r.name} truth ${r.truth.toFixed(2)} measured ${r.measured.toFixed(2)}`)
    .join('\n');
  const losses = JSON.stringify(outcomes.map(({ losses }) => losses));
  for (const { truth, measured } of rows) {
    assert.ok(
      Math.abs(truth - measured) <= points,
      `${text}\n${losses}\n${folded(outcomes[0].trace).slice(0, 4000)}`,
    );
  }
}
