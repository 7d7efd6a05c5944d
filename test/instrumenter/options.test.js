import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumentHtml } from '../../instrumenter/pages/html.js';
import { SourceError, instrument } from '../../instrumenter/instrument.js';
import { makeRealm, runScript } from './lib/realm.js';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import vm from 'node:vm';

test('an option that does not exist, or a value that it cannot have, is refused', () => {
  /** @type {[object, RegExp][]} */
  const wrong = [
    [{ fileName: 'a.js' }, /^unknown option 'fileName': there is file, sourceType, probe, minWeight/],
    [{ file: '' }, /^file must be the name of a file/],
    [{ file: 'folder/' }, /^file must be the name of a file/],
    [{ file: 5 }, /^file must be the name of a file/],
    [{ probe: 'laser' }, /^unknown probe 'laser': there is flag, shadow$/],
    [{ sourceType: 'ts' }, /^unknown sourceType 'ts': there is unambiguous, module, script, commonjs$/],
    [{ minWeight: -1 }, /^minWeight must be a number of at least 0, not -1$/],
    [{ minWeight: '3' }, /^minWeight must be/],
    [{ minWeight: NaN }, /^minWeight must be/],
    [{ prologue: 'a();\nb();' }, /^prologue must be one line$/],
  ];
  for (const [options, message] of wrong) {
    for (const run of [
      () => instrument('f()', options),
      () => instrumentHtml('<script>f()</script>', options),
    ]) {
      assert.throws(
        run,
        (/** @type {Error} */ error) => error instanceof TypeError && message.test(error.message),
      );
    }
  }
});

test('the file is named in the table, in the summary, in the map and in errors', () => {
  const { code, tableName, map, summary } = instrument('f()', { file: 'dir/app.js', minWeight: 0 });
  assert.equal(tableName, 'app.js.ppft');
  assert.ok(code.includes('"app.js.ppft"'));
  assert.equal(summary.file, 'dir/app.js');
  assert.deepEqual(/** @type {any} */ (map).sources, ['app.js']);
  assert.throws(
    () => instrument('f(\n1 2)', { file: 'dir/app.js' }),
    (error) =>
      error instanceof SourceError &&
      error.file === 'dir/app.js' &&
      error.line === 2 &&
      error.column === 3 &&
      error.frame === '  1 | f(\n> 2 | 1 2)\n    |   ^',
  );
});

test('the same text and options give the same result, and a second pass changes nothing', () => {
  const input = 'export function f() { return g() }';
  const once = instrument(input, { minWeight: 0 });
  assert.deepEqual(instrument(input, { minWeight: 0 }), once);
  const twice = instrument(once.code, { minWeight: 0 });
  assert.deepEqual([twice.code, twice.table, twice.summary.alreadyInstrumented], [once.code, null, true]);

  const page = instrumentHtml(`<script>f()</script>`, { minWeight: 0 });
  assert.equal(instrumentHtml(page.code, { minWeight: 0 }).code, page.code);
});

test('a script whose first variable is called like one of ours is not taken for instrumented', async () => {
  const input = 'var __ppH = 1, __ppF2 = 2; (function f() { log(__ppH, __ppF2, typeof __ppT) })()';
  const { code, summary } = instrument(input, { minWeight: 0 });
  assert.deepEqual([summary.alreadyInstrumented, summary.probed], [false, 2]);
  assert.deepEqual((await runScript(code, 'always')).log[0], '1 2 undefined');
});

test('a comment before a function decides whether it gets probes', () => {
  const { summary, table } = instrument(
    `/* polyprof-ignore */ function out() { a(); b(); c(); d(); e(); f(); g(); h(); i(); j() }
    /*! polyprof-include */ const light = () => 1;
    // polyprof-ignore
    ; function other() { a(); b(); c(); d(); e(); f(); g(); h(); i(); j() }`,
  );
  assert.deepEqual(summary.skipped, { ignored: 1, light: 1 });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const probed = functions.filter(({ flags }) => flags & FunctionFlag.PROBED).map(({ name }) => name);
  assert.deepEqual(probed, ['light', 'other']);
});

test('what is in an ignored function is ignored, but for what a comment includes', () => {
  const { summary, table } = instrument(
    `/*! polyprof-ignore */ function job() {
      onmessage = (e) => { f(e) }
      class A { m() { g() } x = () => h() }
      /*! polyprof-include */ function inner() { return () => f() }
    }
    function other() { job() }`,
    { minWeight: 0 },
  );
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const probed = functions.filter(({ flags }) => flags & FunctionFlag.PROBED).map(({ name }) => name);
  assert.deepEqual(probed, ['', 'inner', '', 'other']);
  assert.equal(summary.skipped.ignored, 4);
});

test('a comment that documents a function may stand between a mark and it', () => {
  const { summary } = instrument(
    `/* polyprof-include */
    /** @param {{a: number}} x; with braces */
    function light(x) { return x.a } // {
    /* polyprof-ignore */ // of } the next one;
    function heavy(x) { f(); g(); h(); f(); g(); h(); f(); g(); h(); f(); g(); h(); return x }`,
  );
  assert.deepEqual([summary.probed, summary.skipped], [1, { light: 1, ignored: 1 }]);
});

test('functions that must not get variables or checks are left out, with the reason', () => {
  const reasons = {
    'direct eval': `function f() { return eval('1') }`,
    with: `function f(o) { with (o) g() }`,
    'asm.js': `function f() { 'use asm'; function g() {} return g }`,
    'await using': `async function f() { await using a = g() }`,
    'catch parameter': `function* f() { try { yield 1 } catch ({ a = yield 2 }) { yield 3 } }`,
    'class initialiser': `class A { static x = 1 }`,
    'implicit constructor': `class A {}`,
    'no way to the global object': `export const globalThis = 1, self = 2; f()`,
  };
  for (const [reason, code] of Object.entries(reasons)) {
    const { summary } = instrument(code, { minWeight: 0 });
    assert.ok(summary.skipped[reason] > 0, `${reason}: ${JSON.stringify(summary.skipped)}`);
  }
});

test('functions around a direct eval are left out, those beside it and the top level are not', () => {
  const code = `function outer() { return () => eval('1') } function beside() { return g() }`;
  const { summary } = instrument(code, { minWeight: 0 });
  assert.deepEqual([summary.probed, summary.skipped], [2, { 'direct eval': 2 }]);
});

test('newer syntax is read: using, decorators, import attributes, regular expression flags', () => {
  for (const code of [
    'function f() { using a = g(); return a.b() }',
    '@d class A { @d accessor x = f(); @d m() { return g() } }',
    `import json from './a.json' with { type: 'json' }; f(json)`,
    'f(/[a--b]/v, /(?i:a)/, 1_000n, a ??= b, import.meta)',
    `import defer * as ns from './x.js'; f(ns.y)`,
  ]) {
    const { code: output, summary } = instrument(code, { minWeight: 0 });
    assert.ok(summary.probed > 0, code);
    assert.ok(instrument(output, { minWeight: 0 }).summary.alreadyInstrumented, 'what comes out can be read');
  }
});

test('the prelude makes one hook for all scripts of a realm, and each script registers once', () => {
  const { context } = makeRealm('none');
  for (const file of ['a.js', 'b.js']) {
    const { code } = instrument('function f() { return 1 } f()', { file, minWeight: 0 });
    vm.runInContext(code, context, { filename: `site/${file}` });
  }
  const { v, f, s } = context.__polyprof__;
  assert.deepEqual([v, f.length], [1, 64]);
  assert.deepEqual(
    [...s].map(([, table]) => table),
    ['a.js.ppft', 'b.js.ppft'],
  );
  for (const [index, [id, , stack]] of [...s].entries()) {
    assert.equal(typeof id, 'number');
    // The top frame is in the script itself: that is how its address is found.
    assert.match(stack().split('\n')[1], new RegExp(`site/${'ab'[index]}\\.js:1:`));
  }
});

test('a table may have any address, which is what the script gives the hook', () => {
  const { code, tableName } = instrument('f()', { minWeight: 0, tableName: '/tables/a.ppft' });
  assert.equal(tableName, '/tables/a.ppft');
  assert.ok(code.includes('"/tables/a.ppft"'));
  assert.throws(() => instrument('f()', { tableName: '' }), /tableName must be/);
});

const WITH_DIRECTIVE = `'use strict'
function first(a) { return a + 1 } const second = () => first(2)
globalThis.done = second()
// the end`;

for (const probe of ['flag', 'shadow']) {
  test(`a prologue runs before the script, behind its directives, and functions are where the table says, with ${probe} probes`, () => {
    const prologue = 'globalThis.before=typeof done;';
    const { code, table } = instrument(WITH_DIRECTIVE, { minWeight: 0, probe, prologue });
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
