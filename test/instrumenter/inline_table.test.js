import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
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
