import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { withBothProbes } from './both_probes.js';

const CODE = `function outer(list) {
  let sum = 0;
  for (const item of list) { sum += inner(item); sum -= 1; sum += inner(sum); sum %= 1000; list.at(0); list.at(1); list.at(2); list.at(3); }
  return sum;
}
function inner(x) { return x + 1 }
globalThis.result = outer([1, 2, 3]);
`;

for (const inner of /** @type {const} */ (['flag', 'shadow'])) {
  test(`a script with probes of both kinds computes the same, and both hooks know it: first ${inner}`, () => {
    const expected = /** @type {any} */ ({});
    runInNewContext(CODE, expected);
    const realm = /** @type {any} */ ({});
    const { code, tables } = withBothProbes(CODE, 'sum.js', inner);
    runInNewContext(code, realm);
    assert.equal(realm.result, expected.result);
    const registered = [realm.__polyinner__, realm.__polyprof__].map((hook) => hook.s[0][1]);
    assert.deepEqual(registered, Object.keys(tables));
    assert.match(registered[0], new RegExp(inner));
  });

  test(`the tables of both kinds have the functions where they are in the code with both: first ${inner}`, () => {
    const { code, tables, probed } = withBothProbes(CODE, 'sum.js', inner);
    const [first, second] = Object.values(tables).map((table) => readFunctionTable(table).functions);
    const place = (/** @type {typeof first} */ functions, /** @type {string} */ wanted) => {
      const { line, column } = functions.find(({ name }) => name === wanted) ?? { line: 0, column: 0 };
      const text = code.split('\n')[line - 1] ?? '';
      return { line, column, parameters: /^\(\w+\)/.exec(text.slice(column - 1))?.[0] };
    };
    for (const [name, parameter] of [
      ['outer', '(list)'],
      ['inner', '(x)'],
    ]) {
      assert.equal(place(first, name).parameters, parameter);
      assert.deepEqual(place(first, name), place(second, name));
    }
    const { line, column } = place(first, 'outer');
    assert.ok(probed.some((fn) => fn.line === line && fn.column === column));
  });
}

test('a script with names of ours is told by its file', () => {
  assert.throws(() => withBothProbes('var __ppH1', 'odd.js', 'flag'), /^Error: odd.js has the name __pp/);
});
