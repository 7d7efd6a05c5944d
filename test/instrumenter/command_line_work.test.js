import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tableNameIn } from '../../instrumenter/probes/prelude.js';
import { sourceMapUrl } from '../../instrumenter/maps/source_map_comment.js';
import { instrumentScripts } from '../../instrumenter/command/script_pool.js';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { changeResults } from '../lib/change_results.js';
import { site } from './lib/command_line.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GOOD =
  'function work(list) { for (const x of list) { a(x); b(x); c(x); d(x); e(x); f(x) } return list.map(g) }\n';
const BIG = readFileSync(join(ROOT, 'node_modules/@babel/parser/lib/index.js'), 'utf8');

test('--check says for each file what would be done, and writes nothing', (t) => {
  const { polyprof, list } = site(t, {
    'in/a.js': GOOD,
    'in/deep/light.js': 'function light() { return 1 }\n',
    'in/page.html': `<script>${GOOD}</script>`,
    'in/style.css': '',
    'in/bad.js': 'const = 1;',
  });
  const before = list();
  const { status, stdout, stderr } = polyprof('instrument', 'in', '--check');
  assert.equal(status, 1);
  assert.match(stderr, /^error: in\/bad\.js:1:7: [^]*1 file could not be parsed\n$/);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
  assert.deepEqual(lines[0], ['functions', 'selected', 'bytes', 'gzipped', 'file']);
  assert.deepEqual(
    lines.slice(1, 4).map((line) => [line[0], line[1], line[4]]),
    [
      ['2', '1', 'a.js'],
      ['2', '0', 'deep/light.js'],
      ['2', '1', 'page.html'],
    ],
  );
  assert.match(lines[1][2], /^\+[1-9]\d+$/);
  assert.deepEqual([lines[2][2], lines[2][3]], ['+0', '+0']);
  assert.match(
    stdout,
    /\n2 of 5 files would be instrumented; nothing was written\n2 of 6 functions would have probes/,
  );
  assert.deepEqual(list(), before);
});

test('--check and a run agree on the bytes', (t) => {
  const { polyprof, list, read } = site(t, { 'in/a.js': GOOD, 'in/big.js': BIG });
  const bytes = (/** @type {string} */ stdout) => /^[+-]\d+ bytes, .*$/m.exec(stdout)?.[0];
  const checked = bytes(polyprof('instrument', 'in', '--check').stdout);
  assert.equal(bytes(polyprof('instrument', 'in', '-o', 'out').stdout), checked);
  const size = (/** @type {string} */ folder) =>
    list(folder).reduce(
      (sum, name) => sum + (/\.js$/.test(name) ? Buffer.byteLength(read(`${folder}/${name}`)) : 0),
      0,
    );
  assert.equal(checked?.split(' ')[0], `+${size('out') - size('in')}`);
});

test('several threads write what one writes, and report it in the same order', (t) => {
  /** @type {Record<string, string>} */
  const files = { 'in/bad.js': 'function f( {', 'in/z.html': `<script>${GOOD}</script>` };
  for (const name of ['c', 'a', 'b', 'd']) files[`in/${name}.js`] = `${BIG}\nfunction ${name}() { return 1 }`;
  const { polyprof, list, read } = site(t, files);
  const [one, two] = ['1', '2'].map((jobs) => {
    const { status, stdout, stderr } = polyprof(
      'instrument',
      'in',
      '-o',
      `out${jobs}`,
      '--jobs',
      jobs,
      '--no-cache',
    );
    assert.equal(status, 1);
    return {
      said: stdout.replace(/out\d/, 'out') + stderr,
      files: list(`out${jobs}`).map((name) => read(`out${jobs}/${name}`)),
    };
  });
  assert.equal(two.said, one.said);
  assert.deepEqual(two.files, one.files);
  assert.match(one.said, /error: in\/bad\.js:1:/);
});

test('a script that was done before is taken from the cache, until it, an option or its name changes', (t) => {
  const { polyprof, folder, list, read } = site(t, { 'in/a.js': GOOD, 'in/b.js': `${GOOD}// b` });
  const run = (/** @type {string[]} */ ...options) =>
    polyprof('instrument', 'in', '-o', 'out', '--cache', 'cache', ...options);
  const kept = () => list('cache').length;
  const first = run();
  assert.deepEqual([first.status, kept()], [0, 2]);
  const output = read('out/a.js');

  changeResults(join(folder, 'cache'), (result) => (result.code += '// kept'));
  assert.equal(run().stdout.split('\n').slice(0, 2).join(), first.stdout.split('\n').slice(0, 2).join());
  assert.equal(read('out/a.js'), `${output}// kept`);
  assert.equal(kept(), 2);

  run('--min-weight', '5');
  assert.equal(kept(), 4);
  assert.doesNotMatch(read('out/a.js'), /kept/);
  writeFileSync(join(folder, 'in/a.js'), `${GOOD}// changed`);
  run();
  assert.match(read('out/a.js'), /\/\/ changed$/);
  assert.equal(kept(), 5);

  for (const name of list('cache')) writeFileSync(join(folder, 'cache', name), 'broken');
  assert.equal(run().status, 0);
  assert.doesNotMatch(read('out/b.js'), /kept/);
});

test('of a folder for results only results are deleted, when nobody used them for a month', (t) => {
  const others = ['firmware.bin', `${'0a'.repeat(31)}.bin`, `${'0a'.repeat(32)}.bin.txt`];
  const old = `${'0a'.repeat(32)}.bin`;
  const { polyprof, folder, list } = site(t, {
    'in/a.js': GOOD,
    ...Object.fromEntries([...others, old].map((name) => [`cache/${name}`, ''])),
  });
  for (const name of list('cache')) utimesSync(join(folder, 'cache', name), 0, 0);
  polyprof('instrument', 'in', '-o', 'out', '--cache', 'cache');
  const left = list('cache');
  assert.equal(left.length, others.length + 1);
  assert.ok(!left.includes(old));
  for (const name of others) assert.ok(left.includes(name), name);
});

test('with another version of what it is made of, a script is done anew', (t) => {
  const { folder, list } = site(t, { 'in/a.js': GOOD });
  for (const name of ['instrumenter', 'report', 'package.json'])
    cpSync(join(ROOT, name), join(folder, 'own', name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'own/node_modules'));
  const kept = () => {
    const args = ['instrument', 'in', '-o', 'out', '--cache', 'cache'];
    const { stderr } = spawnSync(process.execPath, ['own/instrumenter/cli.js', ...args], { cwd: folder });
    assert.equal(String(stderr), '');
    return list('cache').length;
  };
  assert.deepEqual([kept(), kept()], [1, 1]);
  const manifest = join(folder, 'own/package.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/(?<="@babel\/parser": ")[^"]*/, '99.0.0'));
  assert.equal(kept(), 2);
});

test('without --cache results are kept in node_modules, if there is one, and with --no-cache nowhere', (t) => {
  const { polyprof, folder, list } = site(t, { 'in/a.js': GOOD });
  polyprof('instrument', 'in', '-o', 'out');
  assert.deepEqual(list('node_modules'), []);
  mkdirSync(join(folder, 'node_modules'));
  polyprof('instrument', 'in', '-o', 'out', '--no-cache');
  assert.deepEqual(list('node_modules'), []);
  polyprof('instrument', 'in', '-o', 'out');
  assert.equal(readdirSync(join(folder, 'node_modules/.cache/polyprof')).length, 1);
});

test('a terminal shows how far it is, a pipe does not', (t) => {
  /** @type {Record<string, string>} */
  const files = {};
  for (let n = 0; n < 30; n++) files[`in/${n}.js`] = GOOD;
  const { folder, polyprof } = site(t, files);
  const cli = join(ROOT, 'instrumenter/cli.js');
  const command = `'${process.execPath}' '${cli}' instrument in -o out`;
  const terminal = spawnSync('script', ['-qec', command, '/dev/null'], { cwd: folder, encoding: 'utf8' });
  assert.equal(terminal.status, 0, terminal.stdout);
  assert.match(terminal.stdout, /█+░+ 15 of 30 files/);
  assert.match(terminal.stdout, /30 files instrumented/);
  const { stdout, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.ok(!/█/.test(stdout + stderr) && !(stdout + stderr).includes('\u001b'));
});

/** Of a script with two lines: one of the site's own, one of a package. */
const MAP_OF_TWO_LINES = {
  version: 3,
  sources: ['../src/own.js', '../node_modules/lib/index.js'],
  names: [],
  mappings: 'AAAA;ACAA',
};

test('sources are left out by names of packages and globs, through the source map', (t) => {
  const code = `function own() { f() }\nfunction lib() { f() }\n//# sourceMappingURL=a.js.map\n`;
  const { polyprof, read } = site(t, {
    'in/a.js': code,
    'in/a.js.map': JSON.stringify(MAP_OF_TWO_LINES),
    'in/b.js': 'function b() { f() }',
  });
  const probed = (/** @type {string[]} */ ...options) => {
    const { status } = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0', ...options);
    assert.equal(status, 0);
    const text = read('out/a.js') + read('out/b.js');
    return ['own', 'lib', 'b'].filter((name) => new RegExp(`function ${name}\\(\\) {__pp`).test(text));
  };
  assert.deepEqual(probed(), ['own', 'lib', 'b']);
  assert.deepEqual(probed('--exclude-source', 'lib'), ['own', 'b']);
  assert.deepEqual(probed('--include-source', 'src/**'), ['own']);
});

test('a page is the source of its inline scripts', (t) => {
  const page = '<script>function f() { g() }</script>';
  const { polyprof, read, list } = site(t, { 'in/a.html': page, 'in/deep/b.html': page });
  const out = (/** @type {string[]} */ ...options) => {
    const run = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0', ...options);
    assert.equal(run.status, 0);
    assert.doesNotMatch(run.stderr, /no source matches/);
    return list('out')
      .filter((name) => /__pp/.test(read(`out/${name}`)))
      .map((name) => name.replace(/^.*\//, ''));
  };
  assert.deepEqual(out('--exclude-source', '**'), []);
  assert.deepEqual(out('--include-source', 'deep/*', '--variants', '1'), ['b.html.1.probed.js']);
  assert.deepEqual(out('--exclude-source', 'deep/b.html'), ['a.html', 'b.html.1.probed.js']);
});

test('patterns that match nothing are told, and no others', (t) => {
  const { polyprof } = site(t, {
    'in/a.js': 'function own() { f() }\nfunction lib() { f() }\n//# sourceMappingURL=a.js.map\n',
    'in/a.js.map': JSON.stringify({
      version: 3,
      sections: [{ offset: { line: 0, column: 0 }, map: MAP_OF_TWO_LINES }],
    }),
    'in/b.js': 'function b() { f() }',
  });
  const given = [
    ['--exclude-source', 'lib', 'lip', './b.js', 'src/*.ts'],
    ['--include-source', '**', './src/own.js'],
    ['--exclude', '*.map', 'c.js'],
    ['--include', '**/*.js', 'dist/**'],
  ].flatMap(([option, ...patterns]) => patterns.flatMap((pattern) => [option, pattern]));
  const { stderr } = polyprof('instrument', 'in', '-o', 'out', ...given);
  assert.deepEqual(stderr.match(/^note: --.*$/gm)?.sort(), [
    'note: --exclude c.js: no file matches that',
    'note: --exclude-source lip: no source matches that',
    'note: --exclude-source src/*.ts: no source matches that',
    'note: --include dist/**: no file matches that',
  ]);
});

test('a source is called the same in all tables, wherever its chunk is', (t) => {
  const code = 'function own() { f() }\n//# sourceMappingURL=a.js.map\n';
  const mapTo = (/** @type {string} */ source) =>
    JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA,SAAS' });
  const { polyprof, folder } = site(t, {
    'dist/assets/a.js': code,
    'dist/assets/a.js.map': mapTo('../../src/x.ts'),
    'dist/assets/deep/a.js': code,
    'dist/assets/deep/a.js.map': mapTo('../../../src/x.ts'),
  });
  assert.equal(polyprof('instrument', 'dist', '-o', 'out', '--min-weight', '0').status, 0);
  for (const name of ['a.js.ppft', 'deep/a.js.ppft']) {
    const { functions } = readFunctionTable(readFileSync(join(folder, 'out/assets', name)));
    assert.deepEqual(new Set(functions.map(({ origin }) => origin?.source)), new Set(['src/x.ts']));
  }
});

test('a map beside a script that does not name it is its map, moves with it, and stays hidden', (t) => {
  const code = `function own() { f() }\nfunction lib() { f() }\n`;
  const { polyprof, read } = site(t, {
    'in/a.js': code,
    'in/a.js.map': JSON.stringify(MAP_OF_TWO_LINES),
    'in/b.js': code,
    'in/b.js.map': JSON.stringify({ ...MAP_OF_TWO_LINES, mappings: 'AAAA,GAAA,GAAA,GAAA,EAAA;ACAA' }),
  });
  const instrument = (/** @type {string[]} */ ...options) =>
    polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0', '--exclude-source', 'lib', ...options);
  const { status, stdout, stderr } = instrument();
  assert.equal(status, 0);
  const lines = read('out/a.js').split('\n');
  assert.match(lines[0], /function own\(\) \{__pp/);
  assert.match(lines[1], /^function lib\(\) { f\(\) }/);
  assert.doesNotMatch(read('out/a.js'), /sourceMappingURL/);
  const moved = new TraceMap(read('out/a.js.map'));
  const column = lines[0].indexOf('function own');
  assert.ok(column > 0);
  const { source, line } = originalPositionFor(moved, { line: 1, column });
  assert.deepEqual([source, line], ['../src/own.js', 1]);
  // What is not of the script is told, and left as it is.
  assert.match(stdout + stderr, /in\/b\.js: source map in\/b\.js\.map is not of this script: /);
  assert.equal(read('out/b.js.map'), read('in/b.js.map'));
  instrument('--source-map');
  assert.match(read('out/a.js'), /sourceMappingURL=a\.js\.map/);
});

test('scripts name their tables and maps by addresses, whatever is in the names of the files', (t) => {
  const names = ['a#b.js', 'q?x.js', 'a%20c.js', 'a:b.js', 'é <1>.js', 'page?.html'];
  const { polyprof, read } = site(
    t,
    Object.fromEntries(
      names.map((name) => [`in/${name}`, /html/.test(name) ? `<script>${GOOD}</script>` : GOOD]),
    ),
  );
  assert.equal(polyprof('instrument', 'in', '-o', 'out', '--source-map').status, 0);
  const nameOf = (/** @type {string} */ address) =>
    decodeURIComponent(new URL(address, 'http://a.example/').pathname.slice(1));
  for (const name of names) {
    const code = read(`out/${name}`);
    assert.equal(nameOf(String(tableNameIn(code))), `${name}.ppft`);
    assert.notEqual(read(`out/${name}.ppft`), '');
    if (/html/.test(name)) continue;
    assert.equal(nameOf(String(sourceMapUrl(code))), `${name}.map`);
    assert.notEqual(read(`out/${name}.map`), '');
  }
});

test('wrong options of the work are told', (t) => {
  const { polyprof } = site(t, { 'in/a.js': GOOD });
  assert.match(polyprof('instrument', 'in', '--check', '--jobs', '0').stderr, /--jobs.*'0'.*whole number/);
  assert.match(
    polyprof('instrument', 'in').stderr,
    /option '-o, --output <folder>' not specified \(or --check/,
  );
});

test('a script that is too big for the memory is told, and the others are done', async () => {
  const options = { folder: '/', root: '/', probe: 'flag', minWeight: 0, sourceMap: false, inputMap: null };
  const sources = { include: [], exclude: [] };
  const big = 'f({a:[b,c,d]});'.repeat(1_500_000);
  const tasks = [big, 'function f() { g() }'].map((code, index) => ({
    code,
    name: `${index}.js`,
    sources,
    ...options,
  }));
  /** @type {any[]} */
  const outcomes = [];
  await instrumentScripts(
    tasks,
    { threads: 1, heapMb: 64 },
    (index, outcome) => void (outcomes[index] = outcome),
  );
  assert.match(
    outcomes[0].message,
    /^23 MB are more than this machine has memory for: leave the script out by --exclude/,
  );
  assert.match(outcomes[1].code, /__ppF/);
});

test('a script that is as deep as browsers take is done in a thread with more stack, one that is deeper is told', (t) => {
  const branches = Array.from({ length: 3000 }, (_, index) => `if (x === ${index}) f(${index});`).join(
    ' else ',
  );
  const { polyprof, read } = site(t, {
    'in/bottomless.js': '['.repeat(100_000) + ']'.repeat(100_000),
    'in/deep.js': `function deep(x) { ${branches} }`,
    'in/deep.html': `<script>\n f([${'['.repeat(100_000)}${']'.repeat(100_000)}])</script>`,
    'in/good.js': GOOD,
  });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 1);
  for (const name of ['deep.js', 'good.js']) assert.match(read(`out/${name}`), /__ppF/);
  assert.deepEqual(stderr.match(/^error: .*$/gm), [
    'error: in/bottomless.js:1:1: nested too deeply for the stack: split the script, or leave it out',
    'error: in/deep.html:1:9: nested too deeply for the stack: split the script, or leave it out',
  ]);
});
