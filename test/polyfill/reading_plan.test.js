import assert from 'node:assert/strict';
import test from 'node:test';
import { ReadingPlan, WINDOW } from '../../polyfill/capture/reading_plan.js';

/**
 * Checks at a constant rate.
 * @param {ReadingPlan} plan @param {number} start ms @param {number} ms @param {number} checksPerMs
 */
function run(plan, start, ms, checksPerMs) {
  let [reads, located, estimate] = [0, 0, 0];
  const checks = Math.round(ms * checksPerMs);
  let looksLeft = WINDOW;
  for (let check = 1, adjacent = false; check <= checks; check++) {
    if (adjacent) {
      located++;
      estimate += plan.odds;
    }
    reads++;
    adjacent = true;
    if (--looksLeft === 0) {
      looksLeft = WINDOW;
      check += plan.next(start + check / checksPerMs, false);
      adjacent = plan.odds === 1;
    }
  }
  return { checks, reads, located, estimate };
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

test('after a window that was cut short every check is as likely to look as any other', () => {
  const plan = new ReadingPlan(0);
  const quarters = [0, 0, 0, 0, 0, 0];
  const trials = 60_000;
  for (let i = 0; i < trials; i++) {
    const checks = plan.next(0, true);
    const gap = plan.odds * (WINDOW - 1) - WINDOW;
    quarters[Math.min(Math.floor((4 * checks) / gap), 5)]++;
  }
  // A gap is from a half to one and a half of its mean: so many are that long that the moment is in it, and the next window so far.
  const expected = [0.25, 0.25, 0.21875, 0.15625, 0.09375, 0.03125];
  expected.forEach((share, i) => {
    assert.ok(Math.abs(quarters[i] / trials - share) < 0.01, quarters.map((n) => n / trials).join());
  });
});
