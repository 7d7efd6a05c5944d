import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { callTree } from '../../report/traces/call_tree.js';
import { evenSamples } from '../../report/reading/even_samples.js';
import { describeLosses } from '../../report/traces/losses.js';
import { readAllProfiles } from '../../report/reading/read_trace.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { traceOf } from './traces.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/** @param {[timestamp: number, name: string][]} samples @returns {ProfilerTrace} */
function traceAt(samples) {
  const trace = traceOf(samples.map(([, name]) => name));
  samples.forEach(([timestamp], i) => (trace.samples[i].timestamp = timestamp));
  return trace;
}

/** As V8 samples: at most 0.3 ms late, and now and then in the first 300 ms thirty times more, when it gives up code of `hot`. */
function warmUp() {
  /** @type {[number, string][]} */
  const samples = [];
  for (let i = 0; i < 100; i++) {
    const at = 50 + 10.1 * i + (i % 4) / 10;
    samples.push([at, ['hot', 'warm', 'mild', 'cool'][i % 4]]);
    if (i < 30 && i % 3 === 0)
      for (let extra = 0; extra < 30; extra++) samples.push([at + 1 + extra / 10, 'hot']);
  }
  return traceAt(samples);
}

/** @param {ProfilerTrace} trace @returns {Record<string, number>} samples by function, `-`: of none */
function selfOf(trace) {
  const { functions, idle } = callTree(trace);
  const all = functions.map(({ location, self }) => [location.name, self]);
  return Object.fromEntries(idle > 0 ? [...all, ['-', idle]] : all);
}

test('samples that a browser takes out of turn are left out, and counted', () => {
  const { trace, extraSamples, unseenMs } = evenSamples(warmUp());
  assert.deepEqual(selfOf(trace), { hot: 25, warm: 25, mild: 25, cool: 25 });
  assert.deepEqual([extraSamples, unseenMs], [300, 0]);
});

test('so is a sample that stands after a later one', () => {
  const { trace, extraSamples } = evenSamples(
    traceAt([
      [270, 'work'],
      [280.215, 'work'],
      [280.21, 'hot'],
      [290, 'work'],
    ]),
  );
  assert.deepEqual(selfOf(trace), { work: 3 });
  assert.equal(extraSamples, 1);
});

test('the first samples of a warm-up are enough to know which are out of turn', () => {
  const { samples, ...rest } = warmUp();
  const first = { ...rest, samples: samples.filter(({ timestamp }) => timestamp < 150) };
  assert.deepEqual(selfOf(evenSamples(first).trace), { hot: 3, warm: 3, mild: 2, cool: 2 });
});

test('a trace that is even, also with jitter and with ticks that were lost, is the same trace', () => {
  const jitter = traceAt(Array.from({ length: 100 }, (_, i) => [i + (i % 2 ? 0.1 : -0.1), 'work']));
  const lost = traceAt([0, 10, 20, 60, 70, 300, 310].map((at) => [at, 'work']));
  for (const trace of [jitter, lost, traceAt([]), traceAt([[5, 'once']])]) {
    assert.equal(evenSamples(trace).trace, trace);
  }
});

test('time in which nobody looked is idle', () => {
  const seen = Array.from({ length: 20 }, (_, i) => 10 * i);
  const trace = traceAt([...seen, ...seen.map((at) => 60_000 + at)].map((at) => [at, 'work']));
  const even = evenSamples(trace);
  assert.deepEqual(selfOf(even.trace), { work: 40, '-': 1 });
  assert.deepEqual(even.trace.samples.slice(19, 22), [
    { timestamp: 190, stackId: 0 },
    { timestamp: 200 },
    { timestamp: 60_000, stackId: 0 },
  ]);
  assert.equal(even.unseenMs, 59_800);
});

test('traces that are read are even, and say what was left out beside what their profiler lost', async () => {
  const { path: folder, release } = temporaryFolder();
  after(release);
  const file = join(folder, 'a.json');
  const read = async (/** @type {object} */ content) => {
    writeFileSync(file, JSON.stringify(content));
    const onError = (/** @type {Error} */ error) => assert.fail(error);
    for await (const { details } of readAllProfiles([file], { onError })) {
      return describeLosses(details?.losses ?? {});
    }
  };
  const left = '300 samples out of turn left out';
  assert.deepEqual(await read(warmUp()), [left]);
  assert.deepEqual(await read({ trace: warmUp(), losses: { lostTicks: 0 } }), [left, 'nothing lost']);
  assert.deepEqual(await read({ trace: warmUp(), losses: { lostTicks: 2 } }), [left, 'lost: 2 samples']);
});
