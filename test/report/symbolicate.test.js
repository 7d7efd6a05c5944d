import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { locationOf } from '../../report/location.js';
import { symbolsIn } from '../../report/symbol_files.js';
import { symbolicate } from '../../report/symbolicate.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { bundleSite, instrumentedSite, ORIGINALS, traceOfSite } from './built_site.js';
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

/** @param {import('../../report/check_trace.js').ProfilerTrace} trace @returns {string[]} `name file:line` per frame */
const told = (trace) =>
  trace.frames.map((_, id) => {
    const { name, file, line } = locationOf(trace, id);
    return `${name} ${file.replace(/^(\.\.\/)+/, '')}:${line}`;
  });

test('a function table gives an instrumented script its original names and places', () => {
  const symbols = symbolsIn(folderWith({ 'app.js.ppft': instrumented.table }));
  assert.deepEqual(told(symbolicate(traceOfSite(instrumented.code, URL), symbols)), ORIGINALS);
});

test('a source map does so for a script without a table', () => {
  const symbols = symbolsIn(folderWith({ 'app.js.map': bundle.map }));
  assert.deepEqual(told(symbolicate(traceOfSite(bundle.code, URL), symbols)), ORIGINALS);
});

test('the source map of an instrumented script leads to the sources too', () => {
  const symbols = symbolsIn(folderWith({ 'app.js.map': instrumented.map }));
  assert.deepEqual(told(symbolicate(traceOfSite(instrumented.code, URL), symbols)), ORIGINALS);
});

test('files are found below the path that the script has on its site, the longest first', () => {
  const trace = traceOfSite(bundle.code, `${URL}?v=1#top`);
  const other = bundleSite(folder).map.replaceAll('shop.ts', 'other.ts');
  const symbols = symbolsIn(folderWith({ 'static/app.js.map': bundle.map, 'app.js.map': other }));
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
    ['app.js.ppft', 'PPFT', /app\.js\.ppft: not a function table .* too short/],
    ['app.js.ppft', instrumented.table.subarray(0, -1), /app\.js\.ppft: not a function table .* checksum/],
  ])) {
    const symbols = symbolsIn(folderWith({ [name]: content }));
    assert.throws(() => symbolicate(trace, symbols), problem);
  }
});
