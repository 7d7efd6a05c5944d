import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Profile as PprofProfile } from 'pprof-format';
import { callTree } from '../../report/traces/call_tree.js';
import { FORMATS } from '../../report/formats/formats.js';
import { MergedTrace } from '../../report/traces/merged_trace.js';
import { pprof } from '../../report/formats/pprof.js';
import { timedTraceArbitrary } from './arbitraries.js';
import { milliseconds, sampleCounts, stackTimes } from './stack_times.js';
import { traceOf } from './traces.js';

/** @import { Profile } from '../../report/formats/formats.js' */
/** @import { StackTimes } from './stack_times.js' */

/** @param {(Profile['trace'] | Omit<Profile, 'name'>)[]} profiles */
function merge(...profiles) {
  const merged = new MergedTrace();
  for (const each of profiles) merged.add({ name: '', ...('trace' in each ? each : { trace: each }) });
  return merged.profile('merged');
}

/** @param {Profile} profile @param {string} name */
const convert = (profile, name) => {
  const content = /** @type {import('../../report/formats/formats.js').Format} */ (
    FORMATS.find((format) => format.name === name)
  ).convert([profile]);
  return String(content);
};

test('the samples and the time of all traces come together by path, the longest first', () => {
  const { trace } = merge(
    traceOf(['main;a', 'main', '']),
    traceOf(['main;b', 'main;b', 'main;a'], { intervalMs: 20 }),
  );
  const times = stackTimes(trace);
  assert.deepEqual(Object.keys(times), ['main ::;b ::', 'main ::;a ::', 'main ::', '']);
  const { samples, idle, functions } = callTree(trace);
  assert.deepEqual([samples, idle], [6, 1]);
  assert.deepEqual(
    functions.map(({ location, self, total }) => [location.name, self, total]),
    [
      ['b', 2, 2],
      ['a', 2, 2],
      ['main', 1, 5],
    ],
  );
});

test('losses are added up, and what all traces have in common is kept', () => {
  const { details } = merge(
    { trace: traceOf([]), details: { mode: 'flag', url: '/a', losses: { lostTicks: 1, badTables: 1 } } },
    { trace: traceOf([]), details: { mode: 'flag', url: '/b', losses: { lostTicks: 2 } } },
  );
  assert.deepEqual(details, { mode: 'flag', losses: { lostTicks: 3, badTables: 1 } });
  const mixed = merge({ trace: traceOf([]), details: { mode: 'flag' } }, { trace: traceOf([]) });
  assert.deepEqual(mixed.details, {});
});

test('losses may have any name', () => {
  const losses = Object.fromEntries([
    ['__proto__', 3],
    ['constructor', 4],
  ]);
  const profile = { trace: traceOf([]), details: { losses } };
  assert.deepEqual(Object.entries(merge(profile, profile).details?.losses ?? {}), [
    ['__proto__', 6],
    ['constructor', 8],
  ]);
});

test('each format has the counts and the times of a merged trace', () => {
  const profile = merge(traceOf(['main;a', 'main;a', 'main;a', '']), traceOf(['main', 'main;a']));
  assert.equal(convert(profile, 'folded'), 'main 1\nmain;a 4\n');
  const { nodes, samples, timeDeltas, endTime } = JSON.parse(convert(profile, 'cpuprofile'));
  assert.deepEqual(
    nodes.map((/** @type {any} */ node) => [node.callFrame.functionName, node.hitCount]),
    [
      ['(root)', 0],
      ['(idle)', 1],
      ['main', 1],
      ['a', 4],
    ],
  );
  assert.deepEqual([samples.length, timeDeltas, endTime], [4, [0, 40_000, 10_000, 10_000], 60_000]);
  const { children, samples: all } = JSON.parse(convert(profile, 'tree'));
  assert.deepEqual([all, children[0].samples, children[1].function], [6, 5, '(idle)']);
  const { profiles } = JSON.parse(convert(profile, 'speedscope'));
  assert.deepEqual(profiles[0].weights, [40, 10, 10]);
  const { threads, meta } = JSON.parse(convert(profile, 'firefox'));
  assert.deepEqual([threads[0].samples.weight, meta.interval], [[40, 10, 10], 10]);
  const decoded = PprofProfile.decode(gunzipSync(pprof([profile])));
  assert.deepEqual(
    decoded.sample.map(({ value }) => value.map(Number)),
    [
      [4, 40e6],
      [1, 10e6],
      [1, 10e6],
    ],
  );
  assert.equal(Number(decoded.period), 10e6);
});

for (const { name, pieces, convert } of FORMATS) {
  // pprof's is packed as a whole, and a thread of firefox has each path once.
  if (['pprof', 'firefox'].includes(name)) continue;
  test(`${name} is made while it is written: all of it at once would not fit beside what was merged`, () => {
    const paths = Array.from({ length: 300 }, (_, i) => Array(200).fill(`f${i}`).join(';'));
    const profile = { name: 'deep', trace: traceOf(paths) };
    const parts = [...(pieces?.([profile]) ?? [])];
    assert.ok(parts.join('') === convert([profile]));
    // The longest one of html is its viewer.
    assert.ok(Math.max(...parts.map((part) => part.length)) < parts.join('').length / 2);
  });
}

test('a single sample lasts for the interval that its session had, in each format and among others', () => {
  const profile = { name: 'short', trace: traceOf(['main']), details: { sampleInterval: 10 } };
  assert.equal(JSON.parse(convert(profile, 'cpuprofile')).endTime, 110_000);
  assert.deepEqual(JSON.parse(convert(profile, 'speedscope')).profiles[0].weights, [10]);
  assert.deepEqual(JSON.parse(convert(profile, 'firefox')).threads[0].samples.weight, [10]);
  assert.match(convert(profile, 'html'), /"msOfSample":\[10\]/);
  const { sample, period } = PprofProfile.decode(gunzipSync(pprof([profile])));
  assert.deepEqual([sample[0].value.map(Number), Number(period)], [[1, 10e6], 10e6]);
  assert.deepEqual(lengths(merge(profile, profile)).weights, [20]);
  const mistaken = { ...profile, details: { sampleInterval: 1e300 } };
  assert.deepEqual(lengths(merge(mistaken)).weights, [60_000]);
});

test('for any traces: a merged one has the times and the samples of all together', () => {
  fc.assert(
    fc.property(fc.array(timedTraceArbitrary, { maxLength: 4 }), (traces) => {
      /** @type {StackTimes} */
      const expected = {};
      for (const times of traces.map((trace) => stackTimes(trace))) {
        for (const [path, { ms, samples }] of Object.entries(times)) {
          const sum = (expected[path] ??= { ms: 0, samples: 0 });
          sum.ms += ms;
          sum.samples += samples;
        }
      }
      const decoded = JSON.parse(convert(merge(...traces), 'tree'));
      assert.equal(
        decoded.samples,
        Object.values(expected).reduce((sum, { samples }) => sum + samples, 0),
      );
      const merged = merge(...traces);
      const counts = Object.fromEntries(
        convert(merged, 'folded')
          .split('\n')
          .map((line) => line.split(/ (?=\d+$)/)),
      );
      const busy = Object.entries(sampleCounts(expected)).filter(([path]) => path !== '');
      assert.equal(
        Object.values(counts).reduce((sum, count) => sum + Number(count ?? 0), 0),
        busy.reduce((sum, [, count]) => sum + count, 0),
      );
      // The last sample's length is not in the timestamps.
      const { samples, weights } = lengths(merged);
      const last = samples.at(-1);
      const times = stackTimes({
        ...merged.trace,
        samples: [...merged.trace.samples, { timestamp: last + (weights.at(-1) ?? 0) }],
      });
      delete times[''];
      delete expected[''];
      assert.deepEqual(milliseconds(times), milliseconds(expected));
    }),
  );
});

/** @param {Profile} profile */
function lengths(profile) {
  const [{ weights, startValue }] = JSON.parse(convert(profile, 'speedscope')).profiles;
  let time = startValue;
  return {
    weights,
    samples: weights.map((/** @type {number} */ weight) => {
      time += weight;
      return time - weight;
    }),
  };
}
