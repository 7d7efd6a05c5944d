import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import polyprofBabel from '../../instrumenter/entries/babel.js';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { instrument } from '../../instrumenter/instrument.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { makeRealm } from './lib/realm.js';

/** Another version's entry, as a URL: `npm run nightly` has Babel 8, which wants a newer Node. */
const { transformAsync, transformSync, version } = /** @type {typeof import('@babel/core')} */ (
  await import(process.env.POLYPROF_BABEL ?? '@babel/core')
);

const SOURCE = `// A comment, so that lines differ.
const double = (x) => x * 2;

export class Counter {
  #count = 0;
  add(list) {
    for (const item of list) this.#count += double(item);
    return this.#count;
  }
}
globalThis.counted = new Counter().add([1, 2, 3]);
`;

/** @param {any} [options] @param {any} [more] */
const compile = (options, more) =>
  /** @type {any} */ (
    transformSync(SOURCE, {
      filename: '/project/src/counter.js',
      cwd: '/project',
      configFile: false,
      babelrc: false,
      plugins: [[polyprofBabel, options]],
      ...more,
    })
  );

/** What `export` becomes. */
const toScript = {
  visitor: {
    ExportNamedDeclaration: (/** @type {any} */ path) => path.replaceWith(path.node.declaration),
  },
};

test('the tests run with the Babel that they were told to', () => {
  assert.match(version, process.env.POLYPROF_BABEL ? /^8\./ : /^7\./);
});

for (const probe of ['flag', 'shadow']) {
  test(`Babel's output has ${probe} probes and its table, with the positions of the output and of the source`, () => {
    const { code } = compile(
      { minWeight: 0, probe },
      { plugins: [[polyprofBabel, { minWeight: 0, probe }], toScript] },
    );
    const { context } = makeRealm('none');
    vm.runInContext(code, context);
    assert.equal(context.counted, 12);
    const [[, address]] = context.__polyprof__.s;
    const { functions } = readFunctionTable(Buffer.from(address.split(',')[1], 'base64'));
    const lines = code.split('\n');
    const found = functions
      .filter(({ flags }) => flags & FunctionFlag.PROBED && !(flags & FunctionFlag.TOP_LEVEL))
      .map(({ name, line, column, origin }) => [
        name,
        lines[line - 1].slice(column - 1, column + 2),
        `${origin?.source}:${origin?.line}`,
      ]);
    assert.deepEqual(found, [
      ['double', 'x =', 'src/counter.js:2'],
      ['add', '(li', 'src/counter.js:6'],
    ]);
  });
}

test("Babel's source map still leads to the source, and there is none if none was asked for", () => {
  const { code, map } = compile({ minWeight: 0 }, { sourceMaps: true, sourceFileName: 'counter.js' });
  assert.deepEqual([map.sources, map.sourcesContent], [['counter.js'], [SOURCE]]);
  assert.match(code, /__ppH/);
  assert.equal(compile({ minWeight: 0 }).map, null);
});

test('include, exclude, enabled and minWeight decide as in bundlers', () => {
  const plain = compile({ enabled: false }).code;
  assert.doesNotMatch(plain, /__pp/);
  for (const options of [
    { exclude: 'src/**' },
    { include: 'lib/**' },
    { exclude: /counter/ },
    { include: 'counter' },
    { minWeight: 100 },
  ]) {
    assert.equal(compile({ minWeight: 0, ...options }).code, plain, JSON.stringify(options));
  }
  assert.match(compile({ minWeight: 0, include: 'src/**' }).code, /__ppH/);
});

test('a file without probes has the map that Babel gives it without the plugin: none if none was asked for', () => {
  for (const options of [{ exclude: 'src/**' }, { minWeight: 100 }]) {
    for (const sourceMaps of [false, true, 'inline', 'both']) {
      const without = compile({ enabled: false }, { sourceMaps });
      const { code, map } = compile(options, { sourceMaps });
      assert.deepEqual({ code, map }, { code: without.code, map: without.map });
    }
  }
});

test("a source map of the source is taken into account once, also if it calls its source by the file's name", () => {
  /** From a file of the same name, ten lines further down. */
  const mappings = `AAUA${';AACA'.repeat(SOURCE.split('\n').length - 1)}`;
  const inputSourceMap = { version: 3, names: [], sources: ['counter.js'], mappings };
  const lineOf = (/** @type {any} */ options) => {
    const more = { sourceMaps: true, sourceFileName: 'counter.js', inputSourceMap };
    const { code, map } = compile(options, more);
    const line = code.split('\n').findIndex((/** @type {string} */ text) => text.includes('add(list)'));
    return originalPositionFor(new TraceMap(map), { line: line + 1, column: 2 }).line;
  };
  assert.equal(lineOf({ enabled: false }), 16);
  assert.equal(lineOf({ minWeight: 0 }), 16);
  assert.equal(lineOf({ minWeight: 100 }), 16);
});

test('wrong options are told', () => {
  assert.throws(
    () => compile({ runtime: 'inject' }),
    /polyprof: there is no option 'runtime': there is probe, include/,
  );
  assert.throws(() => compile({ probe: 'laser' }), /polyprof: probe must be 'flag' or 'shadow'/);
});

test('what is no JavaScript yet is told by its file, with the way out', async () => {
  await assert.rejects(
    transformAsync('const a = <b>text</b>;', {
      filename: '/project/src/a.jsx',
      cwd: '/project',
      configFile: false,
      babelrc: false,
      parserOpts: { plugins: ['jsx'] },
      plugins: [polyprofBabel],
    }),
    /polyprof: src\/a\.jsx: .*JSX.*is a preset missing/,
  );
});

for (const [code, message] of [
  ['const a = <b>text</b>;', /^this is JSX( or .*)?: instrument what the compiler makes of it$/],
  ['let a = b |> c(%);', /which browsers do not know: compile it first$|Unexpected token/],
]) {
  test(`${code} is told as what it is`, () => {
    assert.throws(() => instrument(String(code)), { name: 'SourceError', message });
  });
}
