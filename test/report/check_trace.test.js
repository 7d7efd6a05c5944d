import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkTrace } from '../../report/reading/check_trace.js';
import { readTrace } from '../../report/reading/read_trace.js';
import { traceOf } from './traces.js';

test('a valid trace is given back as it is', () => {
  const trace = traceOf(['main;work@app.js:3:7', 'main', '']);
  assert.equal(checkTrace(trace), trace);
});

test('a trace of nothing is valid', () => {
  assert.doesNotThrow(() => checkTrace({ resources: [], frames: [], stacks: [], samples: [] }));
});

test('members that are not of the specification are let through', () => {
  assert.doesNotThrow(() => checkTrace({ ...traceOf(['main']), counters: { lost: 3 } }));
});

for (const [what, value] of /** @type {const} */ ([
  ['a .cpuprofile', { nodes: [], startTime: 0, endTime: 1, samples: [], timeDeltas: [] }],
  ["a trace of Chrome's DevTools", { traceEvents: [], metadata: {} }],
  ['a profile of the Firefox Profiler', { meta: { version: 30 }, libs: [], threads: [] }],
  ['a file of speedscope', { $schema: 'https://www.speedscope.app/…', shared: {}, profiles: [] }],
])) {
  test(`${what} is named as what it is`, () => {
    assert.throws(() => checkTrace(value, 'my.json'), {
      message: `my.json: is ${what}, and not a trace: give what the page's profiler made`,
    });
  });
}

/** What is broken in a good trace, and what the error says. @type {[string, (trace: any) => unknown, string][]} */
const BROKEN = [
  ['no object', () => null, 'my.json: must be an object, not null'],
  ['an array in place of the trace', () => [], 'my.json: must be an object, not an array'],
  ['no samples', (t) => ({ ...t, samples: undefined }), 'my.json: samples must be an array, not missing'],
  ['frames as an object', (t) => ({ ...t, frames: {} }), 'my.json: frames must be an array, not an object'],
  [
    'a resource that is a number',
    (t) => ({ ...t, resources: [7] }),
    'my.json: resources[0] must be a string, not 7',
  ],
  [
    'a frame without a name',
    (t) => void delete t.frames[1].name,
    'my.json: frames[1].name must be a string, not missing',
  ],
  [
    'a resource id without a resource',
    (t) => void (t.frames[1].resourceId = 1),
    'my.json: frames[1].resourceId is 1, but there are 1 resources',
  ],
  [
    'a negative line',
    (t) => void (t.frames[1].line = -1),
    'my.json: frames[1].line must be a whole number of at least 0, not -1',
  ],
  [
    'a fraction as column',
    (t) => void (t.frames[1].column = 1.5),
    'my.json: frames[1].column must be a whole number of at least 0, not 1.5',
  ],
  ['a stack that is no object', (t) => void (t.stacks[0] = 3), 'my.json: stacks[0] must be an object, not 3'],
  [
    'a stack without a frame',
    (t) => void delete t.stacks[1].frameId,
    'my.json: stacks[1].frameId must be an index into frames, not missing',
  ],
  [
    'a frame id without a frame',
    (t) => void (t.stacks[1].frameId = 2),
    'my.json: stacks[1].frameId is 2, but there are 2 frames',
  ],
  [
    'a negative parent',
    (t) => void (t.stacks[1].parentId = -1),
    'my.json: stacks[1].parentId is -1, but there are 2 stacks',
  ],
  [
    'a parent in words',
    (t) => void (t.stacks[1].parentId = 'main'),
    'my.json: stacks[1].parentId must be an index into stacks, not "main"',
  ],
  [
    'a stack that is its own caller',
    (t) => void (t.stacks[1].parentId = 1),
    'my.json: stacks[1].parentId leads back to the same stack',
  ],
  [
    'two stacks that call each other',
    (t) => void (t.stacks[0].parentId = 1),
    'my.json: stacks[0].parentId leads back to the same stack',
  ],
  [
    'a sample without a time',
    (t) => void delete t.samples[0].timestamp,
    'my.json: samples[0].timestamp must be a number of milliseconds, not missing',
  ],
  [
    'time that runs backwards',
    (t) => void (t.samples[1].timestamp = -1),
    'my.json: samples[1].timestamp is -1, earlier than the samples before (100)',
  ],
  [
    'a time that no clock has',
    (t) => void (t.samples[2].timestamp = 1e306),
    'my.json: samples[2].timestamp must be a number of milliseconds, at most 9000000000000, not 1e+306',
  ],
  [
    'a stack id without a stack',
    (t) => void (t.samples[2].stackId = 2),
    'my.json: samples[2].stackId is 2, but there are 2 stacks',
  ],
];

for (const [what, breakIt, message] of BROKEN) {
  test(`${what}: the error names file and place`, () => {
    const trace = traceOf(['main;work@app.js:3:7', 'main', '']);
    const broken = breakIt(trace);
    assert.throws(() => checkTrace(broken === undefined ? trace : broken, 'my.json'), {
      name: 'TraceError',
      message,
    });
  });
}

test('a chain of a hundred thousand callers is checked without running out of stack', () => {
  const stacks = Array.from({ length: 1e5 }, (_, i) =>
    i === 0 ? { frameId: 0 } : { frameId: 0, parentId: i - 1 },
  );
  const samples = [{ timestamp: 0, stackId: stacks.length - 1 }];
  assert.doesNotThrow(() => checkTrace({ resources: [], frames: [{ name: 'f' }], stacks, samples }));
});

test('a sample that stands a moment after a later one, as of an interrupted thread of V8, is let through; many such moments are not', () => {
  const samplesAt = (/** @type {number[]} */ ...times) => ({
    ...traceOf([]),
    samples: times.map((timestamp) => ({ timestamp })),
  });
  assert.doesNotThrow(() => checkTrace(samplesAt(270, 280.215, 280.21, 290)));
  assert.throws(() => checkTrace(samplesAt(270, 200, 130)), {
    message: 'trace: samples[2].timestamp is 130, earlier than the samples before (270)',
  });
});

test('a parent may come after its child', () => {
  const stacks = [{ frameId: 0, parentId: 1 }, { frameId: 0 }];
  assert.doesNotThrow(() => checkTrace({ resources: [], frames: [{ name: 'f' }], stacks, samples: [] }));
});

test('a file is read and checked', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'polyprof-'));
  t.after(() => rm(folder, { recursive: true }));
  const write = async (/** @type {string} */ name, /** @type {string} */ text) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const trace = traceOf(['main']);
  assert.deepEqual(await readTrace(await write('good.json', JSON.stringify(trace))), trace);
  await assert.rejects(readTrace(await write('cut.json', '{"resources": [')), {
    name: 'TraceError',
    message: /cut\.json: is not JSON \(/,
  });
  await assert.rejects(
    readTrace(await write('list.json', '[]')),
    /list\.json: must be an object, not an array/,
  );
  await assert.rejects(readTrace(join(folder, 'none.json')), /none\.json: does not exist$/);
  await assert.rejects(readTrace(folder), /cannot be read \(EISDIR/);
});
