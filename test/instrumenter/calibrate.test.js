import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { CountingCopies } from '../../instrumenter/calibrate/counting_copy.js';
import { instrumentHtml } from '../../instrumenter/pages/html.js';
import { instrument } from '../../instrumenter/instrument.js';
import { site } from './lib/command_line.js';

/** `polyprof calibrate`, as far as it needs no browser. */

test('a calibration says how few functions made most of the calls', (t) => {
  const { polyprof } = site(t, {
    'report.mjs': `const rows = [['a.js', 'often', 'x', 10, 300, 1], ['a.js', 'rarely', 'y', 10, 100, 1]];
await fetch(process.env.POLYPROF_CALIBRATE, { method: 'POST', body: JSON.stringify(rows) });`,
  });
  const { status, stdout, stderr } = polyprof('calibrate', '--', process.execPath, 'report.mjs');
  assert.equal(status, 0, stderr);
  assert.match(
    stdout,
    /^2 functions were called 400 times in [\d.]+ s \(estimated\); 1 of them made 75 % of the calls\n/,
  );
});

test('scripts and pages that had probes before are not counted, and told', async () => {
  const copies = new CountingCopies('/', '/');
  const code = 'function f() { return 1 }';
  await copies.script('http://a.test/plain.js', code);
  assert.deepEqual(copies.notes, []);
  const probed = instrument(code, { minWeight: 0 }).code;
  await copies.script('http://a.test/a.js', probed);
  await copies.script('http://a.test/a.js?again', probed);
  copies.page('http://a.test/', instrumentHtml(`<script>${code}</script>`, { minWeight: 0 }).code);
  assert.deepEqual(
    copies.notes,
    ['a.js', ''].map(
      (path) =>
        `http://a.test/${path} had probes before: its functions are not counted; calibrate the site without probes`,
    ),
  );
});

test('functions are called by their sources as when they get probes, also if the source map is in another folder', async (t) => {
  const map = { version: 3, sources: ['../../src/a.ts'], names: [], mappings: 'AAAA' };
  const server = createServer((request, response) =>
    response.writeHead(request.url === '/js/maps/a.map' ? 200 : 404).end(JSON.stringify(map)),
  );
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const copies = new CountingCopies('/project', '/project/dist');
  const url = `http://127.0.0.1:${port}/js/a.js`;
  await copies.script(url, 'function f() { return 1 }\n//# sourceMappingURL=maps/a.map\n');
  assert.deepEqual(copies.notes, []);
  const functions = copies.functions.get(url) ?? [];
  assert.ok(functions.length > 0);
  for (const { key } of functions) assert.equal(key.source, 'dist/src/a.ts');
});

test('inline scripts of a page count their calls apart from each other', () => {
  const page =
    '<script>function a() {}</script><script>function b() {}</script><script>a(); a(); b()</script>';
  const { code } = instrumentHtml(page, { probe: 'count', minWeight: 0 });
  /** @type {string[]} */
  const reports = [];
  const context = createContext({
    TextEncoder,
    __polyprof_counts__: (/** @type {string} */ text) => reports.push(text),
  });
  for (const [, script] of code.matchAll(/<script>(.*?)<\/script>/gs)) runInContext(script, context);
  runInContext('__polyprof_calibration__.report()', context);
  const calls = JSON.parse(reports.join()).map((/** @type {any[]} */ [, name, , , count]) => [name, count]);
  assert.deepEqual(
    calls.filter((/** @type {string[]} */ [name]) => name !== '(top level)'),
    [
      ['a', 2],
      ['b', 1],
    ],
  );
});
