import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionFlag, writeFunctionTable } from '../../instrumenter/tables/function_table.js';
import { probedOnly } from './probed_only.js';

const { PROBED } = FunctionFlag;
const place = (/** @type {number} */ line) => ({ startLine: line, startColumn: 1, line, column: 5 });
const range = { endLine: 9, endColumn: 9, origin: null };
const table = writeFunctionTable({
  scriptId: 1,
  functions: [
    { ...place(1), name: 'probed', flags: PROBED, ...range },
    { ...place(2), name: 'light', flags: 0, ...range },
    { ...place(3), name: 'inner', flags: PROBED, ...range },
  ],
});

test('functions without probes and what is of no table are charged to the nearest caller with probes', () => {
  const frame = (/** @type {string} */ name, /** @type {number} */ line) => ({ name, line, column: 5 });
  const trace = {
    resources: [],
    frames: [frame('probed', 1), frame('light', 2), frame('inner', 3), { name: 'sort' }],
    stacks: [
      { frameId: 1 },
      { frameId: 0, parentId: 0 },
      { frameId: 1, parentId: 1 },
      { frameId: 2, parentId: 2 },
      { frameId: 3, parentId: 3 },
    ],
    samples: [0, 1, 2, 3, 4, undefined].map((stackId, timestamp) =>
      stackId === undefined ? { timestamp } : { timestamp, stackId },
    ),
  };
  const { stacks, samples } = probedOnly(trace, table);
  assert.deepEqual(
    samples.map(({ stackId }) => stackId),
    [undefined, 1, 1, 3, 3, undefined],
  );
  assert.deepEqual(stacks[1], { frameId: 0 });
  assert.deepEqual(stacks[3], { frameId: 2, parentId: 1 });
});
