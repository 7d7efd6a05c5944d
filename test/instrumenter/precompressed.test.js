import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { site } from './lib/command_line.js';

const GOOD =
  'function work(list) { for (const x of list) { a(x); b(x); c(x); d(x); e(x); f(x) } return list.map(g) }\n';
const LIGHT = 'function light() { return 1 }\n';
const PAGE = `<script>${GOOD}</script>`;

test('files that servers send compressed are of what has probes now, or as they were', (t) => {
  const { polyprof, list, folder } = site(t, {
    'in/a.js': GOOD,
    'in/a.js.gz': zlib.gzipSync(GOOD),
    'in/a.js.br': zlib.brotliCompressSync(GOOD),
    'in/index.html': PAGE,
    'in/index.html.gz': zlib.gzipSync(PAGE),
    'in/light.js': LIGHT,
    'in/light.js.gz': zlib.gzipSync(LIGHT, { level: 1 }),
    'in/alone.js.gz': zlib.gzipSync('alone'),
  });
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name));
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 0, stderr);
  assert.ok(String(read('out/a.js')).length > GOOD.length);
  assert.deepEqual(zlib.gunzipSync(read('out/a.js.gz')), read('out/a.js'));
  assert.deepEqual(zlib.brotliDecompressSync(read('out/a.js.br')), read('out/a.js'));
  assert.deepEqual(zlib.gunzipSync(read('out/index.html.gz')), read('out/index.html'));
  for (const name of ['light.js.gz', 'alone.js.gz'])
    assert.deepEqual(read(`out/${name}`), read(`in/${name}`));
  const before = list('out');
  assert.equal(polyprof('instrument', 'in', '--check').status, 0);
  assert.deepEqual(list('out'), before);
});

test('what this Node cannot compress is left out, and that is told', (t) => {
  const { polyprof, list } = site(t, { 'in/a.js': GOOD, 'in/a.js.zst': 'of the script without probes' });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 0, stderr);
  const can = 'zstdCompressSync' in zlib;
  assert.equal(list('out').includes('a.js.zst'), can);
  assert.equal(/a\.js\.zst: left out/.test(stderr), !can, stderr);
});
