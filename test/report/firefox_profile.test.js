import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firefoxProfile } from '../../report/formats/firefox_profile.js';
import { timedTraceArbitrary } from './arbitraries.js';
import { functionText, milliseconds, sampleCounts, StackSums, stackTimes } from './stack_times.js';
import { traceOf } from './traces.js';

/** @param {import('../../report/formats/formats.js').Profile[]} profiles */
const convert = (...profiles) => JSON.parse(firefoxProfile(profiles));

/** What the Firefox Profiler's documentation demands of a thread's tables. @param {any} thread */
function checkTables(thread) {
  const { samples, stackTable, frameTable, funcTable, resourceTable, stringArray } = thread;
  for (const table of [samples, stackTable, frameTable, funcTable, resourceTable, thread.nativeSymbols]) {
    for (const column of Object.values(table)) {
      if (Array.isArray(column)) assert.equal(column.length, table.length);
    }
  }
  /** @param {(number | null)[]} ids @param {number} below */
  const allIn = (ids, below) =>
    ids.every((id) => id === null || (Number.isInteger(id) && id >= -1 && id < below));
  assert.ok(allIn(samples.stack, stackTable.length));
  stackTable.prefix.forEach((/** @type {number | null} */ prefix, /** @type {number} */ i) =>
    assert.ok(prefix === null || prefix < i, 'a parent comes first'),
  );
  assert.ok(allIn(stackTable.frame, frameTable.length));
  assert.ok(allIn(frameTable.func, funcTable.length));
  assert.ok(allIn(funcTable.resource, resourceTable.length));
  assert.ok(allIn([...funcTable.name, ...funcTable.fileName, ...resourceTable.name], stringArray.length));
}

/** @param {any} thread */
function readBack({ samples, stackTable, frameTable, funcTable, stringArray }) {
  const sums = new StackSums();
  for (let i = 0; i < samples.length; i++) {
    const path = [];
    for (let stack = samples.stack[i]; stack !== null; stack = stackTable.prefix[stack]) {
      const func = frameTable.func[stackTable.frame[stack]];
      path.unshift(
        functionText({
          name: stringArray[funcTable.name[func]],
          file: stringArray[funcTable.fileName[func]],
          line: funcTable.lineNumber[func],
          column: funcTable.columnNumber[func],
        }),
      );
    }
    sums.add(path, samples.weight[i]);
  }
  return sums.sums;
}

test('each trace is a thread of its own name, on the page’s clock', () => {
  const traces = [traceOf(['main'], { startMs: 500 }), traceOf(['main', ''])];
  const { threads, meta } = convert(...traces.map((trace, i) => ({ name: `trace ${i}`, trace })));
  assert.deepEqual(
    threads.map((/** @type {any} */ { name, tid, samples }) => [name, tid, samples.time]),
    [
      ['trace 0', 0, [500]],
      ['trace 1', 1, [100, 110]],
    ],
  );
  assert.equal(meta.interval, 10);
});

test('idle samples have no stack', () => {
  const [{ samples }] = convert({ name: 'test', trace: traceOf(['main', '', 'main']) }).threads;
  assert.deepEqual(samples.stack, [0, null, 0]);
});

test('what the profiler tells about itself is in the information panel', () => {
  const details = { mode: 'flag', timeOrigin: 5, losses: { lostTicks: 3 } };
  const { meta } = convert({ name: 'shop', trace: traceOf(['main']), details });
  assert.deepEqual(meta.extra, [
    {
      label: 'shop',
      entries: [
        { label: 'mode', format: 'string', value: 'flag' },
        { label: 'lostTicks', format: 'integer', value: 3 },
      ],
    },
  ]);
  assert.equal(meta.startTime, 5);
});

test('for any trace: tables fit together, and have the same stacks with the same times', () => {
  fc.assert(
    fc.property(timedTraceArbitrary, (trace) => {
      const [thread] = convert({ name: 'test', trace }).threads;
      checkTables(thread);
      const actual = readBack(thread);
      assert.deepEqual(milliseconds(actual), milliseconds(stackTimes(trace)));
      assert.deepEqual(sampleCounts(actual), sampleCounts(stackTimes(trace)));
    }),
  );
});
