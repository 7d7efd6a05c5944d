import assert from 'node:assert/strict';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { transform } from 'esbuild';
import { minify } from 'terser';
import { locationOf } from '../../report/traces/location.js';
import { instrument } from '../../instrumenter/instrument.js';
import { symbolsIn } from '../../report/symbols/symbol_files.js';
import { sourceMapSymbols } from '../../report/symbols/source_map_symbols.js';
import { SymbolFinder } from '../../report/symbols/symbol_finder.js';
import { symbolicate } from '../../report/symbols/symbolicate.js';
import { tableSymbols } from '../../report/symbols/table_symbols.js';
import { withSymbols } from '../../report/symbols/with_symbols.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { bundleSite, instrumentedSite, ORIGINALS, ORIGINALS_OF_TABLES, traceOfSite } from './built_site.js';
import { traceOf } from './traces.js';

const { path: folder, release } = temporaryFolder();
after(release);
const bundle = bundleSite(folder);
const instrumented = instrumentedSite(folder);
const URL = 'https://shop.example/static/app.js';

/** @param {Record<string, string | Uint8Array>} files by path @returns {string} a new folder that has them */
function folderWith(files) {
  const path = join(folder, `symbols ${folderWith.count++}`);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}
folderWith.count = 0;

/** @param {import('../../report/reading/check_trace.js').ProfilerTrace} trace @returns {string[]} `name file:line` per frame */
const told = (trace) =>
  trace.frames.map((_, id) => {
    const { name, file, line } = locationOf(trace, id);
    return `${name} ${file.replace(/^(\.\.\/)+/, '')}:${line}`;
  });

test('a function table gives an instrumented script its original names and places', () => {
  const symbols = symbolsIn(folderWith({ 'app.js.ppft': instrumented.table }));
  assert.deepEqual(told(symbolicate(traceOfSite(instrumented.code, URL), symbols)), ORIGINALS_OF_TABLES);
});

test('a source map does so for a script without a table', () => {
  const symbols = symbolsIn(folderWith({ 'app.js.map': bundle.map }));
  assert.deepEqual(told(symbolicate(traceOfSite(bundle.code, URL), symbols)), ORIGINALS);
});

test('the source map of an instrumented script leads to the sources too', () => {
  const symbols = symbolsIn(folderWith({ 'app.js.map': instrumented.map }));
  assert.deepEqual(told(symbolicate(traceOfSite(instrumented.code, URL), symbols)), ORIGINALS);
});

/** @param {Record<string, string | Uint8Array>} files @param {string} [debugId] @returns {string[]} */
const toldWith = (files, debugId) => {
  const symbols = symbolsIn(folderWith(files));
  return told(symbolicate(traceOfSite(bundle.code, URL), (resource) => symbols(resource, debugId)));
};

test('a map may begin with what keeps scripts from including it, or with a byte order mark', () => {
  for (const start of [")]}'\n", ")]}' anything\r\n", '\ufeff'])
    assert.deepEqual(toldWith({ 'app.js.map': start + bundle.map }), ORIGINALS);
});

test('what a map leads to without a name is not known', () => {
  const { sources, ...rest } = JSON.parse(bundle.map);
  for (const other of [sources.map(() => null), [], ['']]) {
    const map = JSON.stringify({ ...rest, sources: other });
    assert.deepEqual(
      toldWith({ 'app.js.map': map }),
      traceOfSite(bundle.code, URL).frames.map(({ name }) => `${name || '(anonymous)'} ${URL}:1`),
    );
  }
});

test('a name that a map has somewhere before a function is not that of the function', async () => {
  const source =
    'const registry = {};\nregistry.assigned = function (q) {\n  if (q) return burn(1);\n  return 7;\n};\nkeep(registry);\n';
  const { code = '', map } = await minify({ 'app.ts': source }, { toplevel: true, sourceMap: true });
  const column = code.indexOf('function(') + 'function('.length;
  const original = sourceMapSymbols(String(map))({ name: 'assigned', line: 1, column });
  assert.deepEqual([original?.name, original?.line], [null, 2]);
});

for (const [kind, start] of [
  ['function', 'function('],
  ['generator', 'function*('],
  ['async function', 'async function('],
  ['async generator', 'async function*('],
]) {
  test(`the name of a variable is that of the ${kind} that it is set to`, async () => {
    const expression = `${start.replace('(', ' (')}list) { burn(list); }`;
    const source = `export const keep = [];\nconst original = ${expression};\nkeep.push(original, original);\n`;
    for (const { code, map } of [
      await minify({ 'app.ts': source }, { module: true, sourceMap: true }),
      await transform(source, { minify: true, sourcemap: 'external', format: 'esm' }),
    ]) {
      const [, name] = new RegExp(`(\\w+)=${start.replace(/[*(]/g, '\\$&')}`).exec(String(code)) ?? [];
      assert.ok(name && name !== 'original', code);
      const column = String(code).indexOf(start) + start.length;
      const symbols = sourceMapSymbols(String(map))({ name, line: 1, column });
      assert.deepEqual([symbols?.name, symbols?.line], ['original', 2], code);
    }
  });
}

test('a map in sections is a map too', () => {
  const map = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: JSON.parse(bundle.map) }] };
  assert.deepEqual(toldWith({ 'app.js.map': JSON.stringify(map) }), ORIGINALS);
});

test('a script leads to its map: by a file name, in itself, and by a table within', () => {
  const { code, map } = bundle;
  const data = `data:application/json;charset=utf-8;base64,${Buffer.from(map).toString('base64')}`;
  const comment = (/** @type {string} */ url) => `${code}\n//# sourceMappingURL=${url}\n`;
  assert.deepEqual(
    toldWith({ 'js/app.js': '', 'static/app.js': comment('../a%20b.json'), 'a b.json': map }),
    ORIGINALS,
  );
  assert.deepEqual(toldWith({ 'app.js': comment(data) }), ORIGINALS);
  const inlined = instrument(code, { file: 'app.js', minWeight: 0, inputMap: map, inlineTable: true });
  const symbols = symbolsIn(folderWith({ 'app.js': inlined.code }));
  assert.deepEqual(told(symbolicate(traceOfSite(inlined.code, URL), symbols)), ORIGINALS_OF_TABLES);
});

test('sources that maps have by the way from them to there are one file, whichever map it is', () => {
  const mapTo = (/** @type {string} */ source) =>
    JSON.stringify({ version: 3, names: [], sources: [source], mappings: 'AAAA' });
  const data = `data:application/json,${encodeURIComponent(mapTo('../src/x.ts'))}`;
  const symbols = symbolsIn(
    folderWith({
      'app.js.map': mapTo('src/x.ts'),
      'assets/a.js.map': mapTo('../src/x.ts'),
      'assets/deep/b.js.map': mapTo('../../src/x.ts'),
      'assets/c.js': `\n//# sourceMappingURL=${data}`,
      'assets/d.js.map': mapTo('../../other/x.ts'),
      'assets/e.js.map': mapTo('webpack://app/src/x.ts'),
      'assets/f.js.map': mapTo('file:///work/src/x.ts'),
      'assets/g.js.map': mapTo('/work/src/x.ts'),
    }),
  );
  const scripts = [
    'app',
    'assets/a',
    'assets/deep/b',
    'assets/c',
    'assets/d',
    'assets/e',
    'assets/f',
    'assets/g',
  ];
  const files = scripts.map((path) => {
    const found = symbols(`https://shop.example/${path}.js`);
    return found?.({ name: '', line: 1, column: 1 })?.file;
  });
  assert.deepEqual(files, [
    ...['src/x.ts', 'src/x.ts', 'src/x.ts', 'src/x.ts', '../other/x.ts'],
    ...['webpack://app/src/x.ts', 'file:///work/src/x.ts', '/work/src/x.ts'],
  ]);
});

test('an address of a map that is malformed is the name of a file', () => {
  const comment = `${bundle.code}\n//# sourceMappingURL=100%.map\n`;
  assert.deepEqual(toldWith({ 'app.js': comment, '100%.map': bundle.map }), ORIGINALS);
});

test('a script does not lead out of the folder, nor to another server', () => {
  const inner = folderWith({ 'app.js.map': bundle.map, 'inner/a.js': '//# sourceMappingURL=../app.js.map' });
  assert.equal(symbolsIn(join(inner, 'inner'))('https://a.example/a.js'), null);
  const other = folderWith({ 'a.js': '//# sourceMappingURL=https://a.example/app.js.map' });
  assert.equal(symbolsIn(other)('https://a.example/a.js'), null);
});

const ID = '85314830-023f-4cf1-a267-535f4e37bb17';
const mapWithId = JSON.stringify({ ...JSON.parse(bundle.map), debugId: ID });

test('a map with the debug id of the script is found wherever it is', () => {
  const files = { 'maps/some.map': mapWithId, 'other.map': '{"version":3,"debug_id":"0"}' };
  const originals = ORIGINALS.map((text) => text.replace(' src/', ' maps/src/'));
  assert.deepEqual(toldWith(files, ID.toUpperCase()), originals);
  assert.deepEqual(toldWith({ ...files, 'app.js': `${bundle.code}\n//# debugId=${ID}\n` }), originals);
});

test('a map of another build is not used', () => {
  const symbols = symbolsIn(folderWith({ 'app.js.map': mapWithId }));
  assert.equal(symbols(URL, '00000000-023f-4cf1-a267-535f4e37bb17'), null);
});

test('a call within a function has the place of the function, as in traces of pages that ended before their tables came', () => {
  const source =
    'function outer() {\n  const inner = () => work(1);\n  return work(2) + inner();\n}\nwork(3);\n';
  const { code, table } = instrument(source, { file: 'app.js', minWeight: 0 });
  const symbols = tableSymbols(/** @type {Uint8Array} */ (table));
  const told = (/** @type {string} */ name, /** @type {string} */ call) => {
    const before = code.slice(0, code.indexOf(call)).split('\n');
    const original = symbols({
      name,
      line: before.length,
      column: /** @type {string} */ (before.at(-1)).length + 1,
    });
    return original && `${original.name ?? name}:${original.line}:${original.column}`;
  };
  assert.equal(told('inner', 'work(1)'), 'inner:2:9');
  assert.equal(told('outer', 'work(2)'), 'outer:1:10');
  assert.equal(told('', 'work(3)'), ':1:1');
  assert.equal(told('outer', 'work(1)'), null, 'another function is around it');
});

test('functions that a table does not have are named once', async () => {
  const { code, table } = instrument('function a() {}function b() {}', { file: 'app.js', minWeight: 0 });
  const [a, b] = ['a()', 'b()'].map((found) => code.indexOf(found) + 2);
  const finder = new SymbolFinder([{ folder: folderWith({ 'app.js': code, 'app.js.ppft': table ?? '' }) }]);
  const symbols = await finder.find(URL);
  assert.ok(symbols?.({ name: 'a', line: 1, column: a }) && symbols({ name: 'b', line: 1, column: b }));
  for (let i = 0; i < 2; i++) assert.equal(symbols?.({ name: 'a', line: 1, column: b + 1 }), null);
  assert.equal(finder.warnings().length, 1);
  assert.match(
    finder.warnings()[0],
    new RegExp(
      `app\\.js\\.ppft has no function a at 1:${b + 1}: was it made by another build than the script\\?$`,
    ),
  );
});

test('a map that is not of the script beside it is not used, and is named', async () => {
  const other = folderWith({ 'app.js': `/* 1.0.1 */${bundle.code}`, 'app.js.map': bundle.map });
  const finder = new SymbolFinder([{ folder: other }]);
  assert.equal(await finder.find(URL), null);
  assert.match(
    finder.broken[0],
    /app\.js\.map: not a source map of the script beside it: \d+ of its \d+ segments/,
  );
});

test('scripts have their folder by the pattern of their address, and are read once', async () => {
  const one = folderWith({ 'v1/app.js.map': bundle.map });
  const finder = new SymbolFinder([
    { pattern: 'https://cdn.example/*/', folder: one },
    { pattern: 'https://shop.example/*', folder: one },
  ]);
  assert.ok(await finder.find('https://shop.example/v1/app.js'));
  assert.equal(
    await finder.find('https://shop.example/v1/app.js'),
    await finder.find('https://shop.example/v1/app.js'),
  );
  assert.deepEqual(finder.warnings(), []);
  assert.equal(await finder.find('https://other.example/v1/app.js'), null);
  assert.equal(await finder.find('https://cdn.example/v1/app.js'), null);
});

test('what comes after the pattern of a folder may have a query, encoded characters, or be the page itself', async () => {
  const files = folderWith({ 'v 1/100%.js.map': bundle.map, 'index.html.ppft': instrumented.table });
  const finder = new SymbolFinder([{ pattern: 'https://cdn.example/*', folder: files }]);
  for (const address of ['v%201/100%25.js?v=3#top', 'v 1/100%.js?v=3', '', '?page=1']) {
    assert.ok(await finder.find(`https://cdn.example/${address}`), address);
  }
});

test('a path of very many folders is looked for in no time', async () => {
  const files = folderWith({ 'deep/app.js.map': bundle.map });
  const start = performance.now();
  assert.ok(await symbolsIn(files)(`https://shop.example/${'a/'.repeat(50_000)}deep/app.js`));
  assert.ok(performance.now() - start < 5000);
});

test('what is missing is counted and named once, and what is broken noted once', async () => {
  const broken = folderWith({ 'bad.js.map': '{' });
  const finder = new SymbolFinder([{ folder: broken }]);
  for (const name of ['bad', 'bad', ...Array.from({ length: 14 }, (_, i) => `s${i % 12}`)]) {
    assert.equal(await finder.find(`https://a.example/${name}.js`), null);
  }
  assert.match(
    finder.warnings()[0],
    /has no function table and no source map of 13 scripts: https:\/\/a\.example\/bad\.js, .+s8\.js and 3 more$/,
  );
  assert.equal(finder.broken.length, 1);
  assert.match(finder.broken[0], /bad\.js\.map: not a source map/);
});

test('a map that is longer than strings may be is named, and in the way of no other', async () => {
  const files = folderWith({ 'maps/some.map': mapWithId, 'long.js.map': '' });
  truncateSync(join(files, 'long.js.map'), 2 ** 30);
  const finder = new SymbolFinder([{ folder: files }]);
  assert.ok(await finder.find(URL, ID));
  assert.equal(await finder.find('https://a.example/long.js'), null);
  assert.deepEqual(finder.broken, [
    `${join(files, 'long.js.map')}: is too long, JavaScript has no such strings`,
  ]);
});

test('a folder that has what is missing further down is told', async () => {
  const outer = folderWith({ 'client/static/app.js.ppft': instrumented.table });
  const finder = new SymbolFinder([{ folder: outer }]);
  assert.equal(await finder.find(URL), null);
  assert.deepEqual(finder.warnings(), [
    `${outer} has no function table and no source map of ${URL}; --tables ${join(outer, 'client')} has`,
  ]);
  assert.ok(await new SymbolFinder([{ folder: join(outer, 'client') }]).find(URL));
});

test('of a file that is broken no folder is told that has it', async () => {
  const finder = new SymbolFinder([{ folder: folderWith({ 'static/app.js.map': '{' }) }]);
  assert.equal(await finder.find(URL), null);
  assert.equal(finder.broken.length, 1);
  assert.doesNotMatch(finder.warnings()[0], /--tables/);
});

test('files are found below the path that the script has on its site, the longest first', () => {
  const trace = traceOfSite(bundle.code, `${URL}?v=1#top`);
  const other = bundleSite(folder).map.replaceAll('shop.ts', 'other.ts');
  const inStatic = bundle.map.replaceAll('"src/', '"../src/');
  const symbols = symbolsIn(folderWith({ 'static/app.js.map': inStatic, 'app.js.map': other }));
  assert.deepEqual(told(symbolicate(trace, symbols)), ORIGINALS);
  const below = symbolsIn(folderWith({ 'app.js.map': bundle.map }));
  assert.deepEqual(told(symbolicate(trace, below)), ORIGINALS);
});

test('a path in a trace does not lead out of the folder', () => {
  const inner = folderWith({ 'inner/none.txt': '', 'app.js.map': bundle.map });
  for (const url of [
    '../app.js',
    'https://a.example/..%2fapp.js',
    'https://a.example/x/..%2f..%2f..%2fetc/passwd',
  ]) {
    assert.equal(symbolsIn(join(inner, 'inner'))(url), null);
  }
});

test('what nothing is known about stays as it was', () => {
  const trace = traceOf(['builtin;f@https://a.example/a.js:1:5', '', 'builtin']);
  assert.deepEqual(
    symbolicate(trace, () => null),
    trace,
  );
  const unknownPlace = traceOf([`f@${URL}:99:1`]);
  const symbols = symbolsIn(folderWith({ 'app.js.ppft': instrumented.table, 'app.js.map': bundle.map }));
  assert.deepEqual(symbolicate(unknownPlace, symbols), unknownPlace);
});

test('a line or a column of 0 is no place', async () => {
  const files = folderWith({ 'app.js.map': bundle.map, 'b.js.ppft': instrumented.table });
  const trace = traceOf([`f@${URL}:1:0`, `f@${URL}:0:1`, 'f@https://shop.example/b.js:0:0']);
  const finder = new SymbolFinder([{ folder: files }]);
  const found = new Map();
  for (const resource of trace.resources) found.set(resource, await finder.find(resource));
  assert.deepEqual(
    symbolicate(trace, (resource) => found.get(resource)),
    trace,
  );
  assert.deepEqual(finder.warnings(), [], 'nor is it one that a table should have');
});

test('scripts may have any name, and no debug id by it', async () => {
  const trace = traceOf(['f@constructor:1:1', 'f@__proto__:1:1']);
  const finder = new SymbolFinder([{ folder: folderWith({ 'none.txt': '' }) }]);
  async function* profiles() {
    yield { name: '', trace };
  }
  for await (const profile of withSymbols(profiles(), finder)) assert.deepEqual(profile.trace, trace);
  assert.deepEqual(finder.broken, []);
});

test('stacks and samples keep their ids, and the trace that was given is left alone', () => {
  const trace = traceOfSite(bundle.code, URL);
  const before = structuredClone(trace);
  const { stacks, samples } = symbolicate(trace, symbolsIn(folderWith({ 'app.js.map': bundle.map })));
  assert.deepEqual({ stacks, samples }, { stacks: before.stacks, samples: before.samples });
  assert.deepEqual(trace, before);
});

test('a broken file is named', () => {
  const trace = traceOfSite(bundle.code, URL);
  for (const [name, content, problem] of /** @type {const} */ ([
    ['app.js.map', '{"version": 3', /app\.js\.map: not a source map/],
    [
      'app.js.map',
      '{"version": 3, "mappings": ""}',
      /app\.js\.map: not a source map \(a source map has "sources", an array, which/,
    ],
    ['app.js.map', '[]', /app\.js\.map: not a source map \(a source map is an object, not an array\)/],
    ['app.js.map', 'null', /app\.js\.map: not a source map \(a source map is an object, not null\)/],
    ['app.js', '//# sourceMappingURL=data:application/json,%E0', /app\.js: not a source map/],
    ['app.js.ppft', 'PPFT', /app\.js\.ppft: not a function table .* too short/],
    ['app.js.ppft', instrumented.table.subarray(0, -1), /app\.js\.ppft: not a function table .* checksum/],
  ])) {
    const symbols = symbolsIn(folderWith({ [name]: content }));
    assert.throws(() => symbolicate(trace, symbols), problem);
  }
});
