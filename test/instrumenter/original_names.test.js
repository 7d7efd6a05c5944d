import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '@jridgewell/sourcemap-codec';
import { minify } from 'terser';
import ts from 'typescript';
import { instrument } from '../../instrumenter/instrument.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';

/** @param {string} source TypeScript @returns {string[]} `original name line` per function, once compiled for old browsers */
function originsOf(source) {
  const { outputText, sourceMapText } = ts.transpileModule(source, {
    fileName: 'a.ts',
    compilerOptions: { target: ts.ScriptTarget.ES5, sourceMap: true, inlineSources: true },
  });
  const { table } = instrument(outputText, { file: 'a.js', minWeight: 0, inputMap: sourceMapText });
  return readFunctionTable(/** @type {Uint8Array} */ (table)).functions.flatMap(({ origin }) =>
    origin ? [`${origin.name} ${origin.line}`] : [],
  );
}

test('methods of classes that became functions keep their names', () => {
  const source = 'class A {\n  set(x) { f(x); }\n  private static solve() { f(); }\n  async() { f(); }\n}';
  const names = originsOf(source);
  for (const name of ['set 2', 'solve 3', 'async 4']) assert.ok(names.includes(name), `${name} in ${names}`);
});

test('a function that is assigned to a property is called by it', () => {
  assert.deepEqual(originsOf('options.diff = vnode => f(vnode);').slice(-1), ['diff 1']);
  assert.deepEqual(originsOf('this["on error"] = function () { f(); };').slice(-1), ['on error 1']);
});

test('a handler that is kept in a list, as Vue does, is called by its property', () => {
  assert.deepEqual(originsOf('f({ onClick: kept[0] || (kept[0] = (e) => f(e)) });').slice(-1), ['onClick 1']);
  assert.deepEqual(originsOf('kept[0] = (e) => f(e);').slice(-1), [' 1']);
});

test('a callback is not called by its parameter', () => {
  assert.deepEqual(originsOf('list.forEach(item => f(item));').slice(-1), [' 1']);
  assert.deepEqual(originsOf('table[key] = item => f(item);').slice(-1), [' 1']);
});

test('a function that a minifier moved into its only call keeps the name that it was declared or assigned by', async () => {
  const source = `const twice = function (n) {
  let m = n;
  while (m < 2 * n) m++;
  return m;
};
export function run() {
  return inner(twice(globalThis.n));
}
function inner(n) {
  try { return n.call() } finally { n = 0 }
}`;
  const { code, map } = await minify(
    { 'a.js': source },
    { module: true, toplevel: true, compress: { passes: 3 }, sourceMap: { includeSources: true } },
  );
  assert.doesNotMatch(String(code), /twice|inner/);
  const { table } = instrument(String(code), { minWeight: 0, inputMap: String(map) });
  const origins = readFunctionTable(/** @type {Uint8Array} */ (table)).functions.map(({ origin }) => origin);
  const names = origins.map((origin) => `${origin?.name} ${origin?.line}`);
  for (const name of ['run 6', 'twice 1', 'inner 9']) assert.ok(names.includes(name), `${name} in ${names}`);
});

/** As Rspack exports functions: by keys of its own, of which the source map knows nothing. */
const EXPORTED = {
  code: 'before();d(e,{lazy:function(t){f(t)},"quick":n=>f(n),other:(n)=>f(n)});',
  sources: ['src/before.js', 'src/lazy.js'],
  sourcesContent: [
    'before();',
    'export function lazy(t) { f(t) }\nexport const quick = n => f(n);\nexport { f as x };\nlist.map((n) => f(n));',
  ],
  begins: { before: [0, 0, 0], function: [1, 0, 7], 'n=>': [1, 1, 21], '(n)=>': [1, 3, 9] },
};

/** @returns {string} its source map */
function mapOfExported() {
  const { code, sources, sourcesContent, begins } = EXPORTED;
  const line = Object.entries(begins).map(([text, place]) => [code.indexOf(text), ...place]);
  return JSON.stringify({
    version: 3,
    sources,
    sourcesContent,
    names: [],
    mappings: encode([/** @type {any} */ (line)]),
  });
}

test('a function whose key the source map does not know comes from where the function itself does', () => {
  const { table } = instrument(EXPORTED.code, { minWeight: 0, inputMap: mapOfExported() });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  assert.deepEqual(
    functions.slice(1).map(({ name, origin }) => `${origin?.name || name} ${origin?.source}:${origin?.line}`),
    ['lazy src/lazy.js:1', 'quick src/lazy.js:2', 'other src/lazy.js:4'],
  );
});

test('such a function is left out with its source, not with the one before it', () => {
  const probed = (/** @type {string} */ left) => {
    const selectSource = (/** @type {string} */ source) => source !== left;
    return instrument(EXPORTED.code, { minWeight: 0, inputMap: mapOfExported(), selectSource }).summary
      .probed;
  };
  assert.equal(probed('src/lazy.js'), 0, 'and the top level goes with them');
  assert.equal(probed('src/before.js'), 4);
});

test('a function that was moved into its only call, and of which the map has the call and the function, comes from where it was', () => {
  const code = 'f(function(n){return f(n)}(2));';
  const begin = code.indexOf('function');
  const inputMap = {
    version: 3,
    sources: ['a.js'],
    sourcesContent: ['export function work(n) { return f(n); }\nf(work(2));'],
    names: [],
    mappings: encode([
      [
        [0, 0, 1, 0],
        [begin, 0, 1, 2],
        [begin, 0, 0, 7],
        [begin + 13, 0, 0, 26],
      ],
    ]),
  };
  const { table } = instrument(code, { minWeight: 0, inputMap });
  const [, work] = readFunctionTable(/** @type {Uint8Array} */ (table)).functions;
  assert.deepEqual(work.origin, { source: 'a.js', line: 1, column: 8, name: 'work' });
});
