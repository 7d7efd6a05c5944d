import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sourcePath } from '../../instrumenter/sources/source_path.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { site } from './lib/command_line.js';

const PLACES = { root: '/home/me/app', folder: '/home/me/app/dist' };

test('sources have one name each, relative to the root, whatever a source map calls them', () => {
  for (const [source, path] of [
    ['../src/a.ts', 'src/a.ts'],
    ['webpack://app/./src/a.ts', 'src/a.ts'],
    ['file:///home/me/app/src/a.ts', 'src/a.ts'],
    ['file:///home/me/app/src/a%20b.ts', 'src/a b.ts'],
    ['file:///home/me/lib/a.ts', '../lib/a.ts'],
    ['', ''],
  ])
    assert.equal(sourcePath(source, PLACES), path, source);
});

test('an address of a file that this system can have none for is a name like others', () => {
  for (const [source, path] of [
    ['file://build-server/share/a.ts', '../../../share/a.ts'],
    ['file:///home/me/app/src/a%2Fb.ts', 'src/a/b.ts'],
    ['file:///home/me/app/src/100%.ts', 'src/100%.ts'],
    ['file://a b/a.ts', '../../../a.ts'],
  ])
    assert.equal(sourcePath(source, PLACES), path, source);
});

test('the command line reads a source map of another machine', (t) => {
  const map = { version: 3, sources: ['file://build-server/share/a.ts'], names: [], mappings: 'AAAA' };
  const { polyprof, read, list, folder } = site(t, {
    'in/a.js': 'function f() { g() }\n//# sourceMappingURL=a.js.map\n',
    'in/a.js.map': JSON.stringify(map),
    'in/b.js': 'function h() { g() }\n',
  });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(JSON.parse(read('out/a.js.map')).sources, map.sources);
  assert.ok(list('out').includes('b.js.ppft'));
  const { functions } = readFunctionTable(readFileSync(join(folder, 'out/a.js.ppft')));
  assert.ok(functions.some(({ origin }) => origin?.source.endsWith('/share/a.ts')));
});
