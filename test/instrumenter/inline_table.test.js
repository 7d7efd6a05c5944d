import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { instrument } from '../../instrumenter/instrument.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { makeRealm } from './lib/realm.js';

const INPUT = `'use strict'
function first(a) { return a + 1 } const second = () => first(2)
globalThis.done = second()
// the end`;

for (const probe of ['flag', 'shadow']) {
  test(`an inlined table is the one that the script gives the hook, with ${probe} probes`, () => {
    const { code, table, map } = instrument(INPUT, { minWeight: 0, inlineTable: true, probe });
    const { context } = makeRealm('none');
    vm.runInContext(code, context);
    assert.equal(context.done, 3);
    const [[, address]] = context.__polyprof__.s;
    const [kind, data] = address.split(',');
    assert.equal(kind, 'data:application/octet-stream;base64');
    assert.deepEqual(new Uint8Array(Buffer.from(data, 'base64')), table);

    const lines = code.split('\n');
    const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
    const places = functions.map(({ name, line, column }) => [name, lines[line - 1].slice(column - 1)]);
    assert.ok(places[1][1].startsWith('(a)') && places[2][1].startsWith('() =>'), JSON.stringify(places));
    assert.equal(/** @type {any} */ (map).sourcesContent[0], INPUT);
    assert.ok(instrument(code, { inlineTable: true, probe }).summary.alreadyInstrumented);
  });
}

test('a table may have any address, which is what the script gives the hook', () => {
  const { code, tableName } = instrument('f()', { minWeight: 0, tableName: '/tables/a.ppft' });
  assert.equal(tableName, '/tables/a.ppft');
  assert.ok(code.includes('"/tables/a.ppft"'));
  assert.throws(() => instrument('f()', { tableName: '' }), /tableName must be/);
});

for (const probe of ['flag', 'shadow']) {
  test(`a prologue runs before the script, behind its directives, and functions are where the table says, with ${probe} probes`, () => {
    const prologue = 'globalThis.before=typeof done;';
    const { code, table } = instrument(INPUT, { minWeight: 0, probe, prologue });
    const { context } = makeRealm('none');
    vm.runInContext(code, context);
    assert.deepEqual([context.before, context.done], ['undefined', 3]);
    assert.match(code, /^'use strict'/);
    const lines = code.split('\n');
    const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
    const first = functions.find(({ name }) => name === 'first');
    assert.ok(first && lines[first.line - 1].slice(first.column - 1).startsWith('(a)'));
    assert.ok(instrument(code, { probe, prologue }).summary.alreadyInstrumented);
    assert.equal(instrument('f()', { probe, prologue, minWeight: 100 }).code, 'f()', 'nothing has probes');
  });
}

test('functions of sources that are not selected have no probes', () => {
  const inputMap = {
    version: 3,
    sources: ['own.js', 'lib.js'],
    names: [],
    mappings: 'AAAA;ACAA;',
    sourcesContent: ['function a() { f() }', 'function b() { f() }'],
  };
  /** @type {Set<string>} */
  const asked = new Set();
  const selectSource = (/** @type {string} */ source) => {
    asked.add(source);
    return source === 'own.js';
  };
  const code = 'function a() { f() }\nfunction b() { f() }\n(() => f())()';
  const { table, summary } = instrument(code, { minWeight: 0, inputMap, selectSource });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const probed = functions.filter(({ flags }) => flags & FunctionFlag.PROBED).map(({ name }) => name);
  assert.deepEqual(probed, ['', 'a']);
  assert.deepEqual(summary.skipped, { excluded: 2 });
  assert.deepEqual([...asked], ['own.js', 'lib.js', '']);
  const none = instrument(code, { minWeight: 0, inputMap, selectSource: () => false });
  assert.deepEqual([none.code, none.table], [code, null]);
});

test('without chainMap the map leads to the code that was given', () => {
  const inputMap = { version: 3, sources: ['original.ts'], names: [], mappings: 'AAAA' };
  const own = /** @type {any} */ (
    instrument('f()', { minWeight: 0, inputMap, chainMap: false, file: 'a/b.js' })
  );
  const chained = /** @type {any} */ (instrument('f()', { minWeight: 0, inputMap, file: 'a/b.js' }));
  assert.deepEqual([own.map.sources, chained.map.sources], [['b.js'], ['original.ts']]);
});
