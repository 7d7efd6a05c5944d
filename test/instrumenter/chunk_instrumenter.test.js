import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import MagicString from 'magic-string';
import { ChunkInstrumenter } from '../../instrumenter/plugin/chunk_instrumenter.js';
import { InstrumenterThread } from '../../instrumenter/plugin/instrumenter_thread.js';
import { completePluginOptions } from '../../instrumenter/plugin/plugin_options.js';
import { warmUp } from '../../instrumenter/plugin/warm_up.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { changeResults } from '../lib/change_results.js';

/** Chunks that are too big for the memory of the bundler's process get one of their own: here all are. */
const BIG = { needsHeap: 0 };

const SOURCE =
  'export function work(list) { for (const x of list) { a(x); b(x) } return list.map(String(work)) }\n';
/** A syntax tree of it takes 90 MB. */
const DENSE = 'f({a:[b,c,d]});'.repeat(50_000);

/** @param {string} code */
function chunkOf(code) {
  const edited = new MagicString(code).append('work([]);');
  // With methods, as those of bundlers.
  const map = edited.generateMap({ hires: true, source: 'src/work.js' });
  return { ...withoutMap(edited.toString()), map, mapTo: /** @type {const} */ ('sources') };
}

/** @param {string} code @returns {import('../../instrumenter/plugin/instrument_chunk.js').Chunk} */
function withoutMap(code) {
  return { code, file: 'assets/index-1.js', folder: '/app/assets', mapTo: null };
}

/** @param {import('../../instrumenter/plugin/plugin_options.js').PolyprofOptions} [options] @param {string} [cacheFolder] */
function instrumenterFor(options, cacheFolder) {
  /** @type {string[]} */
  const warnings = [];
  const warn = (/** @type {string} */ message) => warnings.push(message);
  const settings = completePluginOptions({ minWeight: 0, ...options });
  return { warnings, instrumenter: new ChunkInstrumenter(settings, { root: '/app', warn, cacheFolder }) };
}

const PROJECT = {
  key: 'flag',
  settings: { probe: /** @type {const} */ ('flag'), minWeight: 0, include: [], exclude: [] },
  root: '/app',
  calibrating: {},
};

for (const options of [{}, { include: [/work/] }, { exclude: ['assets/**', /work/] }]) {
  test(`a big chunk becomes in a process of its own what it would here, with ${JSON.stringify(Object.keys(options))}`, async () => {
    const here = instrumenterFor(options);
    const there = instrumenterFor(options);
    const chunk = chunkOf(SOURCE);
    assert.deepEqual(
      await there.instrumenter.instrument(chunk, BIG),
      await here.instrumenter.instrument(chunk),
    );
    assert.deepEqual(there.warnings, here.warnings);
    assert.deepEqual(there.instrumenter.takeSummary(), here.instrumenter.takeSummary());
  });
}

for (const [kind, limits] of /** @type {const} */ ([
  ['a chunk', undefined],
  ['a big chunk', BIG],
])) {
  test(`${kind} with a syntax error stays as it is, and the place is told`, async () => {
    const { warnings, instrumenter } = instrumenterFor();
    assert.equal(await instrumenter.instrument(withoutMap('const a = ;\n'), limits), null);
    assert.match(
      warnings.join(),
      /^assets\/index-1\.js:1:11: Unexpected token; it has no probes\n> 1 \| const a = ;/,
    );
  });

  test(`${kind} with a syntax error that is to become a twin ends the build, which says where`, async () => {
    const { instrumenter } = instrumenterFor();
    const twin = { of: 'assets/index-1.js', twins: { files: new Set(['assets/index-1.js']) } };
    await assert.rejects(
      instrumenter.instrument({ ...withoutMap('const a = ;\n'), twin }, limits),
      /polyprof: variants: assets\/index-1\.js:1:11: Unexpected token\n> 1 \| const a = ;/,
    );
  });
}

test('a chunk that is too big for the machine stays as it is, and the build goes on', async () => {
  const { warnings, instrumenter } = instrumenterFor();
  const code = DENSE.repeat(4);
  assert.equal(await instrumenter.instrument(withoutMap(code), { ...BIG, heapMb: 64 }), null);
  assert.match(
    warnings.join(),
    /^assets\/index-1\.js: 3 MB are more than this machine has memory for: leave its sources out by exclude, or split it; it has no probes$/,
  );
  assert.equal(instrumenter.takeSummary(), undefined);
});

test('a chunk that needs more memory than the thread has gets a process, and the chunks after it a new thread', async () => {
  const thread = new InstrumenterThread({ maxOldGenerationSizeMb: 32 });
  const chunks = [SOURCE, DENSE + SOURCE, SOURCE].map(withoutMap);
  const results = await Promise.all(chunks.map((chunk) => thread.instrument(PROJECT, chunk)));
  for (const { result } of results) assert.match(result?.code ?? '', /__pp/);
});

test('a chunk that is as deep as browsers take gets probes, one that is deeper stays as it is', async () => {
  const { warnings, instrumenter } = instrumenterFor();
  const branches = Array.from({ length: 5000 }, (_, index) => `if (x === ${index}) f(${index});`).join(
    ' else ',
  );
  const deep = await instrumenter.instrument(withoutMap(`function deep(x) { ${branches} }`));
  assert.match(deep?.code ?? '', /__pp/);
  const bottomless = withoutMap('['.repeat(100_000) + ']'.repeat(100_000));
  assert.equal(await instrumenter.instrument(bottomless), null);
  assert.match(
    warnings.join(),
    /^assets\/index-1\.js:1:1: nested too deeply for the stack: .*; it has no probes\n/,
  );
});

test('chunks become ready in the order in which they were given, each by the options of its project', async () => {
  const thread = new InstrumenterThread();
  const shadow = {
    ...PROJECT,
    key: 'shadow',
    settings: { ...PROJECT.settings, probe: /** @type {const} */ ('shadow') },
  };
  /** @type {string[]} */
  const ready = [];
  await Promise.all(
    [PROJECT, shadow, PROJECT].map(async (project, index) => {
      const { result } = await thread.instrument(project, withoutMap(SOURCE));
      ready.push(`${index} ${result?.code.includes('Int32Array') ? 'shadow' : 'flag'}`);
    }),
  );
  assert.deepEqual(ready, ['0 flag', '1 shadow', '2 flag']);
});

test('the thread warms up by a script that can be read, with a map that fits', () => {
  const { result, misfit, warnings } = warmUp();
  assert.match(result?.code ?? '', /__ppF/);
  assert.deepEqual([misfit, warnings], ['', []]);
});

test('a budget that nothing was counted for is in the summary, and one of 100 % is warned of', async () => {
  const { instrumenter, warnings } = instrumenterFor({ budget: 1 });
  await instrumenter.instrument(chunkOf(SOURCE));
  assert.match(
    instrumenter.takeSummary() ?? '',
    /; no polyprof\.calibration\.json here: the budget is a guess from the text/,
  );
  assert.deepEqual(warnings.slice(0, 1), ['a budget of 1 is 100 %: 1 % is 0.01']);
});

test('the summary says that a calibration is another program’s, but not of what is new to one that fits', async (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  const calibrated = async (
    /** @type {string} */ source,
    /** @type {ReturnType<typeof chunkOf>[]} */ ...chunks
  ) => {
    const calibration = join(path, 'calibration.json');
    const sources = { [source]: [['work', '1', 3, 1]] };
    writeFileSync(calibration, JSON.stringify({ version: 1, selfTime: 'measured', busyMs: 1, sources }));
    const { instrumenter } = instrumenterFor({ calibration });
    const summaries = [];
    for (const chunk of chunks) {
      await instrumenter.instrument(chunk);
      summaries.push(instrumenter.takeSummary() ?? '');
    }
    return summaries.map((summary) =>
      summary.includes('the calibration knows 0 of 2 functions: is it of this site'),
    );
  };
  const known = chunkOf(SOURCE);
  const added = chunkOf(SOURCE.replaceAll('work', 'added'));
  assert.deepEqual(await calibrated('src/work.js', known, added), [false, false]);
  assert.deepEqual(await calibrated('lib/other.js', known, added), [true, true]);
});

test('the summary says which patterns of include match none of the sources', async () => {
  const { instrumenter } = instrumenterFor({ include: ['app/**', /work/, 'vue'], exclude: ['nothing/**'] });
  await instrumenter.instrument(chunkOf(SOURCE));
  assert.match(
    instrumenter.takeSummary() ?? '',
    /have probes.*; include app\/\*\*: no source matches that; include vue: no source matches that$/,
  );
});

test('what an earlier run has done is taken from the folder of results, with what was told of it', async (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  const folder = join(path, 'results');
  const outcomeOf = async (/** @type {{minWeight?: number}} */ options = {}) => {
    const { instrumenter, warnings } = instrumenterFor(options, folder);
    const result = await instrumenter.instrument(chunkOf(SOURCE));
    return { code: result?.code ?? '', table: result?.table, summary: instrumenter.takeSummary(), warnings };
  };
  const first = await outcomeOf();
  assert.match(first.warnings.join(), /the function 'work' is turned into text/);

  changeResults(folder, ({ result }) => (result.code += '// kept'));
  assert.deepEqual(await outcomeOf(), { ...first, code: `${first.code}// kept` });

  assert.doesNotMatch((await outcomeOf({ minWeight: 1 })).code, /kept/);
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'broken');
  assert.deepEqual(await outcomeOf(), first);
});

test('of a chunk that got no probes nothing is kept: next time it may', async (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  const folder = join(path, 'results');
  const { instrumenter } = instrumenterFor({}, folder);
  assert.equal(await instrumenter.instrument(withoutMap('const a = ;\n')), null);
  assert.equal(await instrumenter.instrument(withoutMap(DENSE), { ...BIG, heapMb: 16 }), null);
  assert.ok(!existsSync(folder));
});
