import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { writeFunctionTable } from '../../instrumenter/tables/function_table.js';
import { ProbePoint } from '../../wasm/core.js';
import { newCore } from './load_core.js';
import { lineOf, outcomeOf } from './operations.js';
import { engineText, functionName } from './stack_texts.js';
import { tableFunctions } from './tables.js';

/**
 * @typedef {import('./operations.js').Operation} Operation
 * @typedef {import('../../wasm/core.js').Core} Core
 */

const REPLAY = fileURLToPath(new URL('../../build/native/test/runtime/replay', import.meta.url));
const SEED = 4711;
const URLS = ['https://h/a.js', 'https://h/b.js', 'https://h/ü (1).html'];

before(() => {
  assert.ok(
    existsSync(REPLAY),
    'the native core is not built: cmake --preset native && cmake --build --preset native',
  );
});

/** @param {string[]} lines @returns {string[]} one outcome a line */
function native(lines) {
  const { status, stdout, stderr, error } = spawnSync(REPLAY, {
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  assert.equal(error, undefined);
  assert.equal(status, 0, stderr);
  return stdout.slice(0, -1).split('\n');
}

/**
 * Runs operations on both cores.
 * @param {number} epochMs
 * @param {boolean} jitter
 * @param {Generator<Operation, void, string>} operations told the module's outcome of each
 * @returns {Promise<string[]>} all outcomes
 */
async function assertSame(epochMs, jitter, operations) {
  const { core } = await newCore(epochMs, jitter);
  const lines = [`epoch ${epochMs} ${Number(jitter)}`];
  const outcomes = [];
  for (let next = operations.next(); !next.done;) {
    const outcome = outcomeOf(core, next.value);
    lines.push(lineOf(next.value));
    outcomes.push(outcome);
    next = operations.next(outcome);
  }
  assert.deepEqual(outcomes, native(lines));
  return outcomes;
}

const call = fc.record({
  name: fc.oneof(functionName, fc.string({ unit: 'binary', maxLength: 8 })),
  url: fc.constantFrom(...URLS, 'https://h/not-instrumented.js'),
  line: fc.integer({ min: 1, max: 500 }),
  column: fc.integer({ min: 1, max: 400 }),
});

const text = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(engineText, fc.array(call, { maxLength: 20 })).map(([write, calls]) => write(calls)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

const table = fc.oneof(
  { weight: 6, arbitrary: tableFunctions.map((functions) => writeFunctionTable({ scriptId: 1, functions })) },
  { weight: 1, arbitrary: tableFunctions.map((functions) => writeFunctionTable({ scriptId: 2, functions })) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
);

const time = fc.double({ min: 0, max: 400, noNaN: true });

/** What may happen while sessions run. `record` comes with a stack and a number of ticks. */
const event = fc.oneof(
  fc.record({
    do: fc.constant('open'),
    intervalMs: fc.double({ min: 0, max: 20, noNaN: true }),
    maxSamples: fc.constantFrom(0, 3, 1000, 0xffffffff),
  }),
  fc.record({ do: fc.constant('close'), session: fc.nat(6) }),
  fc.record({ do: fc.constant('load'), script: fc.nat(3), table }),
  fc.record({ do: fc.constant('schedule'), at: time }),
  fc.record({ do: fc.constant('release'), session: fc.nat(40) }),
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('look'),
      text,
      point: fc.nat(2),
      skip: fc.nat(2),
      ticks: fc.constantFrom(1, 1, 3, 30),
      isLate: fc.boolean(),
    }),
  },
);

/**
 * @param {number} epochMs @param {any[]} events
 * @returns {Generator<Operation, void, string>}
 */
function* page(epochMs, events) {
  for (const url of URLS) yield ['register', 1, `@${url}:1:1`];
  yield ['open', 1, 1000, epochMs];
  const late = [];
  let tick = 0;
  for (const event of events) {
    const nowMs = epochMs + tick;
    if (event.do === 'open') yield ['open', event.intervalMs, event.maxSamples, nowMs];
    if (event.do === 'close') yield ['close', event.session, nowMs];
    if (event.do === 'load') yield ['load', event.script, event.table];
    if (event.do === 'schedule') yield ['schedule', nowMs + event.at];
    if (event.do === 'release') yield ['release', event.session];
    if (event.do !== 'look') continue;
    const look = { ...event, after: tick, last: tick + event.ticks };
    tick = look.last;
    if (event.isLate) late.push(look);
    else yield* attribute(look);
  }
  for (const look of late) yield* attribute(look);
  for (let session = 0; session < 8; session++) yield ['encode', session];
  yield ['counters'];
}

/** @param {any} look @returns {Generator<Operation, void, string>} */
function* attribute({ text, point, skip, after, last }) {
  const stack = Number(yield ['stack', point, skip, text]);
  if (stack >= 0) yield ['record', after, last, stack];
}

test('the module does the same as the native core, to the byte', async () => {
  const property = fc.asyncProperty(
    time,
    fc.boolean(),
    fc.array(event, { maxLength: 60 }),
    (epochMs, jitter, events) => assertSame(epochMs, jitter, page(epochMs, events)).then(() => {}),
  );
  await fc.assert(property, { seed: SEED, numRuns: 150 });
});

/**
 * Scripts whose table cannot be had: their frames are kept as the engines name them.
 * @param {string[]} texts @returns {Generator<Operation, void, string>}
 */
function* withoutTables(texts) {
  for (const [script, file] of ['index.html', 'classic.js', 'module.js', 'imported.js'].entries()) {
    yield ['register', 1, `@http://127.0.0.1:8000/${file}:1:1`];
    yield ['load', script, new Uint8Array()];
  }
  yield ['open', 1, 1000, 12.5];
  for (const [tick, text] of texts.entries()) {
    yield* attribute({ text, point: ProbePoint.LEAVE, skip: 0, after: tick, last: tick + 1 });
  }
  yield ['encode', 0];
}

test("both make the same of the engines' recorded stack texts", async () => {
  const folder = new URL('../../web-test/fixtures/stack_text/', import.meta.url);
  const texts = ['chromium', 'firefox', 'webkit'].flatMap((engine) =>
    readFileSync(new URL(`${engine}.txt`, folder), 'utf8')
      .split(/^=== .*\n/m)
      .slice(1),
  );
  assert.ok(texts.length > 100);
  const outcomes = await assertSame(12.5, false, withoutTables(texts));
  const { samples } = JSON.parse(outcomes[outcomes.length - 1]);
  assert.equal(samples.length, texts.length);
  assert.ok(samples.every((/** @type {any} */ { stackId }) => stackId !== undefined));
});
