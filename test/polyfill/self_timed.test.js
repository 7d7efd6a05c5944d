import assert from 'node:assert/strict';
import test from 'node:test';
import { SelfTimed } from '../../polyfill/self_timed.js';
import { ProbePoint } from '../../wasm/core.js';

/** What looking at the clock costs, ms. */
const LOOK_MS = 120e-6;

/**
 * A page of one function that calls a leaf many times and then works itself, in a time of its own: the clock goes on by what is
 * said here, and by each look at it.
 * @param {{resolution: number, calls: number, leafMs: number, workMs: number, rounds: number}} options
 * @returns {{measured: number, truth: number, unlocated: number}} the leaf's share, and ticks that were not located
 */
function profile({ resolution, calls, leafMs, workMs, rounds }) {
  let time = 0;
  /** @type {SelfTimed | undefined} */
  let sampler;
  const performance = globalThis.performance;
  Object.defineProperty(globalThis, 'performance', {
    configurable: true,
    value: {
      now() {
        time += LOOK_MS / 2;
        const now = Math.floor(time / resolution) * resolution;
        time += LOOK_MS / 2;
        return now;
      },
    },
  });
  try {
    const hook = /** @type {any} */ ({ f: new Int8Array(64) });
    const core = /** @type {any} */ ({
      tickAt: Math.floor,
      longestWaitTicks: () => 1,
      msUntilNextTick: (/** @type {number} */ now) => Math.floor(now) + 1 - now,
    });
    /** @type {Record<number, number>} by point */
    const ticks = { [ProbePoint.ENTER]: 0, [ProbePoint.LEAVE]: 0 };
    const attribution = /** @type {any} */ ({
      lost: 0,
      add: (/** @type {any} */ { point, after, last }) => (ticks[point] += last - after),
    });
    sampler = new SelfTimed(hook, core, attribution);
    sampler.arm();
    sampler.replan();
    let inLeaf = 0;
    const leaf = () => {
      hook.e();
      time += leafMs;
      inLeaf += leafMs;
      hook.l();
    };
    for (let round = 0; round < rounds; round++) {
      for (let call = 0; call < calls; call++) leaf();
      time += workMs;
    }
    sampler.look(ProbePoint.ENTER, 0);
    assert.equal(attribution.lost, 0);
    const all = ticks[ProbePoint.ENTER] + ticks[ProbePoint.LEAVE];
    return { measured: ticks[ProbePoint.LEAVE] / all, truth: inLeaf / time, unlocated: sampler.unlocated };
  } finally {
    sampler?.disarm();
    Object.defineProperty(globalThis, 'performance', { configurable: true, value: performance });
  }
}

for (const resolution of [0.1, 1]) {
  test(`with a clock of ${resolution} ms, shares are true though looking at the clock takes longer than a call`, () => {
    for (const [calls, leafMs, workMs] of [
      [1000, 10e-6, 1],
      [1000, 50e-6, 0.3],
      [300, 200e-6, 0.1],
      [20, 0.001, 0.02],
    ]) {
      const rounds = Math.round(20_000 / (calls * leafMs + workMs));
      const { measured, truth, unlocated } = profile({ resolution, calls, leafMs, workMs, rounds });
      assert.ok(Math.abs(measured - truth) < 0.08, `${calls} calls: ${measured}, true ${truth}`);
      assert.ok(unlocated > 10_000, 'most ticks were not located');
    }
  });
}

test('in code of few calls every tick is located', () => {
  const { measured, truth, unlocated } = profile({
    resolution: 1,
    calls: 3,
    leafMs: 0.05,
    workMs: 0.1,
    rounds: 8000,
  });
  assert.equal(unlocated, 0);
  assert.ok(Math.abs(measured - truth) < 0.03, `${measured}, true ${truth}`);
});
