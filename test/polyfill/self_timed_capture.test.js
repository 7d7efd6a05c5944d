import assert from 'node:assert/strict';
import test from 'node:test';
import SelfTimedCapture from '../../polyfill/capture/self_timed_capture.js';
import { stackError, textOf } from '../../polyfill/capture/stack_text.js';
import { armHookFast, releaseHook } from '../../polyfill/hook/hook.js';
import { ProbePoint } from '../../wasm/core.js';

/** What looking at the clock costs, ms. */
const LOOK_MS = 120e-6;

/** A line of a stack. */
const FUNCTION = /^(?:\w+\.)?(\w+)@/;

/** Whether an enter calls: the probe's own part (docs/hook.md). @param {{f: Int8Array}} hook */
const isLast = ({ f }) => f[0] && !--f[9];

/**
 * A page in a time of its own: the clock goes on by what is said here, and by each look at it.
 * @param {{resolution: number, interval?: number}} options
 * @param {(page: {hook: any, spend: (ms: number) => void, root: () => void, now: () => number, want: (isWanted: boolean) => void}) => void} run
 *   `root`: a task of ours looks, where nothing runs; `want`: whether a session is open
 * @returns {{ticks: Map<string, number>, time: number, unlocated: number}} ticks by the function that ran, '': none that is known to have;
 *   ms that passed; ticks that were not located
 */
function sample({ resolution, interval = 1 }, run) {
  let time = 0;
  const timeNow = () => {
    time += LOOK_MS / 2;
    const now = Math.floor(time / resolution) * resolution;
    time += LOOK_MS / 2;
    return now;
  };
  const hook = /** @type {any} */ ({ f: new Int8Array(64) });
  let isOpen = true;
  const core = /** @type {any} */ ({
    tickAt: (/** @type {number} */ now) => Math.floor(now / interval) * interval,
    longestWaitTicks: () => (isOpen ? interval : 0),
    msUntilNextTick: (/** @type {number} */ now) => (Math.floor(now / interval) + 1) * interval - now,
  });
  /** @type {Map<string, number>} */
  const ticks = new Map();
  const attribution = /** @type {any} */ ({
    lost: 0,
    add(
      /** @type {import('../../polyfill/sampling/attribution.js').Look} */ { text, point, skip, after, last },
    ) {
      const line = point === ProbePoint.LEAVE ? text.split('\n')[skip] : '';
      const name = FUNCTION.exec(line)?.[1] ?? '';
      const more = Math.floor(last / interval) - Math.floor(after / interval);
      ticks.set(name, (ticks.get(name) ?? 0) + more);
    },
  });
  const shared = { armHookFast, releaseHook, stackError, textOf, timeNow };
  const sampler = new SelfTimedCapture(hook, core, attribution, shared);
  const { setInterval } = globalThis;
  let root = () => {};
  globalThis.setInterval = /** @type {any} */ (
    (/** @type {() => void} */ task) => {
      root = task;
      return 1;
    }
  );
  try {
    sampler.arm();
    sampler.replan();
    const want = (/** @type {boolean} */ isWanted) => {
      isOpen = isWanted;
      sampler.replan();
    };
    run({ hook, spend: (ms) => void (time += ms), root, now: () => time, want });
    sampler.look(ProbePoint.ENTER, 0);
    assert.equal(attribution.lost, 0);
    return { ticks, time, unlocated: sampler.unlocated };
  } finally {
    globalThis.setInterval = setInterval;
    sampler.disarm();
  }
}

/** @param {Map<string, number>} ticks @param {string} name @returns {number} its share */
function shareOf(ticks, name) {
  return (ticks.get(name) ?? 0) / [...ticks.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * A page of one function that calls a leaf many times and then works itself.
 * @param {{resolution: number, calls: number, leafMs: number, workMs: number, rounds: number, interval?: number}} options
 * @returns {{measured: number, truth: number, unlocated: number}} the leaf's share, and ticks that were not located
 */
function profile({ calls, leafMs, workMs, rounds, ...options }) {
  const { ticks, time, unlocated } = sample(options, ({ hook, spend }) => {
    const leaf = () => {
      if (isLast(hook)) hook.e();
      spend(leafMs);
      if (hook.f[1]) hook.l();
    };
    for (let round = 0; round < rounds; round++) {
      for (let call = 0; call < calls; call++) leaf();
      spend(workMs);
    }
  });
  return { measured: shareOf(ticks, 'leaf'), truth: (rounds * calls * leafMs) / time, unlocated };
}

/**
 * @param {number} resolution of the clock, ms
 * @param {[calls: number, leafMs: number, workMs: number, ms?: number]} page and how long it runs
 * @returns {number} share of ticks that were not located
 */
function assertShareIsTrue(resolution, [calls, leafMs, workMs, ms = 20_000]) {
  const rounds = Math.round(ms / (calls * leafMs + workMs));
  const { measured, truth, unlocated } = profile({ resolution, calls, leafMs, workMs, rounds });
  const error = Math.abs(measured - truth);
  assert.ok(error < (resolution < 1 ? 0.03 : 0.08), `${calls} calls: ${measured}, true ${truth}`);
  return unlocated / ms;
}

for (const resolution of [0.1, 1]) {
  test(`with a clock of ${resolution} ms, shares are true though looking at the clock takes longer than a call`, () => {
    for (const page of /** @type {[number, number, number][]} */ ([
      // Ten times as long: in 20 s of it the chance alone is as wide as what is allowed.
      [1000, 10e-6, 1, 200_000],
      [1000, 50e-6, 0.3],
      [300, 200e-6, 0.1],
      [20, 0.0005, 0.01],
    ])) {
      assert.ok(assertShareIsTrue(resolution, page) > 0.5, 'most ticks were not located');
    }
  });

  test(`with a clock of ${resolution} ms, shares are true where calls take a microsecond`, () => {
    assert.ok(assertShareIsTrue(resolution, [20, 0.001, 0.02]) > 0.35, 'many ticks were not located');
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

/**
 * Frames with a first function that calls none, many short calls, and fewer long ones.
 * @param {number} resolution
 * @param {number} frames
 */
function profileFrames(resolution, frames) {
  const { ticks, time } = sample({ resolution }, ({ hook, spend, root }) => {
    const first = () => {
      if (isLast(hook)) hook.e();
      spend(0.06);
      if (hook.f[1]) hook.l();
    };
    const short = () => {
      if (isLast(hook)) hook.e();
      spend(40e-6);
      if (hook.f[1]) hook.l();
    };
    const long = () => {
      if (isLast(hook)) hook.e();
      spend(8e-3);
      if (hook.f[1]) hook.l();
    };
    for (let frame = 0; frame < frames; frame++) {
      first();
      for (let i = 0; i < 100_000; i++) short();
      for (let i = 0; i < 400; i++) long();
      spend(1);
      root();
    }
  });
  return { ticks, truth: (frames * 400 * 8e-3) / time };
}

for (const resolution of [0.1, 1]) {
  test(`with a clock of ${resolution} ms, what runs for long between many short calls has its own share, and not theirs`, () => {
    // With so few steps, of which one in 80 is located, 400 frames are off by as much as is allowed here.
    const { ticks, truth } = profileFrames(resolution, resolution < 1 ? 400 : 4000);
    const long = shareOf(ticks, 'long');
    assert.ok(Math.abs(long - truth) < 0.08, `${long}, truly ${truth}: ${JSON.stringify([...ticks])}`);
    const first = shareOf(ticks, 'first');
    assert.ok(first < 0.03, `${first}, truly 0.007`);
  });
}

/**
 * Two functions that take turns in a loop of short calls. A call of the second one is quick, or takes as long as `slowMs` says.
 * @param {number} calls of each @param {(call: number) => number} slowMs ms of a call; 0: it is quick
 * @returns {{share: number, truth: number}} of the second function
 */
function profileTurns(calls, slowMs) {
  let slow = 0;
  const { ticks, time } = sample({ resolution: 0.1 }, ({ hook, spend }) => {
    const first = () => {
      if (isLast(hook)) hook.e();
      spend(1e-3);
      if (hook.f[1]) hook.l();
    };
    const second = (/** @type {number} */ ms) => {
      if (isLast(hook)) hook.e();
      spend(ms || 1e-3);
      if (hook.f[1]) hook.l();
    };
    for (let call = 0; call < calls; call++) {
      const ms = slowMs(call);
      slow += ms || 1e-3;
      first();
      second(ms);
    }
  });
  return { share: shareOf(ticks, 'second'), truth: slow / time };
}

test('a pause of the machine does not stand for all the times that nobody looked', () => {
  // Wherever it comes: of some eighty calls one is located.
  for (let i = 0; i < 200; i++) {
    const { share, truth } = profileTurns(150_000, (call) => (call === 100_000 + 211 * i ? 60 : 0));
    assert.ok(share - truth < 0.1, `${i}: ${share}, true ${truth}`);
  }
});

test('what is mostly quick and sometimes slow has its time, though it is slow where it was quick before', () => {
  const { share, truth } = profileTurns(2_000_000, (call) => (call % 1000 === 7 ? 4 : 0));
  assert.ok(truth > 0.6 && Math.abs(share - truth) < 0.08, `${share}, true ${truth}`);
});

test('what runs while many functions return, one after the other, has its time, though no function is entered meanwhile', () => {
  const rounds = 20_000;
  const { ticks, time } = sample({ resolution: 0.1 }, ({ hook, spend }) => {
    const deep = (/** @type {number} */ depth) => {
      if (isLast(hook)) hook.e();
      if (depth > 1) deep(depth - 1);
      spend(0.004);
      if (hook.f[1]) hook.l();
    };
    const flat = () => {
      if (isLast(hook)) hook.e();
      spend(0.002);
      if (hook.f[1]) hook.l();
    };
    for (let round = 0; round < rounds; round++) {
      deep(50);
      for (let call = 0; call < 100; call++) flat();
    }
  });
  const share = shareOf(ticks, 'deep');
  const truth = (rounds * 50 * 0.004) / time;
  assert.ok(Math.abs(share - truth) < 0.03, `${share}, truly ${truth}`);
});

test('while no session is open, probes do nothing, and what runs is in no profile', () => {
  const calls = 20_000;
  const { ticks } = sample({ resolution: 0.1 }, ({ hook, spend, now, want }) => {
    const call = (/** @type {() => void} */ body) => {
      if (isLast(hook)) hook.e();
      body();
      if (hook.f[1]) hook.l();
    };
    /** @returns {number} ms that looking took */
    const busy = () => {
      const start = now();
      for (let i = 0; i < calls; i++) call(() => spend(0.01));
      return now() - start - calls * 0.01;
    };
    assert.ok(busy() > 0.05);
    want(false);
    assert.deepEqual([...hook.f.slice(0, 4)], [0, 0, 0, 0]);
    assert.ok(Math.abs(busy()) < 1e-6);
    want(true);
    assert.ok(busy() > 0.05);
  });
  const total = [...ticks.values()].reduce((sum, count) => sum + count, 0);
  assert.ok(Math.abs(total - 2 * calls * 0.01) < 10, `${total} ticks`);
});

test('of two samplers in one page the one that started last is answered', () => {
  let time = 0;
  const hook = /** @type {any} */ ({ f: new Int8Array(64) });
  const shared = { armHookFast, releaseHook, stackError, textOf, timeNow: () => time };
  const started = () => {
    const core = /** @type {any} */ ({
      tickAt: Math.floor,
      longestWaitTicks: () => 1,
      msUntilNextTick: (/** @type {number} */ now) => Math.floor(now) + 1 - now,
    });
    const attribution = /** @type {any} */ ({ lost: 0, looks: 0, add: () => attribution.looks++ });
    const sampler = new SelfTimedCapture(hook, core, attribution, shared);
    sampler.arm();
    sampler.replan();
    return { sampler, attribution };
  };
  const [first, last] = [started(), started()];
  for (; time < 1000; time++) if (isLast(hook)) hook.e();
  for (const { sampler } of [first, last]) sampler.disarm();
  assert.equal(first.attribution.looks, 0);
  assert.ok(last.attribution.looks > 500, `${last.attribution.looks} looks`);
  assert.deepEqual([...hook.f.slice(0, 4)], [0, 0, 0, 0]);
});
