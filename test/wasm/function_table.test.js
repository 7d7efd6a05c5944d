import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FunctionFlag, writeFunctionTable } from '../../instrumenter/tables/function_table.js';
import { ProbePoint, Status } from '../../wasm/core.js';
import { newCore, traceOf } from './load_core.js';
import { engineText } from './stack_texts.js';
import { innermostAt, tableFunctions } from './tables.js';

const SEED = 20240917;
const KEY = 0x80000001;
const URL = 'https://h/app.js';

/** @param {import('../../wasm/core.js').Core} core @param {Uint8Array} table @returns {number} the Status */
function load(core, table) {
  return core.loadTable(core.registerScript(`@${URL}:1:1`, KEY), table);
}

test("the core finds the function that the instrumenter's writer put at a position, with its name and place", async () => {
  const property = fc.asyncProperty(
    tableFunctions,
    fc.array(fc.tuple(fc.nat(), fc.nat(400)), { minLength: 1, maxLength: 20 }),
    engineText,
    fc.boolean(),
    async (functions, picks, text, hasStarts) => {
      const { core } = await newCore(0, false, hasStarts);
      assert.equal(load(core, writeFunctionTable({ scriptId: KEY, functions })), Status.OK);
      for (const [pick, step] of picks) {
        // Inside a function, at its very start or end, between its start and its definition, or somewhere after it.
        const near = functions[pick % Math.max(functions.length, 1)] ?? {
          startLine: 1,
          startColumn: 1,
          endLine: 1,
          endColumn: 1,
        };
        const [line, column] =
          step === 0
            ? [near.endLine, near.endColumn]
            : [near.startLine, near.startColumn + Math.max(step - 2, 0)];
        const expected = innermostAt(functions, line, column, hasStarts);
        const isProbed = expected !== undefined && (expected.flags & FunctionFlag.PROBED) !== 0;
        const stack = core.stackOfText(
          text([{ name: 'engine', url: URL, line, column }]),
          ProbePoint.LEAVE,
          0,
        );
        if (!isProbed) {
          assert.equal(stack, 0);
          continue;
        }
        const session = core.openSession(1, 1, 0);
        core.record(0, 1, stack);
        const [frame] = traceOf(core, session).frames;
        core.releaseSession(session);
        const isRunTimeName = (expected.flags & FunctionFlag.RUNTIME_NAME) !== 0;
        assert.deepEqual(frame, {
          name: isRunTimeName ? 'engine' : expected.name,
          resourceId: 0,
          line: expected.line,
          column: expected.column,
        });
      }
    },
  );
  await fc.assert(property, { seed: SEED, numRuns: 150 });
});

test('every shorter prefix of a table, and every table with a damaged byte, is refused and counted', async () => {
  const [functions] = fc.sample(
    tableFunctions.filter(({ length }) => length > 5 && length < 15),
    { seed: SEED, numRuns: 1 },
  );
  const table = writeFunctionTable({ scriptId: KEY, functions });
  const { core } = await newCore();
  const damaged = Array.from(table, (byte, at) => table.with(at, byte ^ 0x40));
  const prefixes = Array.from(table, (_, length) => table.slice(0, length));
  for (const bad of [...prefixes, ...damaged]) assert.equal(load(core, bad), Status.BAD_TABLE);
  assert.equal(core.counters().badTables, 2 * table.length);
  assert.equal(load(core, table), Status.OK);
});
