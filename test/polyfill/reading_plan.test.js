import assert from 'node:assert/strict';
import test from 'node:test';
import { ReadingPlan, WINDOW } from '../../polyfill/capture/reading_plan.js';

/**
 * Functions that are entered and left at a constant rate: two checks each.
 * @param {ReadingPlan} plan @param {number} start ms @param {number} ms @param {number} checksPerMs
 * @param {{step?: number, interval?: number}} [clock] its step, and the time between ticks, ms; by default there is a tick at each step, and all that can be afforded is read
 */
function run(plan, start, ms, checksPerMs, { step = 1e-3, interval = 1e-3 } = {}) {
  let [reads, located, estimate] = [0, 0, 0];
  const calls = Math.round((ms * checksPerMs) / 2);
  let toEnter = WINDOW;
  let isInGap = false;
  for (let call = 1; call <= calls; call++) {
    if (!isInGap) {
      located += 2;
      estimate += 2 * plan.odds;
    }
    reads++;
    isInGap = false;
    if (--toEnter > 0) {
      reads++;
      continue;
    }
    const now = start + (2 * call) / checksPerMs;
    const gap = plan.next(Math.floor(now / step) * step, interval);
    toEnter = WINDOW;
    if (gap === 0) {
      reads++;
      continue;
    }
    call += gap - 1;
    isInGap = true;
    toEnter++;
  }
  return { checks: 2 * calls, reads, located, estimate };
}

test('code of few calls looks at the clock at each check', () => {
  const { checks, reads } = run(new ReadingPlan(0), 0, 1000, 50);
  assert.equal(reads, checks);
});

test('code of many calls looks at one check in 75, once what was saved is used up', () => {
  for (const checksPerMs of [5_000, 50_000, 300_000]) {
    const plan = new ReadingPlan(0);
    const first = run(plan, 0, 1, checksPerMs);
    assert.ok(first.reads < 2_500 + first.checks / 75, `${first.reads} reads in the first ms`);
    const { checks, reads, located } = run(plan, 1, 200, checksPerMs);
    assert.ok(reads <= checks / 73, `${reads} of ${checks}`);
    assert.ok(located > reads * 0.85, `${located} of ${reads} locate an interval`);
  }
});

test('no more checks look than a session needs: sixteen per ms, and one that finds the clock advanced per tick', () => {
  for (const [checksPerMs, step, interval, expected] of [
    [1_000, 0.1, 10, 26],
    [1_000, 0.1, 100, 17],
    [4_000, 0.1, 10, 56],
    [1_000, 0.1, 1, 64],
    [1_000, 1, 10, 64],
    [200, 1, 10, 36],
    [50, 0.1, 1000, 16],
    [12, 0.1, 1000, 12],
  ]) {
    const plan = new ReadingPlan(0);
    run(plan, 0, 100, checksPerMs, { step, interval });
    const { reads } = run(plan, 100, 2000, checksPerMs, { step, interval });
    const told = `${reads / 2000} reads per ms of ${checksPerMs} checks, ${step} ms, ${interval} ms`;
    assert.ok(Math.abs(reads / 2000 / expected - 1) < 0.1, told);
  }
});

test('the odds say how many intervals a located one stands for', () => {
  for (const checksPerMs of [50, 100, 300, 2_000, 50_000]) {
    const plan = new ReadingPlan(0);
    run(plan, 0, 20, checksPerMs);
    const { checks, estimate } = run(plan, 20, 500, checksPerMs);
    assert.ok(Math.abs(estimate / checks - 1) < 0.05, `${checksPerMs}/ms: ${estimate} for ${checks}`);
  }
});

test('a short burst of calls is looked at whole, from what was saved', () => {
  const plan = new ReadingPlan(0);
  run(plan, 0, 50, 10);
  const { checks, reads } = run(plan, 50, 0.01, 100_000);
  assert.equal(reads, checks);
});

test('after many calls come few, and each check looks again', () => {
  const plan = new ReadingPlan(0);
  run(plan, 0, 50, 100_000);
  run(plan, 50, 40, 20);
  const { checks, reads } = run(plan, 90, 100, 20);
  assert.equal(reads, checks);
});

test('from any moment in a gap it is as far to the next window', () => {
  const plan = new ReadingPlan(0);
  run(plan, 0, 1, 100_000);
  const mean = (plan.odds - 1) * WINDOW;
  const trials = 60_000;
  const longerThan = [0, 0, 0, 0];
  for (let i = 0; i < trials; i++) {
    const gap = plan.next(1, 1);
    for (let n = 0; n < longerThan.length; n++) if (gap > n * mean) longerThan[n]++;
  }
  for (let n = 1; n < longerThan.length; n++) {
    const share = longerThan[n] / longerThan[n - 1];
    assert.ok(Math.abs(share - 1 / Math.E) < 0.03, `${n} times the mean: ${longerThan}`);
  }
});
