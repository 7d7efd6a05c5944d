import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Profile } from 'pprof-format';
import { pprof } from '../../report/formats/pprof.js';
import { timedTraceArbitrary } from './arbitraries.js';
import { functionText, milliseconds, sampleCounts, StackSums, stackTimes } from './stack_times.js';
import { traceOf } from './traces.js';

/** @import { Profile as Named } from '../../report/formats/formats.js' */

/** @param {Partial<Named>[]} profiles */
function convert(...profiles) {
  const file = pprof(profiles.map((each) => ({ name: 'test', trace: traceOf([]), ...each })));
  const profile = Profile.decode(gunzipSync(file));
  const text = (/** @type {number | bigint} */ id) => profile.stringTable.strings[Number(id)];
  return { profile, text };
}

/** @param {ReturnType<typeof convert>} converted */
function readBack({ profile, text }) {
  const functions = new Map(profile.function.map((each) => [Number(each.id), each]));
  const locations = new Map(profile.location.map((each) => [Number(each.id), each]));
  const sums = new StackSums();
  for (const { locationId, value } of profile.sample) {
    const path = locationId.map((id) => {
      const [{ functionId, line, column }] = /** @type {any} */ (locations.get(Number(id))).line;
      const { name, filename } = /** @type {any} */ (functions.get(Number(functionId)));
      const known = (/** @type {number} */ position) => Number(position) || undefined;
      return functionText({
        name: text(name),
        file: text(filename),
        line: known(line),
        column: known(column),
      });
    });
    sums.add(path.reverse(), Number(value[1]) / 1e6, Number(value[0]));
  }
  return sums.sums;
}

test('a call path has its samples and its nanoseconds, and several profiles are added up', () => {
  const traces = [traceOf(['main;a', 'main', 'main;a']), traceOf(['main', 'main'], { intervalMs: 20 })];
  const converted = convert(...traces.map((trace) => ({ trace })));
  const { profile, text } = converted;
  assert.deepEqual(
    profile.sampleType.map(({ type, unit }) => [text(type), text(unit)]),
    [
      ['samples', 'count'],
      ['wall', 'nanoseconds'],
    ],
  );
  assert.deepEqual(readBack(converted), {
    'main ::;a ::': { samples: 2, ms: 20 },
    'main ::': { samples: 3, ms: 50 },
  });
  assert.deepEqual([Number(profile.period), Number(profile.durationNanos)], [10e6, 70e6]);
});

test('idle time is in the whole, at no place, and labelled', () => {
  const { profile, text } = convert({ trace: traceOf(['main', '']) });
  const [idle] = profile.sample.filter(({ locationId }) => locationId.length === 0);
  assert.deepEqual(idle.value.map(Number), [1, 10e6]);
  assert.deepEqual(
    idle.label.map(({ key, str }) => [text(key), text(str)]),
    [['state', 'idle']],
  );
});

test('what the profiler tells about itself is in the comments', () => {
  const { profile, text } = convert({
    name: 'shop',
    details: { mode: 'flag', losses: { lostTicks: 1200, badTables: 0 } },
  });
  assert.deepEqual(profile.comment.map(text), ['trace: shop', 'mode: flag', 'lostTicks: 1,200']);
});

test('for any trace: the same stacks with the same samples and times', () => {
  fc.assert(
    fc.property(timedTraceArbitrary, (trace) => {
      const actual = readBack(convert({ trace }));
      const expected = stackTimes(trace);
      assert.deepEqual(milliseconds(actual), milliseconds(expected));
      assert.deepEqual(sampleCounts(actual), sampleCounts(expected));
    }),
  );
});
