import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import vm from 'node:vm';
import { eachMapping, TraceMap, originalPositionFor } from '@jridgewell/trace-mapping';
import { build } from 'esbuild';
import MagicString from 'magic-string';
import { instrument } from '../../instrumenter/instrument.js';
import { decodedMap } from '../../instrumenter/maps/decoded_map.js';
import { mapMisfit, misplacedSegments } from '../../instrumenter/maps/map_misfit.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { site } from './lib/command_line.js';

const SOURCES = {
  'src/main.ts': `import { second, Shape } from './lib';
export const first = async (list: number[]): Promise<number> => {
  for (const item of list) await second(item);
  return marker_in_main(new Shape().area());
};
declare function marker_in_main(x: number): number;
first([1]);
`,
  'src/lib.ts': `interface Unused { a: number }

export function second(x: number) {
  if (x) return marker_in_second(x + 1);
}
export class Shape {
  area(): number { return marker_in_area(2) }
}
declare function marker_in_second(x: number): number;
declare function marker_in_area(x: number): number;
`,
};

/** Where each marker is called: found again through all maps. @type {Record<string, [string, number]>} */
const MARKERS = {
  marker_in_main: ['src/main.ts', 4],
  marker_in_second: ['src/lib.ts', 4],
  marker_in_area: ['src/lib.ts', 7],
};

for (const [kind, option] of /** @type {const} */ ([
  ['in a file of its own', 'linked'],
  ['in the file itself', 'inline'],
])) {
  test(`places in an instrumented bundle lead to the sources, with a map ${kind}`, async (t) => {
    const { folder, polyprof, read, list } = site(t, SOURCES);
    await bundle(folder, option);
    const { status, stderr } = polyprof('instrument', 'dist', '-o', 'out', '--min-weight', '0');
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(list('out'), ['app.js', 'app.js.map', 'app.js.ppft']);
    const code = read('out/app.js');
    assert.match(code, /__ppH\.[el]\(\)/);
    assert.match(code, /\n\/\/# sourceMappingURL=app\.js\.map\n$/);
    assert.equal(code.match(/sourceMappingURL/g)?.length, 1);

    const map = JSON.parse(read('out/app.js.map'));
    assert.equal(map.version, 3);
    for (const [marker, [source, line]] of Object.entries(MARKERS)) {
      const found = originalPositionFor(new TraceMap(map), placeOf(code, marker));
      assert.deepEqual([found.source, found.line], [`../${source}`, line], marker);
      const original = SOURCES[/** @type {keyof SOURCES} */ (source)].split('\n')[line - 1];
      assert.equal(found.column, original.indexOf(marker), marker);
    }
    assert.deepEqual([...map.sourcesContent].sort(), Object.values(SOURCES).sort());
  });
}

test('the function table knows the original name, file and line of the functions of a bundle', async (t) => {
  const { folder, read } = site(t, SOURCES);
  await bundle(folder, 'linked');
  const { table } = instrument(read('dist/app.js'), { inputMap: read('dist/app.js.map'), minWeight: 0 });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const origins = functions.map(
    ({ origin }) => origin && [origin.name, origin.source, origin.line].join(' '),
  );
  for (const expected of ['first ../src/main.ts 2', 'second ../src/lib.ts 3', 'area ../src/lib.ts 7']) {
    assert.ok(origins.includes(expected), `${expected} is not in ${origins.join(', ')}`);
  }
});

for (const probe of ['flag', 'shadow']) {
  test(`every word of a bundle with ${probe} probes leads to where it led without`, async (t) => {
    const { folder, read } = site(t, {
      ...SOURCES,
      'src/main.ts': `${SOURCES['src/main.ts']}export { Parser } from 'acorn';`,
    });
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'));
    await bundle(folder, 'linked');
    const inputMap = read('dist/app.js.map');
    const input = new TraceMap(inputMap);
    const options = { inputMap, minWeight: 0, probe };
    const chained = new TraceMap(/** @type {any} */ (instrument(read('dist/app.js'), options).map));
    const { map } = instrument(read('dist/app.js'), { ...options, chainMap: false });
    let words = 0;
    eachMapping(new TraceMap(/** @type {any} */ (map)), ({ generatedLine, generatedColumn, ...at }) => {
      const before = originalPositionFor(input, {
        line: at.originalLine ?? 0,
        column: at.originalColumn ?? 0,
      });
      assert.deepEqual(
        originalPositionFor(chained, { line: generatedLine, column: generatedColumn }),
        before,
      );
      words++;
    });
    assert.ok(words > 10_000, String(words));
  });
}

test('without an input map every word of the script is mapped to itself', () => {
  const input = `'use strict'
const é = async (a, b) => { await a; return [...b].map(x => x * 2) }
function f() {} /* x */ f(); 𝒳 = class { m() { return f(g()) } }
`;
  const { code, map } = instrument(input, { file: 'dir/words.js', minWeight: 0 });
  const traced = new TraceMap(/** @type {any} */ (map));
  assert.deepEqual(traced.sources, ['words.js']);
  const inputLines = input.split('\n');
  let words = 0;
  for (const [index, text] of code.split('\n').entries()) {
    let column = 0;
    for (const { 0: word } of inputLines[index].matchAll(/[\p{ID_Continue}$]+/gu)) {
      column = nextWord(text, word, column);
      const found = originalPositionFor(traced, { line: index + 1, column });
      assert.equal(found.line, index + 1);
      assert.equal(
        inputLines[index].slice(found.column ?? -1).startsWith(word),
        true,
        `${word} at ${column}`,
      );
      column += word.length;
      words++;
    }
  }
  assert.ok(words > 20);
});

for (const probe of ['flag', 'shadow']) {
  test(`with ${probe} probes an error tells the line of the await that waits, and the map its place`, async () => {
    const input = `async function outer() {
  return 1 + await inner(
    1,
  )
}
async function* inner_() {
  yield* [
    failing(),
  ]
}
async function inner() {
  for await (const x of inner_()) return x
}
async function failing() {
  await
    null
  throw new Error('later')
}
outer()`;
    const { code, map } = instrument(input, { file: 'a.js', minWeight: 0, probe, sourceType: 'script' });
    const traced = new TraceMap(/** @type {any} */ (map));
    const plain = await framesOf(input);
    const probed = await framesOf(code);
    assert.deepEqual(
      plain.map(({ line }) => line),
      [17, 7, 12, 2],
    );
    assert.deepEqual(
      probed.map(({ line }) => line),
      plain.map(({ line }) => line),
    );
    assert.deepEqual(
      probed.map((place) => originalPositionFor(traced, place).column),
      plain.map(({ column }) => column),
    );
  });
}

test('sourceMap: false and a script that stays as it is make no map', () => {
  assert.equal(instrument('f()', { minWeight: 0, sourceMap: false }).map, null);
  const untouched = instrument('f()', { minWeight: 9 });
  assert.deepEqual([untouched.code, untouched.map, untouched.table], ['f()', null, null]);
});

test('a source map that cannot be read is told, and the script is instrumented without', (t) => {
  const { polyprof, read } = site(t, {
    'in/gone.js': 'f(1)\n//# sourceMappingURL=gone.js.map\n',
    'in/broken.js': 'f(1)\n//# sourceMappingURL=broken.js.map\n',
    'in/broken.js.map': '{"version": 3',
    'in/malformed.js': 'f(1)\n//# sourceMappingURL=%E0.map\n',
    'in/index.html': '<script src="%E0.js" integrity="sha256-x"></script>',
  });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0');
  assert.equal(status, 0);
  assert.match(stderr, /note: in\/gone\.js: source map in\/gone\.js\.map cannot be read/);
  assert.match(stderr, /note: in\/broken\.js: source map in\/broken\.js\.map cannot be read/);
  assert.match(stderr, /note: in\/malformed\.js: source map in\/%E0\.map cannot be read/);
  for (const name of ['gone.js', 'broken.js', 'malformed.js'])
    assert.match(read(`out/${name}`), /__ppH\.[el]\(\)/);
});

test('a source map of another build is told, and the script is instrumented without', async (t) => {
  const { folder, polyprof, read } = site(t, SOURCES);
  await bundle(folder, 'linked');
  const script = join(folder, 'dist/app.js');
  writeFileSync(script, `/* 1.0.1 */${read('dist/app.js')}`);
  const { status, stderr } = polyprof('instrument', 'dist', '-o', 'out', '--min-weight', '0');
  assert.equal(status, 0);
  assert.match(
    stderr,
    /note: dist\/app\.js: source map dist\/app\.js\.map is not of this script: \d+ of its \d+ segments begin in the middle/,
  );
  assert.equal(read('out/app.js.map'), read('dist/app.js.map'));
  const { functions } = readFunctionTable(readFileSync(join(folder, 'out/app.js.ppft')));
  assert.ok(functions.length > 2);
  for (const { origin } of functions) assert.equal(origin?.source ?? 'app.js', 'app.js');
});

test('maps fit the code that they were made of, also those with a segment for each character, and no other', async (t) => {
  const { folder, read } = site(t, SOURCES);
  await bundle(folder, 'linked');
  const code = read('dist/app.js');
  const map = JSON.parse(read('dist/app.js.map'));
  assert.equal(mapMisfit(code, decodedMap(map)), '');
  assert.equal(mapMisfit(`\ufeff${code}`, decodedMap(map)), '');
  assert.match(mapMisfit(`var x;${code}`, decodedMap(map)), /^\d+ of its \d+ segments/);
  assert.match(mapMisfit(code.slice(0, code.length / 2), decodedMap(map)), /behind the end of a line$/);
  const edited = new MagicString(SOURCES['src/lib.ts']).prepend('first();\n').appendLeft(60, ' /**/ ');
  assert.equal(mapMisfit(edited.toString(), decodedMap(edited.generateMap({ hires: true }))), '');
  const off = decodedMap(map);
  const lines = code.split('\n');
  const atWords = off.mappings.flatMap((row, i) =>
    row.filter(([column]) => /^\w\w/.test(lines[i].slice(column))),
  );
  for (const segment of [atWords[0], atWords[3], atWords[6]]) segment[0]++;
  assert.equal(misplacedSegments(code, off).misplaced, 3);
  assert.equal(mapMisfit(code, off), '', 'where minifiers put constants in place of names they are off');
  assert.equal(mapMisfit('a', { version: 3, sources: [], names: [], mappings: [] }), '');
});

test('a big map of which one segment in thirty is off, as those of Turbopack, is taken; of one in ten it is not', () => {
  const code = 'word '.repeat(3000);
  const mapWith = (/** @type {number} */ oneIn) => ({
    version: /** @type {3} */ (3),
    sources: ['a.js'],
    names: [],
    mappings: [Array.from({ length: 3000 }, (_, i) => [5 * i + (i % oneIn === 0 ? 1 : 0), 0, i, 0])],
  });
  assert.equal(mapMisfit(code, /** @type {any} */ (mapWith(30))), '');
  assert.match(mapMisfit(code, /** @type {any} */ (mapWith(10))), /^300 of its 3000 segments/);
});

test('a map of sections leads to the sources, and sources of one name have each their own text', () => {
  const section = (/** @type {number} */ line, /** @type {string} */ name) => ({
    offset: { line, column: 0 },
    map: {
      version: 3,
      sources: ['component.vue'],
      sourcesContent: [`const x = 1;\nfunction ${name}() {}`],
      names: [],
      mappings: 'AACA,SAAS',
    },
  });
  const inputMap = { version: 3, sections: [section(0, 'script'), section(1, 'template')] };
  const { table, map } = instrument('function a(){b()}\nfunction c(){d()}', { inputMap, minWeight: 0 });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  assert.deepEqual(
    functions.map(({ origin }) => origin && `${origin.name} ${origin.source}:${origin.line}`).slice(-2),
    ['script component.vue:2', 'template component.vue:2'],
  );
  assert.deepEqual(new Set(/** @type {any} */ (map).sources), new Set(['component.vue']));
});

test('--source-map writes maps also for scripts that come without one', (t) => {
  const { polyprof, read, list } = site(t, { 'in/a.js': '"use strict";\nf(marker);' });
  polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0', '--source-map');
  assert.deepEqual(list('out'), ['a.js', 'a.js.map', 'a.js.ppft']);
  const found = originalPositionFor(new TraceMap(read('out/a.js.map')), placeOf(read('out/a.js'), 'marker'));
  assert.deepEqual(found, { source: 'a.js', line: 2, column: 2, name: null });
});

/** @param {string} folder @param {'linked' | 'inline'} sourcemap */
function bundle(folder, sourcemap) {
  return build({
    absWorkingDir: folder,
    entryPoints: ['src/main.ts'],
    outfile: 'dist/app.js',
    bundle: true,
    minify: true,
    sourcemap,
    logLevel: 'error',
  });
}

/** @param {string} code that gives a promise @returns {Promise<{line: number, column: number}[]>} of the error that it rejects with, as source maps count */
async function framesOf(code) {
  const { stack } = await vm
    .runInThisContext(code, { filename: 'a.js' })
    .catch((/** @type {Error} */ e) => e);
  return [...stack.matchAll(/a\.js:(\d+):(\d+)/g)].map(([, line, column]) => ({
    line: Number(line),
    column: Number(column) - 1,
  }));
}

/** @param {string} code @param {string} text @returns {{line: number, column: number}} as source maps count */
function placeOf(code, text) {
  const before = code.slice(0, code.indexOf(text)).split('\n');
  return { line: before.length, column: before[before.length - 1].length };
}

/** @param {string} text @param {string} word @param {number} from @returns {number} column of it as a whole word */
function nextWord(text, word, from) {
  const whole = /[\p{ID_Continue}$]+/gu;
  whole.lastIndex = from;
  for (let match = whole.exec(text); match; match = whole.exec(text))
    if (match[0] === word) return match.index;
  throw new Error(`${word} is gone`);
}
