import assert from 'node:assert/strict';
import test from 'node:test';

/** The clock of the test that runs: what is there when the polyfill loads is what it keeps. */
let clock = () => 0;
const { performance } = globalThis;
Object.defineProperty(globalThis, 'performance', {
  configurable: true,
  value: { now: () => clock(), timeOrigin: 0 },
});
const { SelfTimed } = await import('../../polyfill/self_timed.js');
const { armHookFast, releaseHook } = await import('../../polyfill/hook.js');
const { stackError, textOf } = await import('../../polyfill/stack_text.js');
const { ProbePoint } = await import('../../wasm/core.js');
Object.defineProperty(globalThis, 'performance', { configurable: true, value: performance });

/** What looking at the clock costs, ms. */
const LOOK_MS = 120e-6;

/**
 * A page of one function that calls a leaf many times and then works itself, in a time of its own: the clock goes on by what is
 * said here, and by each look at it.
 * @param {{resolution: number, calls: number, leafMs: number, workMs: number, rounds: number, interval?: number}} options
 * @returns {{measured: number, truth: number, unlocated: number}} the leaf's share, and ticks that were not located
 */
function profile({ resolution, calls, leafMs, workMs, rounds, interval = 1 }) {
  let time = 0;
  /** @type {InstanceType<typeof SelfTimed> | undefined} */
  let sampler;
  clock = () => {
    time += LOOK_MS / 2;
    const now = Math.floor(time / resolution) * resolution;
    time += LOOK_MS / 2;
    return now;
  };
  try {
    const hook = /** @type {any} */ ({ f: new Int8Array(64) });
    const core = /** @type {any} */ ({
      tickAt: (/** @type {number} */ now) => Math.floor(now / interval) * interval,
      longestWaitTicks: () => interval,
      msUntilNextTick: (/** @type {number} */ now) => (Math.floor(now / interval) + 1) * interval - now,
    });
    /** @type {Record<number, number>} by point */
    const ticks = { [ProbePoint.ENTER]: 0, [ProbePoint.LEAVE]: 0 };
    const attribution = /** @type {any} */ ({
      lost: 0,
      add(/** @type {any} */ { point, after, last }) {
        ticks[point] += Math.floor(last / interval) - Math.floor(after / interval);
      },
    });
    sampler = new SelfTimed(hook, core, attribution, { armHookFast, releaseHook, stackError, textOf });
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
  }
}

/** @param {number} resolution of the clock, ms @param {[calls: number, leafMs: number, workMs: number]} page @returns {number} ticks of 20,000 that were not located */
function assertShareIsTrue(resolution, [calls, leafMs, workMs]) {
  const rounds = Math.round(20_000 / (calls * leafMs + workMs));
  const { measured, truth, unlocated } = profile({ resolution, calls, leafMs, workMs, rounds });
  const error = Math.abs(measured - truth);
  assert.ok(error < (resolution < 1 ? 0.03 : 0.08), `${calls} calls: ${measured}, true ${truth}`);
  return unlocated;
}

for (const resolution of [0.1, 1]) {
  test(`with a clock of ${resolution} ms, shares are true though looking at the clock takes longer than a call`, () => {
    for (const page of /** @type {[number, number, number][]} */ ([
      [1000, 10e-6, 1],
      [1000, 50e-6, 0.3],
      [300, 200e-6, 0.1],
      [20, 0.0005, 0.01],
    ])) {
      assert.ok(assertShareIsTrue(resolution, page) > 10_000, 'most ticks were not located');
    }
  });

  test(`with a clock of ${resolution} ms, shares are true where calls take a microsecond`, () => {
    assert.ok(assertShareIsTrue(resolution, [20, 0.001, 0.02]) > 8_000, 'many ticks were not located');
  });
}

test('each step of the clock counts, though a session has one tick in a hundred of them', () => {
  const errors = [50e-6, 60e-6].map((leafMs) => {
    const rounds = Math.round(10_000 / (1000 * leafMs));
    const { measured, truth } = profile({
      resolution: 0.1,
      calls: 1000,
      leafMs,
      workMs: 0.05,
      rounds,
      interval: 10,
    });
    return Math.abs(measured - truth);
  });
  const mean = errors.reduce((sum, error) => sum + error) / errors.length;
  assert.ok(mean < 0.06, `from 1,000 ticks each: ${errors}`);
});

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
