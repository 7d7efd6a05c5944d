import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { assertRegular, assertTrue, profileGroundTruthOnTime } from './lib/ground_truth.js';
import { instrumentedPages } from './lib/instrumented.js';

/** In isolated pages, where a worker keeps the time: whatever else the machine does beside them keeps it waiting. */

eachEngine(
  'with flag probes there is a sample per interval, and each function has its true share of them, within 2 points',
  { path: '/ground_truth.html', serve: { folders: { '/': instrumentedPages() } } },
  async ({ page }) => {
    const outcome = await profileGroundTruthOnTime(page, 6000, 0.1);
    assertRegular(outcome);
    assertTrue([outcome], { samples: 5000, points: 2 });
  },
);

eachEngine(
  'with shadow probes there is a sample per ms under load, and each function has its true share of them, within 1 point',
  { path: '/ground_truth.html', serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page }) => {
    const outcomes = [];
    // Not in one go: a machine that has no processor for the worker now and then spoils one of them, not all.
    for (let i = 0; i < 4; i++) outcomes.push(await profileGroundTruthOnTime(page, 2600, 0.03));
    for (const outcome of outcomes) {
      assert.equal(outcome.mode, 'shadow');
      assertRegular(outcome);
    }
    assertTrue(outcomes, { samples: 10_000, points: 1 });
  },
);
