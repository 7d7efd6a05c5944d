import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instrument } from '../../instrumenter/instrument.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';

const { table } = instrument('class A { get b() { return f(); } }\nconst c = x => f(x);\n', {
  file: 'ünï.js',
  minWeight: 0,
});
const bytes = /** @type {Uint8Array} */ (table);

test('names, ranges and origins are as the source has them', () => {
  const { functions } = readFunctionTable(bytes);
  assert.deepEqual(
    functions
      .filter(({ flags }) => flags === 1)
      .map(({ name, line, endLine, origin }) => [name, line, endLine, origin]),
    [
      ['get b', 1, 1, { source: 'ünï.js', line: 1, column: 15, name: '' }],
      ['c', 2, 2, { source: 'ünï.js', line: 2, column: 7, name: '' }],
    ],
  );
});

test('a table that is cut off anywhere is refused, with the name of the file', () => {
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(
      () => readFunctionTable(bytes.subarray(0, length), 'cut.ppft'),
      /^Error: cut\.ppft: not a function table/,
    );
  }
});

test('a table with a wrong byte anywhere is refused', () => {
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ change : byte));
      assert.throws(
        () => readFunctionTable(damaged, 'odd.ppft'),
        /^Error: odd\.ppft: not a function table of version 2/,
      );
    }),
  );
});

test('a table that says what is not there is refused, though its checksum is right', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (content) => {
      const file = withChecksum([...bytes.subarray(0, 9), ...content]);
      // Random bytes may also be a table; what must not happen is anything but an answer or a refusal.
      try {
        assert.ok(Array.isArray(readFunctionTable(file, 'random.ppft').functions));
      } catch (error) {
        assert.match(String(error), /^Error: random\.ppft: not a function table/);
      }
    }),
    { numRuns: 2000 },
  );
});

/** @param {number[]} content @returns {Uint8Array} with FNV-1a of it at the end, as docs/function-table.md says */
function withChecksum(content) {
  const hash = content.reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
  return Uint8Array.from([...content, ...new Uint8Array(new Uint32Array([hash]).buffer)]);
}
