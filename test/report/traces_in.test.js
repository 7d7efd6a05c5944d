import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkTrace } from '../../report/reading/check_trace.js';
import { TraceError } from '../../report/reading/trace_error.js';
import { tracesIn } from '../../report/reading/traces_in.js';
import { timedTraceArbitrary } from './arbitraries.js';
import { sentryProfile } from './sentry_profile.js';
import { milliseconds, sampleCounts, stackTimes } from './stack_times.js';
import { traceOf } from './traces.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/** @param {...unknown} lines text or JSON */
const contentOf = (...lines) =>
  Buffer.from(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));

/** @param {Buffer} content @returns {{trace: ProfilerTrace, details: object, place: string}[]} */
const found = (content) =>
  [...tracesIn(content, 'file')].map((each) => ({ ...each, trace: checkTrace(each.trace) }));

const trace = traceOf(['main@a.js:1:5;f@a.js:2:5', 'main@a.js:1:5', '']);

test('details come beside the trace or within it', () => {
  const details = { mode: 'flag', url: 'https://a.example/', sampleInterval: 10, losses: { lostTicks: 3 } };
  assert.deepEqual(found(contentOf({ trace, ...details })), [{ trace, details, place: '' }]);
  assert.deepEqual(found(contentOf({ ...trace, ...details }))[0].details, details);
});

test('debug ids of scripts are details, as `polyprof collect` writes them', () => {
  const debugIds = { 'a.js': 'dead-beef' };
  assert.deepEqual(found(contentOf({ trace, debugIds }))[0].details, { debugIds });
});

test('details of other kinds are left out', () => {
  const [{ details }] = found(
    contentOf({ trace, mode: 7, sampleInterval: 'x', losses: { lostTicks: 'many' } }),
  );
  assert.deepEqual(details, {});
});

test('a file may have a trace per line', () => {
  const traces = found(contentOf(trace, { trace, mode: 'flag' }, '', ''));
  assert.deepEqual(traces, [
    { trace, details: {}, place: 'line 1' },
    { trace, details: { mode: 'flag' }, place: 'line 2' },
  ]);
});

test('what would need more memory than there is, as a small gzip may unpack to, is not read', () => {
  const bomb = (/** @type {string} */ text) =>
    Buffer.concat([
      Buffer.from('{"samples":['),
      Buffer.alloc(3 * 25e6, `${text},`),
      Buffer.from(`${text}]}`),
    ]);
  for (const text of ['{}', '[]']) {
    assert.throws(
      () => found(bomb(text)),
      new TraceError('file', '', 'has 25,000,003 objects, more than the 24,000,000 of any trace'),
    );
  }
});

test('what Datadog’s SDK sends is read, as its body or its parts', async () => {
  const clocks = { relative: 100, timeStamp: 1e12 };
  const sent = { ...trace, startClocks: clocks, timeOrigin: 5, sampleInterval: 10, views: [], longTasks: [] };
  const details = { timeOrigin: 5, sampleInterval: 10 };
  const form = new FormData();
  form.append('event', new Blob(['{"version":4}'], { type: 'application/json' }), 'event.json');
  form.append(
    'wall-time.json',
    new Blob([JSON.stringify(sent)], { type: 'application/json' }),
    'wall-time.json',
  );
  const body = Buffer.from(await new Response(form).arrayBuffer());
  for (const content of [body, contentOf(sent), contentOf({ event: {}, 'wall-time.json': sent })]) {
    const [only, ...others] = found(content);
    assert.deepEqual([only.details, others], [details, []]);
    assert.deepEqual(only.trace.samples, trace.samples);
  }
});

test('a profile of Sentry’s is read, with what it knows beside', () => {
  const [{ trace: read, details }] = found(contentOf(sentryProfile(trace)));
  assert.deepEqual(sampleCounts(stackTimes(read)), sampleCounts(stackTimes(trace)));
  assert.deepEqual(details, { userAgent: 'Mozilla/5.0', debugIds: { 'a.js': 'dead-beef' } });
});

test('an envelope of Sentry’s has its profiles among other items, which may have line breaks in them', () => {
  const recording = 'not\njson';
  const chunk = sentryProfile(trace);
  for (const [i, sample] of chunk.profile.samples.entries()) {
    Object.assign(sample, { elapsed_since_start_ns: undefined, timestamp: 1e9 + i / 100 });
  }
  const envelope = contentOf(
    { event_id: '0', sdk: { name: 'sentry.javascript.browser' } },
    { type: 'replay_recording', length: recording.length },
    recording,
    { type: 'transaction' },
    { spans: [] },
    { type: 'profile' },
    sentryProfile(trace),
    { type: 'profile_chunk' },
    chunk,
  );
  const [profile, second, ...others] = found(envelope);
  assert.deepEqual(others, []);
  assert.deepEqual(milliseconds(stackTimes(profile.trace)), milliseconds(stackTimes(trace)));
  assert.deepEqual(milliseconds(stackTimes(second.trace)), milliseconds(stackTimes(trace)));
  assert.deepEqual([profile.place, second.place], ['line 8', 'line 10']);
});

test('for any trace: Sentry’s form of it has the same stacks and times', () => {
  fc.assert(
    fc.property(timedTraceArbitrary, (any) => {
      const [{ trace: read }] = found(contentOf(sentryProfile(any)));
      assert.deepEqual(milliseconds(stackTimes(read)), milliseconds(stackTimes(any)));
    }),
  );
});

test('ids of Sentry’s that lead nowhere are told', () => {
  const profile = sentryProfile(trace);
  profile.profile.samples[1].stack_id = 9;
  assert.throws(
    () => found(contentOf(profile)),
    /^TraceError: file: profile\.samples\[1\]\.stack_id is 9, but there are 3 stacks$/,
  );
});

test('whatever is in a file, it comes to traces or to an error that names the file', () => {
  const json = contentOf({ trace, ...sentryProfile(trace) }, trace);
  const cutOrChanged = fc
    .record({ cut: fc.nat(json.length), at: fc.nat(json.length - 1), byte: fc.nat(255) })
    .map(({ cut, at, byte }) => {
      const changed = Buffer.from(json.subarray(0, cut));
      if (at < cut) changed[at] = byte;
      return changed;
    });
  const jsonValue = fc.jsonValue().map((value) => contentOf(value));
  const members = fc
    .record(
      {
        samples: fc.jsonValue(),
        stacks: fc.jsonValue(),
        frames: fc.jsonValue(),
        profile: fc.jsonValue(),
        trace: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((value) => contentOf({ platform: 'javascript', ...value, profile: value.profile ?? value }));
  const content = fc.oneof(
    cutOrChanged,
    jsonValue,
    members,
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(content, (bytes) => {
      try {
        found(bytes);
      } catch (error) {
        assert.ok(error instanceof TraceError, String(error));
        assert.match(error.message, /^(file|trace): /);
      }
    }),
    { numRuns: 3000 },
  );
});

test('a header of an envelope’s item that is none is told, and lengths that lead nowhere do no harm', () => {
  assert.throws(
    () => found(contentOf({ event_id: '0' }, { type: 'session' }, {}, null)),
    /^TraceError: file: line 4 must be the header of an item, not null$/,
  );
  for (const length of [-20, -1, 1e9, 2 ** 53, 0.5, '7']) {
    const content = contentOf({ event_id: '0' }, { type: 'replay_recording', length }, 'x'.repeat(9));
    assert.throws(() => found(content), /^TraceError: file: has no trace in it$/, String(length));
  }
});

test('a length that ends within a line is told with the line of the header that has it', () => {
  for (const [length, item] of /** @type {[number, string][]} */ ([
    [3, 'x'.repeat(9)],
    [6, 'not\njson'],
    [1, 'ä'],
  ])) {
    const content = contentOf(
      { event_id: '0' },
      { type: 'session' },
      {},
      { type: 'attachment', length },
      item,
      {
        type: 'profile',
      },
    );
    assert.throws(
      () => found(content),
      new RegExp(
        `^TraceError: file: line 4 says that its item has a length of ${length} bytes, but it goes on$`,
      ),
    );
  }
});

test('what is wrong in an item with line breaks is told with the line where the item begins', () => {
  const length = 9;
  const content = contentOf(
    { event_id: '0' },
    { type: 'profile', length },
    '{\n"a": 1\n',
    { type: 'session' },
    {},
  );
  assert.throws(() => found(content), /^TraceError: file: line 3 is not JSON/);
});
