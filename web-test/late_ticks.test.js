import assert from 'node:assert/strict';
import { instrument } from '../instrumenter/instrument.js';
import { eachEngine } from './lib/each_engine.js';
import { undisturbed } from './lib/on_time.js';
import { displacedWorker, frozenWorker, sleepingWorker } from './lib/sleeping_worker.js';
import { folded, selfShares } from './lib/trace.js';

/** Ticks that the worker slept through. */

/**
 * Nearly all of the time is the leaf's, but whenever it has left, its caller runs. Calls of some µs, that write to memory: what a caller really
 * takes, and what V8 moves behind the check that a function leaves by (docs/hook.md), is little beside them. Some 50 looks decide on the late ticks.
 */
const SOURCE = `
const cells = new Int32Array(5000);
function leaf(n) { let x = n; for (let i = 0; i < 5000; i++) x = cells[i] = (Math.imul(x, 31) + i) | 0; return x }
function caller(ms) {
  let x = 0;
  for (const end = performance.now() + ms; performance.now() < end; ) for (let i = 0; i < 100; i++) x ^= leaf(x);
  return x;
}
async function profileCaller(ms) {
  polyprof.install({ force: true });
  caller(50);
  const profiler = await performance.profile({ sampleInterval: 1 });
  caller(ms);
  return { trace: await profiler.stop(), losses: profiler.losses };
}
function work(ms) {
  let x = 1;
  for (const end = performance.now() + ms; performance.now() < end; ) for (let i = 0; i < 1000; i++) x = (Math.imul(x, 31) + i) | 0;
  return x;
}
/* polyprof-ignore */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
async function profileWaking(times) {
  polyprof.install({ force: true });
  const profiler = await performance.profile({ sampleInterval: 1 });
  const start = performance.now();
  let worked = 0;
  let paused = 0;
  for (let i = 0; i < times; i++) {
    const before = performance.now();
    await pause(6);
    const since = performance.now();
    work(2);
    worked += performance.now() - since;
    paused += since - before;
  }
  const share = worked / (performance.now() - start);
  return { trace: await profiler.stop(), share, worked, paused };
}
async function profileFrozen(ms) {
  const { Worker } = globalThis;
  let isAsleep = false;
  globalThis.Worker = function (...start) {
    const worker = new Worker(...start);
    worker.addEventListener('message', ({ data }) => (isAsleep ||= data === 'asleep'));
    return worker;
  };
  polyprof.install({ force: true });
  const profiler = await performance.profile({ sampleInterval: 1 });
  const start = performance.now();
  while (!isAsleep) {
    caller(10);
    await pause(0);
  }
  const asleep = performance.now();
  await pause(ms);
  while (profiler.losses.lostTicks === 0 && performance.now() - asleep < 2 * ms) caller(10);
  const frozenMs = performance.now() - asleep;
  caller(100);
  const profiledMs = performance.now() - start;
  return { trace: await profiler.stop(), losses: profiler.losses, frozenMs, profiledMs };
}`;

/** 100 times 2 ms of work after a pause of 6 ms; on a crowded machine both take longer. @param {{worked: number, paused: number}} outcome */
const tooLong = ({ worked, paused }) => (worked >= 250 || paused >= 1200) && `${worked} + ${paused} ms`;

for (const probe of /** @type {const} */ (['flag', 'shadow'])) {
  const { code, table } = instrument(SOURCE, { file: 'app.js', probe, minWeight: 0 });
  const app = {
    '/app.js': { body: code },
    '/app.js.ppft': { body: table ?? undefined },
    '/': {
      body: '<!doctype html><title>late</title><script src="/dist/polyprof.js"></script><script src="app.js"></script>',
      headers: { 'Content-Type': 'text/html' },
    },
  };
  eachEngine(
    `${probe}: ticks that the worker slept through go to what ran before and after them, and not to what it returned to`,
    { path: '/', serve: { overrides: { ...sleepingWorker(20), ...app } } },
    async ({ page }) => {
      const { trace, losses } = await page.evaluate('profileCaller(1500)');
      assert.ok(losses.lateTicks > 0.4 * trace.samples.length, JSON.stringify(losses));
      assert.ok(selfShares(trace).leaf > 0.85, folded(trace));
    },
  );

  eachEngine(
    `${probe}: ticks of a worker that was stopped for long are lost, not somebody's`,
    { path: '/', serve: { overrides: { ...frozenWorker(1500), ...app } } },
    async ({ page }) => {
      const { trace, losses, frozenMs, profiledMs } = await page.evaluate('profileFrozen(1500)');
      const told = `${folded(trace)}\n${JSON.stringify(losses)}, frozen for ${frozenMs} of ${profiledMs} ms`;
      assert.ok(losses.lostTicks > 1000 && losses.lostTicks < frozenMs + 200, told);
      const counted = trace.samples.length + losses.lostTicks + losses.workerlessTicks;
      assert.ok(Math.abs(counted - profiledMs) < 0.05 * profiledMs + 10, `${counted}: ${told}`);
    },
  );

  // With shadow probes only the worker looks.
  if (probe === 'shadow') continue;
  eachEngine(
    `${probe}: what a page does when it wakes up has its share, though it takes the worker's processor`,
    { path: '/', serve: { overrides: { ...displacedWorker(4), ...app } } },
    async ({ page }) => {
      const { trace, share } = await undisturbed(() => page.evaluate('profileWaking(100)'), tooLong);
      const { work } = selfShares(trace);
      assert.ok(Math.abs(work - share) < 0.05, `${work} of truly ${share}\n${folded(trace)}`);
    },
  );
}
