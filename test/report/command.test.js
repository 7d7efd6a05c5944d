import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { instrumentedSite, traceOfSite } from './built_site.js';
import { traceOf } from './traces.js';

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
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
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

const ADVICE = 'A trace is the JSON text of what stop() of a profiler resolves with.\n';

/** @type {[string, string[], string][]} */
const MISTAKES = [
  ['a file that is not there', ['none.json'], 'error: none.json: does not exist\n'],
  [
    'a folder in place of a file',
    ['tables'],
    'error: tables: cannot be read (EISDIR: illegal operation on a directory, read)\n',
  ],
  ['a file that is no trace', ['list.json'], `error: list.json: must be an object, not an array\n${ADVICE}`],
  [
    'a trace whose ids lead nowhere',
    ['odd.json'],
    `error: odd.json: samples[0].stackId is 7, but there are 1 stacks\n${ADVICE}`,
  ],
  [
    'an output of an unknown kind',
    ['one.json', '-o', 'x.pdf'],
    "error: option '-o, --output <file>' argument 'x.pdf' is invalid. The name must end in one of .speedscope.json, .cpuprofile",
  ],
  [
    'an output that cannot be written',
    ['one.json', '-o', 'none/x.folded'],
    'error: none/x.folded: cannot be written (ENOENT: no such file or directory',
  ],
  [
    'tables that are not there',
    ['one.json', '--tables', 'none'],
    "error: option '--tables <dir>' argument 'none' is invalid. It is not a folder.\n",
  ],
  [
    'a count that is none',
    ['one.json', '--top', 'many'],
    "error: option '--top <n>' argument 'many' is invalid. It must be a whole number of at least 1.\n",
  ],
  ['no trace at all', [], "error: missing required argument 'trace'\n"],
];

write('list.json', '[]');
write('odd.json', { ...traceOf(['main']), samples: [{ timestamp: 1, stackId: 7 }] });

for (const [mistake, args, message] of MISTAKES) {
  test(`${mistake} is told with exit code 2, and nothing else happens`, () => {
    const { status, stdout, stderr } = report(...args);
    assert.equal(stderr.slice(0, message.length), message);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(!/^ +at /m.test(stderr), 'no stack trace');
  });
}

test('text that is no JSON is told with its place, and no output is written though another trace is good', () => {
  write('text.json', '{"resources": [,');
  const { status, stderr } = report('one.json', 'text.json', '-o', 'both.folded');
  assert.match(stderr, /^error: text\.json: is not JSON \(.+\)\nA trace is/);
  assert.equal(status, 2);
  assert.ok(!existsSync(join(folder, 'both.folded')));
});
