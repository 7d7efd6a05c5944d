import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeFunctionTable } from '../../instrumenter/tables/function_table.js';
import { ProbePoint, Status } from '../../wasm/core.js';
import { newCore, traceOf } from './load_core.js';
import { engineText, functionName } from './stack_texts.js';

const SEED = 73;
const KEY = 7;
const URL = 'https://h/app.js';
const FUNCTIONS = 6;

/** Function i is on line i + 1. */
const names = fc.array(functionName, { minLength: FUNCTIONS, maxLength: FUNCTIONS });

/** Numbers of functions, leaf first; empty: idle. */
const stack = fc.array(fc.nat(FUNCTIONS - 1), { maxLength: 12 });

const session = fc.record({
  intervalMs: fc.constantFrom(0, 1, 1.5, 2, 3, 10, 14),
  maxSamples: fc.constantFrom(0, 1, 5, 1000),
  from: fc.nat(100),
  to: fc.nat(300),
});

const looks = fc.array(fc.record({ stack, ticks: fc.constantFrom(1, 1, 2, 7, 40), isLate: fc.boolean() }), {
  maxLength: 60,
});

/**
 * The stack of each sample of a trace, as far as the trace tells.
 * @param {any} trace
 * @returns {{timestamp: number, stack: string[]}[]} leaf first, "name line:column url"
 */
function samplesOf({ resources, frames, stacks, samples }) {
  return samples.map((/** @type {any} */ { timestamp, stackId }) => {
    const names = [];
    for (let id = stackId; id !== undefined; id = stacks[id].parentId) {
      const { name, line, column, resourceId } = frames[stacks[id].frameId];
      names.push(`${name} ${line}:${column} ${resources[resourceId]}`);
    }
    return { timestamp, stack: names };
  });
}

test('a trace holds for each session exactly the stacks at its ticks, in order', async () => {
  const property = fc.asyncProperty(
    names,
    fc.array(session, { minLength: 1, maxLength: 5 }),
    looks,
    engineText,
    async (names, sessions, looks, text) => {
      const { core } = await newCore();
      const functions = names.map((name, i) => ({
        ...{ startLine: i + 1, startColumn: 1, line: i + 1, column: 3, endLine: i + 1, endColumn: 90 },
        ...{ name, flags: 1, origin: null },
      }));
      const script = core.registerScript(`@${URL}:1:1`, KEY);
      assert.equal(core.loadTable(script, writeFunctionTable({ scriptId: KEY, functions })), Status.OK);

      // Sessions are opened before their first tick and closed after their last; what ran is recorded in pieces.
      const opened = sessions.map((options) => ({
        ...options,
        id: core.openSession(options.intervalMs, options.maxSamples, options.from),
      }));
      for (const { id, from, to } of opened) core.closeSession(id, Math.max(from, to));

      /** @type {{tick: number, stack: string[]}[]} in the order of recording */
      const recorded = [];
      /** @type {(() => void)[]} */
      const late = [];
      let after = 0;
      for (const { stack, ticks, isLate } of looks) {
        const [first, last] = [after, after + ticks];
        after = last;
        const calls = stack.map((i) => ({ name: 'x', url: URL, line: i + 1, column: 50 }));
        const record = () => {
          core.record(first, last, core.stackOfText(text(calls), ProbePoint.LEAVE, 0));
          const shown = stack.map((i) => `${names[i]} ${i + 1}:3 ${URL}`);
          for (let tick = first + 1; tick <= last; tick++) recorded.push({ tick, stack: shown });
        };
        if (isLate) late.push(record);
        else record();
      }
      for (const record of late) record();

      for (const { id, intervalMs, maxSamples, from, to } of opened) {
        const interval = Math.max(1, Math.ceil(intervalMs));
        const due = recorded.filter(
          ({ tick }) => tick % interval === 0 && tick > from && tick <= Math.max(from, to),
        );
        const kept = due.slice(0, maxSamples).sort((a, b) => a.tick - b.tick);
        const trace = traceOf(core, id);
        assert.deepEqual(
          samplesOf(trace),
          kept.map(({ tick, stack }) => ({ timestamp: tick, stack })),
        );
        assert.equal(core.isFull(id), due.length >= maxSamples && due.length > 0);
        const used = (/** @type {string} */ member, /** @type {any[]} */ rows) =>
          new Set(rows.map((row) => row[member]).filter((id) => id !== undefined)).size;
        assert.equal(used('resourceId', trace.frames), trace.resources.length);
        assert.equal(used('frameId', trace.stacks), trace.frames.length);
        assert.ok(
          trace.stacks.every((/** @type {any} */ { parentId = -1 }, /** @type {number} */ i) => parentId < i),
        );
      }
    },
  );
  await fc.assert(property, { seed: SEED, numRuns: 200 });
});
