import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { planFiles } from '../../instrumenter/command/plan_files.js';
import { distFile, PAGE_FILES } from '../../instrumenter/files/dist_files.js';
import { site } from './lib/command_line.js';

/** `polyprof instrument --polyfill` */

const PAGE = {
  'in/deep/index.html': '<script src="../polyprof.js"></script><script>function f() {}</script>',
};

test('with --polyfill what pages load of polyprof is in the root of the output, as it is', (t) => {
  const { polyprof, list, folder } = site(t, PAGE);
  const { status, stdout, stderr } = polyprof('instrument', 'in', '-o', 'out', '--polyfill');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(
    list('out').filter((name) => name.startsWith('polyprof')),
    [...PAGE_FILES].sort(),
  );
  for (const name of PAGE_FILES)
    assert.deepEqual(readFileSync(`${folder}/out/${name}`), distFile(name), name);
  assert.ok(
    ['polyprof.js', 'polyprof.wasm', 'polyprof-beacon.js'].every((name) => PAGE_FILES.includes(name)),
  );
  assert.match(stdout, /^0 files instrumented, 9 copied as they are, into out\n0 of 2 functions have probes/);
  assert.match(stdout, /\npolyprof\.js and 7 more files that pages load are in out\n$/);
});

test('what pages load has names whose types all servers know', () => {
  // nginx calls `.mjs` application/octet-stream, from which no browser imports.
  for (const name of PAGE_FILES) assert.match(name, /\.(js|wasm)$/);
});

test('--check says what --polyfill would copy, and writes nothing', (t) => {
  const { polyprof, list } = site(t, PAGE);
  const before = list();
  const { status, stdout } = polyprof('instrument', 'in', '--check', '--polyfill');
  assert.equal(status, 0);
  assert.match(stdout, /\npolyprof\.js and 7 more files that pages load would be copied, too\n$/);
  assert.deepEqual(list(), before);
});

test('a part of the polyfill that is not there is told', () => {
  assert.throws(
    () => planFiles([], null, ['/nowhere/polyprof.js']),
    /^Error: --polyfill: there is no \/nowhere\/polyprof\.js: npm run build makes it$/,
  );
});

test('a file of the input that --polyfill would replace is an error, unless it is the same', (t) => {
  const same = distFile('polyprof.wasm');
  const { polyprof } = site(t, { ...PAGE, 'in/polyprof.wasm': same });
  assert.equal(polyprof('instrument', 'in', '-o', 'out', '--polyfill').status, 0);
  const other = site(t, { ...PAGE, 'in/polyprof.js': 'older' });
  const { status, stderr } = other.polyprof('instrument', 'in', '-o', 'out', '--polyfill');
  assert.equal(status, 2);
  assert.equal(
    stderr,
    'error: in/polyprof.js is not the polyprof.js of this polyprof: delete it, or do without --polyfill\n',
  );
  assert.deepEqual(other.list('out'), []);
});
