import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { instrumentedSite, traceOfSite } from './built_site.js';
import { deepTrace, traceOf } from './traces.js';

const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));

const { path: folder, release } = temporaryFolder();
after(release);
const site = instrumentedSite(join(folder, 'site'));
mkdirSync(join(folder, 'tables'));
writeFileSync(join(folder, 'tables/app.js.ppft'), site.table);
write('site.trace.json', traceOfSite(site.code, 'https://shop.example/app.js'));
write('one.json', traceOf(['main@a.js:1:5;f@a.js:2:5', 'main@a.js:1:5', '']));
write('two.json', traceOf(['main@a.js:1:5']));

/** @param {string} name @param {unknown} value */
function write(name, value) {
  const isContent = typeof value === 'string' || value instanceof Uint8Array;
  writeFileSync(join(folder, name), isContent ? value : JSON.stringify(value));
}

/** Runs `polyprof report` in the folder. @param {string[]} args */
const report = (...args) => reportWith({}, ...args);

/** @param {NodeJS.ProcessEnv} variables of the environment @param {string[]} args */
function reportWith(variables, ...args) {
  const env = { ...process.env, NO_COLOR: '', FORCE_COLOR: '', ...variables };
  const options = /** @type {const} */ ({ cwd: folder, encoding: 'utf8', env });
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'report', ...args], options);
  return { status, stdout, stderr };
}

test('a trace becomes a table', () => {
  assert.deepEqual(report('one.json'), {
    status: 0,
    stdout: `self %  total %  samples  function  where
  50.0    100.0        1  main      a.js:1
  50.0     50.0        1  f         a.js:2
3 samples: 33.3 % idle
`,
    stderr: '',
  });
});

test('colours come where they are asked for, and nowhere else', () => {
  const colored = (/** @type {NodeJS.ProcessEnv} */ env) =>
    reportWith(env, 'one.json').stdout.includes('\x1b[');
  assert.deepEqual(
    [colored({ FORCE_COLOR: '1' }), colored({ FORCE_COLOR: '0' }), colored({})],
    [true, false, false],
  );
});

test('--top says how many functions are shown', () => {
  assert.match(report('one.json', '--top', '1').stdout, /main.*\n +50\.0 {2}in 1 more function\n/);
});

test('several traces become a table each, under their names', () => {
  const { stdout } = report('one.json', 'two.json');
  assert.match(stdout, /^\none\nself %[^]*\n\ntwo\nself %/);
});

test('traces of one file have names from the second one on', () => {
  const lines = Array(3)
    .fill(JSON.stringify(traceOf(['main'])))
    .join('\n');
  write('three.ndjson', lines);
  assert.match(
    report('three.ndjson').stdout,
    /^self %[^]*\n\nthree line 2\nself %[^]*\n\nthree line 3\nself %/,
  );
});

test('--tables gives original names and places', () => {
  const { status, stdout, stderr } = report('site.trace.json', '--tables', 'tables');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /addUp +src\/shop\.ts:8\n/);
});

test('--tables says so when it knows nothing about a script', () => {
  const { status, stderr } = report('one.json', '--tables', 'tables');
  assert.deepEqual(
    [status, stderr],
    [0, 'warning: tables has no function table and no source map of a.js\n'],
  );
});

test('--tables comes to an end where links lead from a folder back into it, as in the packages of a workspace', () => {
  mkdirSync(join(folder, 'workspace/packages'), { recursive: true });
  for (const name of ['app', 'shop', 'cart']) symlinkSync('..', join(folder, 'workspace/packages', name));
  const { status, stderr } = report('one.json', '--tables', 'workspace');
  assert.equal(status, 0);
  assert.match(stderr, /^warning: workspace has no function table and no source map of /);
});

test('--tables reads nothing outside its folder, wherever a trace says that its scripts are', () => {
  mkdirSync(join(folder, 'inside'));
  write('outside.js.ppft', site.table);
  for (const script of ['../outside.js', 'x/../../outside.js', join(folder, 'outside.js')]) {
    write('climbs.json', traceOfSite(site.code, script));
    const { stderr } = report('climbs.json', '--tables', 'inside');
    assert.equal(stderr, `warning: inside has no function table and no source map of ${script}\n`);
  }
});

test('--tables takes folders for addresses, and a broken map is told while the trace is shown', () => {
  const pattern = '--tables=https://shop.example/*=tables';
  assert.match(report('site.trace.json', pattern).stdout, /addUp +src\/shop\.ts:8\n/);
  mkdirSync(join(folder, 'broken'));
  write('broken/app.js.map', '{');
  const { status, stdout, stderr } = report('site.trace.json', '--tables', 'broken');
  assert.match(
    stderr,
    /^error: broken\/app\.js\.map: not a source map \(.+\)\nwarning: broken has no function table/,
  );
  assert.match(stdout, /4 samples/);
  assert.equal(status, 1);
});

test('folders and addresses of --tables may have = in their names', () => {
  mkdirSync(join(folder, 'v=1/date=2026'), { recursive: true });
  writeFileSync(join(folder, 'v=1/date=2026/app.js.ppft'), site.table);
  for (const tables of ['v=1/date=2026', 'https://shop.example/*=v=1/date=2026', '*?v=1=tables']) {
    write(
      'of.json',
      traceOfSite(site.code, `https://shop.example/app.js${tables.includes('?') ? '?v=1' : ''}`),
    );
    assert.match(report('of.json', '--tables', tables).stdout, /addUp +src\/shop\.ts:8\n/, tables);
  }
});

test('--output converts to what the name of the file says', () => {
  assert.deepEqual(report('one.json', 'two.json', '-o', 'out.folded'), { status: 0, stdout: '', stderr: '' });
  assert.equal(readFileSync(join(folder, 'out.folded'), 'utf8'), 'main 2\nmain;f 1\n');
  assert.equal(report('site.trace.json', '--tables', 'tables', '-o', 'out.speedscope.json').status, 0);
  const { profiles, shared } = JSON.parse(readFileSync(join(folder, 'out.speedscope.json'), 'utf8'));
  assert.deepEqual(
    [profiles.length, profiles[0].name, shared.frames[1].name, shared.frames[1].line],
    [1, 'site', 'addUp', 8],
  );
});

test('--format says what to write where the name does not, also to standard output', () => {
  assert.equal(report('one.json', '--format', 'folded').stdout, 'main 1\nmain;f 1\n');
  assert.equal(report('one.json', '--format', 'folded', '-o', 'plain.txt').status, 0);
  assert.equal(readFileSync(join(folder, 'plain.txt'), 'utf8'), 'main 1\nmain;f 1\n');
});

test('.gz after the name of an output packs it', () => {
  assert.equal(report('one.json', '-o', 'one.cpuprofile.gz').status, 0);
  const { nodes } = JSON.parse(gunzipSync(readFileSync(join(folder, 'one.cpuprofile.gz'))).toString());
  assert.equal(nodes.length, 4);
});

test('a folder as output gets a file per trace', () => {
  const { status, stderr } = report(
    'one.json',
    'two.json',
    'two.json',
    '-o',
    'each/',
    '--format',
    'cpuprofile',
  );
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(readdirSync(join(folder, 'each')).sort(), [
    'one.cpuprofile',
    'two-2.cpuprofile',
    'two.cpuprofile',
  ]);
});

test('no trace of a folder is written over another, whatever they are called', () => {
  const names = ['before/x.json', 'before/x-2.json', 'after/x.json', 'after/X-2.json', 'after/x-2-2.json'];
  for (const name of names) {
    mkdirSync(join(folder, 'sides', dirname(name)), { recursive: true });
    write(join('sides', name), traceOf(['main']));
  }
  assert.equal(
    report(...names.map((name) => join('sides', name)), '-o', 'sides/out/', '--format', 'folded').status,
    0,
  );
  const written = readdirSync(join(folder, 'sides/out')).map((name) => name.toLowerCase());
  assert.equal(new Set(written).size, names.length);
});

test('paths that are too long to be written as a whole are refused, and the other traces are written', () => {
  write('deep.json', deepTrace(60_000));
  for (const name of ['speedscope', 'html', 'pprof', 'folded']) {
    const { status, stderr } = report('deep.json', 'one.json', '-o', `deep-${name}/`, '--format', name);
    const [file] = readdirSync(join(folder, `deep-${name}`));
    assert.match(file, /^one\./);
    assert.equal(
      stderr,
      `error: ${join(`deep-${name}`, file.replace('one', 'deep'))}: the paths of its samples have 1,800,030,000 calls, ` +
        'more than the 50,000,000 that the format has room for: firefox and cpuprofile have each path once\n',
    );
    assert.equal(status, 1);
  }
  assert.equal(report('deep.json', '-o', 'deep.firefox.json').status, 0);
  assert.equal(report('deep.json', '-o', 'deep.cpuprofile').status, 0);
});

test('several traces do not go into a file that holds one', () => {
  const { status, stderr } = report('one.json', 'two.json', '-o', 'both.cpuprofile');
  assert.match(stderr, /^error: a file of the format cpuprofile holds one trace, not 2: give a folder/);
  assert.equal(status, 1);
  assert.ok(!existsSync(join(folder, 'both.cpuprofile')));
});

test('--merge adds all traces up to one', () => {
  assert.match(
    report('one.json', 'two.json', '--merge').stdout,
    /^self %[^]+main +a\.js:1\n[^]+\n4 samples: 25\.0 % idle\n$/,
  );
  assert.equal(report('one.json', 'two.json', '--merge', '-o', 'merged.cpuprofile').status, 0);
  const { nodes } = JSON.parse(readFileSync(join(folder, 'merged.cpuprofile'), 'utf8'));
  assert.deepEqual(
    nodes.map((/** @type {any} */ { hitCount }) => hitCount),
    [0, 1, 2, 1],
  );
});

test('a trace comes from standard input, and from all files of a folder', () => {
  const fromStdin = spawnSync(process.execPath, [CLI, 'report', '-', '--format', 'folded'], {
    input: gzipSync(readFileSync(join(folder, 'one.json'))),
    encoding: 'utf8',
  });
  assert.deepEqual([fromStdin.stdout, fromStdin.stderr], ['main 1\nmain;f 1\n', '']);
  mkdirSync(join(folder, 'many/deeper'), { recursive: true });
  write('many/a.json', traceOf(['a']));
  write('many/deeper/b.json', traceOf(['b']));
  write('many/deeper/b.speedscope.json', '{}');
  assert.equal(report('many', '--format', 'folded').stdout, 'a 1\nb 1\n');
  assert.match(report('many').stdout, /^\na\nself %[^]*\n\nb\nself %/);
});

test('links to traces in a folder are followed, and those that lead round in a circle are not', () => {
  mkdirSync(join(folder, 'linked/deeper'), { recursive: true });
  symlinkSync('../one.json', join(folder, 'linked/one.json'));
  symlinkSync('..', join(folder, 'linked/deeper/up.json'));
  symlinkSync('self.json', join(folder, 'linked/self.json'));
  const { stdout, stderr } = report('linked', '--format', 'folded');
  assert.equal(stdout, 'main 1\nmain;f 1\n');
  assert.match(stderr, /^error: linked\/self\.json: cannot be read \(ELOOP.+\n$/);
});

test('standard input that is given twice is told', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'report', '-', '-', '--format', 'folded'], {
    input: readFileSync(join(folder, 'one.json')),
    encoding: 'utf8',
  });
  assert.deepEqual(
    [stdout, stderr],
    ['main 1\nmain;f 1\n', 'error: -: is standard input, which can be read once only\n'],
  );
});

test('what the profiler lost is below the table', () => {
  write('lossy.json', { trace: traceOf(['main', 'main']), losses: { lostTicks: 3 } });
  assert.match(report('lossy.json').stdout, /2 samples: 0\.0 % idle, lost: 3 samples\n/);
  write('npm start.trace.json', traceOf(['main']));
  write('npm start.counters.json', { mode: 'flag', losses: { badTables: 2 } });
  assert.match(report('npm start.trace.json').stdout, /lost: 2 function tables damaged\n/);
});

test('control characters of traces and of names of files reach no terminal', () => {
  const escape = '\x1b]0;x\x07\n';
  const shown = '\ufffd]0;x\ufffd\ufffd';
  const trace = traceOf(['main@a.js:1:5']);
  trace.resources[0] = escape;
  write(`odd${escape}.json`, { trace, losses: { [escape]: 3 } });
  write(`bad${escape}.json`, '{');
  const { stdout, stderr } = report(`odd${escape}.json`, `bad${escape}.json`, '--tables', 'tables');
  assert.ok(stdout.startsWith(`\nodd${shown}\nself %`) && stdout.endsWith(` lost: 3 ${shown}\n`), stdout);
  assert.deepEqual(stderr.split('\n').slice(1), [
    `warning: tables has no function table and no source map of ${shown}`,
    ADVICE.trimEnd(),
    '',
  ]);
  assert.ok(stderr.startsWith(`error: bad${shown}.json: is not JSON`), stderr);
  const cannot = report('one.json', '-o', `none${escape}/x.folded`);
  assert.ok(cannot.stderr.startsWith(`error: none${shown}/x.folded: cannot be written`), cannot.stderr);
  assert.equal(cannot.stderr.split('\n').length, 2);
});

const ADVICE = 'A trace is the JSON text of what stop() of a profiler resolves with.\n';

write('list.json', '[]');
write('odd.json', { ...traceOf(['main']), samples: [{ timestamp: 1, stackId: 7 }] });
write('late.json', { ...traceOf(['main']), samples: [{ timestamp: 200 }, { timestamp: 1 }] });
write('text.json', '{"resources": [,');
write('empty.json', '');
write('cut.json.gz', gzipSync(JSON.stringify(traceOf(['main']))).subarray(0, -9));
write('bomb.json.gz', gzipSync(Buffer.alloc(3 * 2 ** 20, 32)));
write('lines.ndjson', `${JSON.stringify(traceOf(['main']))}\n{"resources": 7}\n`);
write('huge.json', '');
truncateSync(join(folder, 'huge.json'), 2 ** 30);
mkdirSync(join(folder, 'nothing'));

/** @type {[string, string[], RegExp][]} */
const BAD_TRACES = [
  ['a file that is not there', ['none.json'], /^error: none\.json: does not exist\n$/],
  ['a folder without traces', ['nothing'], /^error: nothing: has no traces \(\*\.json, .+\) in it\nA trace/],
  ['a file that is no trace', ['list.json'], /^error: list\.json: must be an object, not an array\nA trace/],
  [
    'ids that lead nowhere',
    ['odd.json'],
    /^error: odd\.json: samples\[0\]\.stackId is 7, but there are 1 stacks\n/,
  ],
  [
    'times out of order',
    ['late.json'],
    /^error: late\.json: samples\[1\]\.timestamp is 1, earlier than .+\(200\)\n/,
  ],
  ['text that is no JSON', ['text.json'], /^error: text\.json: is not JSON \(.+\)\n/],
  ['an empty file', ['empty.json'], /^error: empty\.json: is empty\n/],
  [
    'gzip that was cut off',
    ['cut.json.gz'],
    /^error: cut\.json\.gz: is damaged gzip \(unexpected end of file\)\n/,
  ],
  [
    'gzip that unpacks to too much',
    ['bomb.json.gz', '--max-size', '2'],
    /^error: bomb\.json\.gz: unpacks to more than 2 MB; --max-size raises that limit\n/,
  ],
  [
    'a file that is too long',
    ['bomb.json.gz', '--max-size', '0.001'],
    /^error: bomb\.json\.gz: has more than 0\.001 MB; --max-size/,
  ],
  ['a file of 1 GB', ['huge.json'], /^error: huge\.json: has more than 256 MB; --max-size raises/],
  [
    'a bad line among good ones',
    ['lines.ndjson'],
    /^error: lines\.ndjson: line 2: resources must be an array, not 7\n/,
  ],
];

/** Of which it helps to know what a trace is. */
const OTHER_FILES = new Set([
  'a folder without traces',
  'a file that is no trace',
  'text that is no JSON',
  'an empty file',
]);

for (const [what, args, message] of BAD_TRACES) {
  test(`${what}: said with exit code 1, and the other traces are done`, () => {
    const { status, stdout, stderr } = report(...args, 'two.json', '--format', 'folded');
    assert.match(stderr, message);
    assert.equal(stderr.endsWith(ADVICE), OTHER_FILES.has(what), stderr);
    assert.ok(!/^ +at /m.test(stderr), 'no stack trace');
    assert.deepEqual([status, stdout], [1, `main ${what.includes('line') ? 2 : 1}\n`]);
  });
}

test('an output that cannot be written is told with exit code 1, and nothing of it is left', () => {
  const { status, stderr } = report('one.json', '-o', 'none/x.folded');
  assert.match(
    stderr,
    /^error: none\/x\.folded: cannot be written \(ENOENT: no such file or directory.+'none\/x\.folded'\)\n$/,
  );
  assert.equal(status, 1);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('.part-')),
    [],
  );
});

test('a full disk is told, and a device stays a device', () => {
  const { status, stderr } = report('one.json', '--format', 'folded', '-o', '/dev/full');
  assert.match(stderr, /^error: \/dev\/full: cannot be written \(ENOSPC: no space left on device/);
  assert.equal(status, 1);
  assert.ok(!statSync('/dev/full').isFile());
});

test('standard output that leads to a full disk is told', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'report', 'one.json', 'two.json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  assert.equal(stderr, 'error: standard output cannot be written (ENOSPC: no space left on device, write)\n');
  assert.equal(status, 1);
});

/** @type {[string, string[], RegExp][]} */
const MISTAKES = [
  [
    'an output of an unknown kind',
    ['one.json', '-o', 'x.pdf'],
    /^error: the name of x\.pdf must end in one of \.speedscope\.json, .+, or --format must say what it is\n$/,
  ],
  [
    'a format that does not exist',
    ['one.json', '--format', 'pdf'],
    /^error: option '--format <name>' argument 'pdf' is invalid\. Allowed choices are speedscope, /,
  ],
  [
    'tables that are not there',
    ['one.json', '--tables', 'none'],
    /^error: option '--tables <dir\|address>' argument 'none' is invalid\. It is not a folder, nor an address such as http:\/\/localhost:5173\.\n$/,
  ],
  [
    'a count that is none',
    ['one.json', '--top', 'many'],
    /^error: option '--top <n>' argument 'many' is invalid\. It must be a whole number of at least 1\.\n$/,
  ],
  [
    'a size beyond what strings can be',
    ['one.json', '--max-size', '600'],
    /^error: option '--max-size <MB>' argument '600' is invalid\. It must be a number above 0 and at most 512/,
  ],
  [
    'a size of nothing',
    ['one.json', '--max-size', '0'],
    /^error: option '--max-size <MB>' argument '0' is invalid\. It must be a number above 0 and at most 512/,
  ],
  [
    'standard output without a format',
    ['one.json', '-o', '-'],
    /^error: for standard output --format must say what to convert to\n$/,
  ],
  [
    'a second output',
    ['one.json', '-o', 'a.folded', '-o', 'b.folded'],
    /^error: option '-o, --output <file>' argument 'b\.folded' is invalid\. There is a\.folded already: one file is written at a time\.\n$/,
  ],
  [
    'a folder that is not there for the scripts of an address',
    ['one.json', '--tables', 'https://cdn.example/*=none'],
    /^error: option '--tables <dir\|address>' argument 'https:\/\/cdn\.example\/\*=none' is invalid\. It is not a folder/,
  ],
  ['no trace at all', [], /^error: missing required argument 'trace'\n$/],
];

for (const [mistake, args, message] of MISTAKES) {
  test(`${mistake} is told with exit code 2, and nothing else happens`, () => {
    const { status, stdout, stderr } = report(...args);
    assert.match(stderr, message);
    assert.deepEqual([status, stdout], [2, '']);
  });
}

test('an output that is one of the inputs is told with exit code 2, by whatever name, and the trace stays', () => {
  mkdirSync(join(folder, 'kept'));
  write('kept/x.json', traceOf(['main']));
  symlinkSync('x.json', join(folder, 'kept/link'));
  const before = readFileSync(join(folder, 'kept/x.json'), 'utf8');
  for (const [input, output] of [
    ['kept/x.json', './kept/x.json'],
    ['kept', 'kept/x.json'],
    ['kept/x.json', 'kept/link'],
    ['kept/link', 'kept/x.json'],
  ]) {
    const named = input === 'kept' ? 'kept/x.json' : input;
    assert.deepEqual(report('one.json', input, '--format', 'tree', '-o', output), {
      status: 2,
      stdout: '',
      stderr: `error: ${output} would be written over the trace ${named}: give --output another name\n`,
    });
    assert.equal(readFileSync(join(folder, 'kept/x.json'), 'utf8'), before);
  }
});

test('standard input is not written over', () => {
  const stdin = openSync(join(folder, 'kept/x.json'), 'r');
  const { status, stderr } = spawnSync(
    process.execPath,
    [CLI, 'report', '-', '--format', 'tree', '-o', 'kept/x.json'],
    { cwd: folder, encoding: 'utf8', stdio: [stdin, 'pipe', 'pipe'] },
  );
  closeSync(stdin);
  assert.match(stderr, /^error: kept\/x\.json would be written over the trace -: give/);
  assert.equal(status, 2);
});

test('in a folder, too, no trace is written over, and the others are converted', () => {
  write('kept/y', traceOf(['main']));
  write('kept/y.folded', traceOf(['main']));
  const { status, stderr } = report(
    'kept/y',
    'one.json',
    'kept/y.folded',
    '-o',
    'kept',
    '--format',
    'folded',
  );
  assert.equal(
    stderr,
    'error: kept/y.folded would be written over the trace kept/y.folded: give --output another name\n',
  );
  assert.equal(status, 1);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'kept/y.folded'), 'utf8')), traceOf(['main']));
  assert.deepEqual(readdirSync(join(folder, 'kept')).sort(), [
    'link',
    'one.folded',
    'x.json',
    'y',
    'y.folded',
    'y.folded.folded',
  ]);
});

test('no output is written when no trace could be read', () => {
  const { status } = report('text.json', '-o', 'nothing.folded');
  assert.equal(status, 1);
  assert.ok(!existsSync(join(folder, 'nothing.folded')));
});
