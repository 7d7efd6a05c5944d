import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeFunctionTable } from '../../instrumenter/tables/function_table.js';
import { CoreError, createMemory, ProbePoint, SHADOW, Status } from '../../wasm/core.js';
import { attachSeat } from '../../wasm/core_seat.js';
import { coreModule, newCore, traceOf } from './load_core.js';

const KEY = 0xfeedbeef;

const TABLE = writeFunctionTable({
  scriptId: KEY,
  functions: [
    {
      ...{ startLine: 1, startColumn: 1, line: 1, column: 1, endLine: 99, endColumn: 1 },
      ...{ name: 'main', flags: 1, origin: null },
    },
    {
      ...{ startLine: 2, startColumn: 1, line: 2, column: 5, endLine: 9, endColumn: 1 },
      ...{ name: 'wörk', flags: 1, origin: null },
    },
  ],
});

/** @param {number} status */
const failsWith = (status) => (/** @type {any} */ error) =>
  error instanceof CoreError && error.status === status;

/** @param {import("../../wasm/core.js").Core} core @returns {number} of a script whose table is there */
function addScript(core) {
  const script = core.registerScript('@https://h/ä.js:1:1', KEY);
  assert.equal(core.loadTable(script, TABLE), Status.OK);
  return script;
}

const WORKING = 'wörk@https://h/ä.js:3:1\nmain@https://h/ä.js:50:1';

const TRACE_OF_WORK = {
  resources: ['https://h/ä.js'],
  frames: [
    { name: 'main', resourceId: 0, line: 1, column: 1 },
    { name: 'wörk', resourceId: 0, line: 2, column: 5 },
  ],
  stacks: [{ frameId: 0 }, { frameId: 1, parentId: 0 }],
};

test('from a script and a stack text to a trace, with names beyond ASCII', async () => {
  const { core } = await newCore(1000);
  const session = core.openSession(2.5, 100, 1000);
  assert.equal(core.longestWaitTicks(), 3);
  assert.equal(core.scriptUrl(addScript(core)), 'https://h/ä.js');
  const stack = core.stackOfText(WORKING, ProbePoint.LEAVE, 0);
  assert.ok(stack > 0);
  assert.equal(core.tickAt(1007.9), 6);
  assert.equal(core.msUntilNextTick(1007.5), 1.5);
  assert.equal(core.fillsAtTick(6), 306);
  assert.equal(core.record(0, 6, stack), 0);
  assert.equal(core.record(6, 9, 0), 0);
  core.closeSession(session, 1009);
  assert.deepEqual(traceOf(core, session), {
    ...TRACE_OF_WORK,
    samples: [{ timestamp: 1003, stackId: 1 }, { timestamp: 1006, stackId: 1 }, { timestamp: 1009 }],
  });
  core.releaseSession(session);
  assert.throws(() => core.releaseSession(session), failsWith(Status.UNKNOWN_SESSION));
});

test('a stack that waits for its table, an idle one and a wrong point are told apart', async () => {
  const { core } = await newCore();
  const script = core.registerScript('@https://h/ä.js:1:1', KEY);
  assert.equal(core.stackOfText(WORKING, ProbePoint.LEAVE, 0), -Status.PENDING_TABLE);
  assert.equal(core.loadTable(script, TABLE), Status.OK);
  assert.ok(core.stackOfText(WORKING, ProbePoint.LEAVE, 0) > 0);
  assert.equal(core.stackOfText('f@https://h/other.js:1:1', ProbePoint.LEAVE, 0), 0);
  assert.equal(core.stackOfText('', ProbePoint.ENTER, 0), 0);
  assert.equal(core.stackOfText(WORKING, 3, 0), -Status.INVALID_ARGUMENT);
});

test('what cannot be done is an error with its status', async () => {
  const { core } = await newCore();
  assert.throws(() => core.openSession(-1, 1, 0), failsWith(Status.INVALID_ARGUMENT));
  assert.throws(() => core.openSession(NaN, 1, 0), failsWith(Status.INVALID_ARGUMENT));
  assert.throws(() => core.closeSession(7, 0), failsWith(Status.UNKNOWN_SESSION));
  assert.throws(() => core.encodeTrace(7), failsWith(Status.UNKNOWN_SESSION));
  assert.throws(() => core.registerScript('nowhere', KEY), failsWith(Status.INVALID_ARGUMENT));
  assert.equal(core.loadTable(7, TABLE), Status.UNKNOWN_SCRIPT);
  assert.equal(core.scriptUrl(7), '');
  for (let i = 0; i < 32; i++) core.openSession(1, 1, 0);
  assert.throws(() => core.openSession(1, 1, 0), failsWith(Status.TOO_MANY_SESSIONS));
});

test('a full session is told, and its buffer may be as large as 32 bits say', async () => {
  const { core } = await newCore();
  const small = core.openSession(1, 2, 0);
  const large = core.openSession(1, 0xffffffff, 0);
  assert.equal(core.fillsAtTick(0), 2);
  assert.equal(core.record(0, 2, 0), 1);
  assert.equal(core.isFull(small), true);
  assert.equal(core.isFull(large), false);
  assert.equal(core.fillsAtTick(2), 0x7fffffff);
});

test('each kind of bad table has its status and its counter', async () => {
  const { core } = await newCore();
  const counted = () => {
    const { badTables, mismatchedTables, missingTables } = core.counters();
    return { badTables, mismatchedTables, missingTables };
  };
  assert.equal(
    core.loadTable(core.registerScript('@https://h/1.js:1:1', KEY), TABLE.slice(0, -1)),
    Status.BAD_TABLE,
  );
  assert.deepEqual(counted(), { badTables: 1, mismatchedTables: 0, missingTables: 0 });
  assert.equal(
    core.loadTable(core.registerScript('@https://h/2.js:1:1', KEY + 1), TABLE),
    Status.TABLE_MISMATCH,
  );
  assert.deepEqual(counted(), { badTables: 1, mismatchedTables: 1, missingTables: 0 });
  core.failTable(core.registerScript('@https://h/3.js:1:1', KEY));
  assert.deepEqual(counted(), { badTables: 1, mismatchedTables: 1, missingTables: 1 });
});

test('memory that grows between two calls, and within one, changes nothing that was there', async () => {
  const { core, memory } = await newCore();
  const session = core.openSession(1, 10, 0);
  const script = addScript(core);
  const stack = core.stackOfText(WORKING, ProbePoint.LEAVE, 0);
  const before = memory.buffer.byteLength;

  const huge = 'x'.repeat(3 * before);
  assert.equal(core.stackOfText(huge, ProbePoint.LEAVE, 0), 0);
  const grown = memory.buffer.byteLength;
  assert.ok(grown > before, `${grown} bytes after ${before}`);
  assert.equal(core.counters().unparsedFrames, 1);

  memory.grow(3);
  assert.equal(core.scriptUrl(script), 'https://h/ä.js');
  assert.equal(core.stackOfText(WORKING, ProbePoint.LEAVE, 0), stack);
  core.record(0, 1, stack);
  assert.deepEqual(traceOf(core, session), { ...TRACE_OF_WORK, samples: [{ timestamp: 1, stackId: 1 }] });
});

test('a trace larger than the memory is whole, and takes none of it', async () => {
  const { core, memory } = await newCore();
  const session = core.openSession(1, 100_000, 0);
  core.record(0, 100_000, 0);
  const before = memory.buffer.byteLength;
  const { samples } = traceOf(core, session);
  assert.equal(memory.buffer.byteLength, before);
  assert.equal(samples.length, 100_000);
  assert.deepEqual(samples.at(-1), { timestamp: 100_000 });
});

test('what does not fit into the memory at all is an error, after which the core goes on', async () => {
  const { core } = await newCore();
  const session = core.openSession(1, 10, 0);
  const script = core.registerScript('@https://h/ä.js:1:1', KEY);
  assert.throws(() => core.loadTable(script, new Uint8Array(130 << 20)), failsWith(Status.OUT_OF_MEMORY));
  assert.equal(core.loadTable(script, TABLE), Status.OK);
  core.record(0, 1, core.stackOfText(WORKING, ProbePoint.LEAVE, 0));
  assert.deepEqual(traceOf(core, session), { ...TRACE_OF_WORK, samples: [{ timestamp: 1, stackId: 1 }] });
});

test('a further instance over the same memory sees the same core, on a stack of its own', async () => {
  const { core, memory } = await newCore(500);
  const session = core.openSession(4, 10, 500);
  const seat = core.seat();
  assert.equal(seat.stackTop % 16, 0);
  const other = await attachSeat(coreModule(), memory, seat);
  assert.equal(other.longestWaitTicks(), 4);
  assert.equal(other.tickAt(509), 8);
  assert.equal(other.msUntilNextTick(509), 3);
  core.record(0, 8, 0);
  other.record(8, 12, 0);
  assert.deepEqual(
    traceOf(core, session).samples.map((/** @type {{timestamp: number}} */ { timestamp }) => timestamp),
    [504, 508, 512],
  );
});

test('two cores know nothing of each other', async () => {
  const { core: first } = await newCore();
  const { core: second } = await newCore();
  first.openSession(3, 1, 0);
  assert.equal(second.longestWaitTicks(), 0);
});

test('no export touches the heap unless it allocates: the worker calls some while the page’s thread allocates', async () => {
  const exports = /** @type {any} */ (
    await WebAssembly.instantiate(coreModule(), {
      env: { memory: createMemory(), take() {} },
    })
  ).exports;
  const core = exports.polyprof_core_create(0, 1, 0, 0);
  const freed = exports.polyprof_allocate(1000);
  exports.polyprof_allocate(1000);
  exports.polyprof_release(freed);
  exports.polyprof_longest_wait_ticks(core);
  exports.polyprof_next_tick(core, 1);
  exports.polyprof_tick_at(core, 1);
  exports.polyprof_ms_until_next_tick(core, 1);
  assert.equal(exports.polyprof_allocate(1000), freed);
});

test('when there is no room for further stacks, those that are there are still to be had', async () => {
  const { core } = await newCore();
  const session = core.openSession(1, 10_000, 0);
  core.failTable(core.registerScript('@https://h/a.js:1:1', KEY));
  let tick = 0;
  let stack = 0;
  for (; stack >= 0; tick++) {
    const frames = Array.from(
      { length: 2000 },
      (_, i) => `function${tick}@https://h/a.js:${2000 * tick + i}:1`,
    );
    stack = core.stackOfText(frames.join('\n'), ProbePoint.LEAVE, 0);
    if (stack > 0) core.record(tick, tick + 1, stack);
  }
  assert.equal(stack, -Status.OUT_OF_MEMORY);
  assert.equal(core.counters().lostToMemory, 1);
  const { samples, stacks } = traceOf(core, session);
  assert.equal(samples.length, tick - 1);
  assert.ok(stacks.length > 200_000, `${stacks.length} stacks`);
});

test('shadow stacks for which there is no room are counted as lost, and those that are there are still to be had', async () => {
  const { core, memory } = await newCore();
  const session = core.openSession(1, 10_000, 0);
  const cells = new Uint32Array(memory.buffer, SHADOW.offset, SHADOW.cells);
  const depth = 30_000;
  const ticks = 12;
  // Functions that no table knows would look alike in the trace.
  const functions = Array.from({ length: ticks * depth }, (_, i) => {
    const line = i + 1;
    const range = { startLine: line, startColumn: 1, line, column: 1, endLine: line, endColumn: 9 };
    return { ...range, name: 'f', flags: 1, origin: null };
  });
  const script = core.registerScript('@https://h/a.js:1:1', KEY, 1);
  assert.equal(core.loadTable(script, writeFunctionTable({ scriptId: KEY, functions })), Status.OK);
  /** @type {number[]} */
  const stacks = [];
  for (let tick = 0; tick < ticks; tick++) {
    for (let i = 1; i <= depth; i++) cells[i] = tick * depth + i;
    cells[0] = depth + 1;
    stacks.push(core.stackOfShadow());
    if (stacks[tick] >= 0) core.record(tick, tick + 1, stacks[tick]);
  }
  const taken = stacks.filter((stack) => stack > 0).length;
  assert.equal(taken, Math.floor(2 ** 18 / depth));
  assert.ok(stacks.slice(taken).every((stack) => stack === -Status.OUT_OF_MEMORY));
  assert.equal(core.counters().lostToMemory, stacks.length - taken);
  const trace = traceOf(core, session);
  assert.equal(trace.samples.length, taken);
  assert.equal(trace.stacks.length, taken * depth);

  // What is there is found again.
  for (let i = 1; i <= depth; i++) cells[i] = i;
  assert.equal(core.stackOfShadow(), stacks[0]);
});

test('a session that takes all memory counts what it lost, its trace is to be had, and the others lose nothing', async () => {
  const { core } = await newCore();
  const endless = core.openSession(1, 0xffffffff, 0);
  const small = core.openSession(1000, 100_000, 0);
  let tick = 4_000_000;
  core.record(0, tick, 0);
  // Asking for the counters takes longer than what they count: not for each of those that surely find room.
  for (; tick < 12_000_000; tick++) core.record(tick, tick + 1, 0);
  for (; core.counters().lostToMemory === 0; tick++) core.record(tick, tick + 1, 0);
  assert.equal(core.counters().lostToMemory, 1);
  assert.ok(tick > 4_000_000, `${tick} samples`);
  assert.equal(traceOf(core, endless).samples.length, tick - 1);
  assert.equal(traceOf(core, small).samples.length, Math.floor(tick / 1000));
  core.releaseSession(endless);
  core.record(tick, tick + 1000, 0);
  assert.equal(core.counters().lostToMemory, 1);
  assert.equal(traceOf(core, small).samples.length, Math.floor((tick + 1000) / 1000));
});
