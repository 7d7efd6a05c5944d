import assert from 'node:assert/strict';
import { test } from 'node:test';
import MagicString from 'magic-string';
import { ChunkInstrumenter } from '../../instrumenter/plugin/chunk_instrumenter.js';
import { completePluginOptions } from '../../instrumenter/plugin/plugin_options.js';

/** Chunks that are too big for the memory of the bundler's process get one of their own: here all are. */
const BIG = { needsHeap: 0 };

const SOURCE =
  'export function work(list) { for (const x of list) { a(x); b(x) } return list.map(String(work)) }\n';

/** @param {string} code */
function chunkOf(code) {
  const edited = new MagicString(code).append('work([]);');
  // With methods, as those of bundlers.
  const map = edited.generateMap({ hires: true, source: 'src/work.js' });
  return {
    code: edited.toString(),
    file: 'assets/index-1.js',
    map,
    folder: '/app/assets',
    mapTo: /** @type {const} */ ('sources'),
  };
}

/** @param {import('../../instrumenter/plugin/plugin_options.js').PolyprofOptions} [options] */
function instrumenterFor(options) {
  /** @type {string[]} */
  const warnings = [];
  const warn = (/** @type {string} */ message) => warnings.push(message);
  const settings = completePluginOptions({ minWeight: 0, ...options });
  return { warnings, instrumenter: new ChunkInstrumenter(settings, { root: '/app', warn }) };
}

for (const options of [{}, { include: [/work/] }, { exclude: ['assets/**', /work/] }]) {
  test(`a big chunk becomes in a process of its own what it would here, with ${JSON.stringify(Object.keys(options))}`, () => {
    const here = instrumenterFor(options);
    const there = instrumenterFor(options);
    const chunk = chunkOf(SOURCE);
    assert.deepEqual(there.instrumenter.instrument(chunk, BIG), here.instrumenter.instrument(chunk));
    assert.deepEqual(there.warnings, here.warnings);
    assert.deepEqual(there.instrumenter.takeSummary(), here.instrumenter.takeSummary());
  });
}

test('a big chunk with a syntax error stays as it is, and the place is told', () => {
  const { warnings, instrumenter } = instrumenterFor();
  assert.equal(instrumenter.instrument({ ...chunkOf('const a = ;\n'), map: undefined }, BIG), null);
  assert.match(
    warnings.join(),
    /^assets\/index-1\.js:1:11: Unexpected token; it has no probes\n> 1 \| const a = ;/,
  );
});

test('a chunk that is too big for the machine stays as it is, and the build goes on', () => {
  const { warnings, instrumenter } = instrumenterFor();
  const chunk = { ...chunkOf('f({a:[b,c,d]});'.repeat(200_000)), map: undefined };
  assert.equal(instrumenter.instrument(chunk, { ...BIG, heapMb: 64 }), null);
  assert.match(
    warnings.join(),
    /^assets\/index-1\.js: 3 MB are more than this machine has memory for: leave its sources out by exclude, or split it; it has no probes$/,
  );
  assert.equal(instrumenter.takeSummary(), undefined);
});
