import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { sourceMapUrl, withSourceMapComment } from '../../instrumenter/maps/source_map_comment.js';
import { site } from './lib/command_line.js';

/** Scripts by the address of the map that they name. @type {[string, string | undefined][]} */
const SCRIPTS = [
  ['f()', undefined],
  ['f()\n//# sourceMappingURL=a.map', 'a.map'],
  ['f()\n//@ sourceMappingURL=a.map\r\n', 'a.map'],
  ['f()\n  //#\tsourceMappingURL=a.map \n\n', 'a.map'],
  ['f() //# sourceMappingURL=data:application/json,%7B%7D', 'data:application/json,%7B%7D'],
  ["f('http://a.example') //# sourceMappingURL=a.map", 'a.map'],
  ['f()\n/*# sourceMappingURL=a.map */\n', 'a.map'],
  ['f() /*#sourceMappingURL=a.map*/', 'a.map'],
  ['//# sourceMappingURL=a.map\n//# sourceMappingURL=b.map\n', 'b.map'],
  ['//# sourceMappingURL=a.map\n/* of nobody\n */ // at all\n//# debugId=1', 'a.map'],
  ['//# sourceMappingURL=a.map\nf()', undefined],
  ['/*# sourceMappingURL=a.map */ f()', undefined],
  ['f()\n//# sourceMappingURL=', undefined],
  ['f()\n//# sourceMappingURL=a.map b', undefined],
  ['/*\n//# sourceMappingURL=a.map\n*/', undefined],
  ['f(`\n//# sourceMappingURL=a.map\n`)', undefined],
  ['f(`\n//# sourceMappingURL=a.map`)', undefined],
  ['f("//# sourceMappingURL=a.map")', undefined],
  ["f('//# sourceMappingURL=a.map','/*# sourceMappingURL=b.map */')", undefined],
  ['f(/[//# sourceMappingURL=a]/)', undefined],
];

test('the comment that names the source map is the last one after all code', () => {
  for (const [code, url] of SCRIPTS) assert.equal(sourceMapUrl(code), url, code);
});

test('another map takes the place of the one that was named, or is named at the end', () => {
  for (const [code, url] of SCRIPTS) {
    const output = withSourceMapComment(code, 'other.js.map');
    assert.equal(sourceMapUrl(output), 'other.js.map', code);
    const before = url === undefined ? code : code.replace(url, 'other.js.map');
    assert.ok(url === undefined ? output.startsWith(before) : output === before, output);
  }
});

test('a script that has such a comment in a text does what it did', (t) => {
  const code = 'function f(){ return `\n//# sourceMappingURL=foo.map\n` }\n';
  const { polyprof, read } = site(t, { 'in/a.js': code });
  const { stderr } = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0', '--source-map');
  assert.equal(stderr, '');
  const context = vm.createContext({});
  vm.runInContext(read('out/a.js'), context);
  assert.equal(vm.runInContext('f()', context), '\n//# sourceMappingURL=foo.map\n');
  assert.match(read('out/a.js'), /\n\/\/# sourceMappingURL=a\.js\.map\n$/);
});

test('a map that is named with a query is read from its file', (t) => {
  const { polyprof } = site(t, { 'in/a.js': 'f(1)\n//# sourceMappingURL=a.js.map?v=123#x\n' });
  const { stderr } = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0');
  assert.match(stderr, /^note: in\/a\.js: source map in\/a\.js\.map cannot be read/);
});

test("sources are relative to their map, wherever it is; beside the output's script they are relative to that", (t) => {
  const map = { version: 3, names: [], mappings: 'AAAA' };
  const script = (/** @type {string} */ name) =>
    `function ${name}() { g() }\n//# sourceMappingURL=maps/${name}.map\n`;
  const maps = {
    a: { ...map, sources: ['../../src/a.ts', null] },
    b: { ...map, sources: ['b.ts'], sourceRoot: '../../src' },
    c: { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: { ...map, sources: ['c.ts'] } }] },
    d: { ...map, sources: ['https://a.example/d.ts', '/lib/d.ts', 'webpack:///./d.ts'] },
  };
  const names = /** @type {(keyof typeof maps)[]} */ (Object.keys(maps));
  const { polyprof, read, list } = site(t, {
    ...Object.fromEntries(names.map((name) => [`dist/${name}.js`, script(name)])),
    ...Object.fromEntries(names.map((name) => [`dist/maps/${name}.map`, JSON.stringify(maps[name])])),
  });
  const { stderr } = polyprof('instrument', 'dist', '-o', 'out', '--min-weight', '0');
  assert.equal(stderr, '');
  const sources = names.map((name) => JSON.parse(read(`out/${name}.js.map`)).sources);
  assert.deepEqual(sources, [['../src/a.ts', null], ['../src/b.ts'], ['maps/c.ts'], maps.d.sources]);
  assert.deepEqual(
    list('out').filter((name) => name.startsWith('maps/')),
    [],
  );
  const left = polyprof(
    'instrument',
    'dist',
    '-o',
    'left',
    '--min-weight',
    '0',
    '--exclude-source',
    'src/**',
  );
  assert.equal(left.stderr, '');
  assert.doesNotMatch(read('left/a.js'), /__ppF/);
  assert.match(read('left/d.js'), /__ppF/);
});
