import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { randomNumbers } from '../../bench/lib/random_numbers.js';
import { simulatedRun } from './simulated_runs.js';
import { traceOf } from './traces.js';

const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));

const { path: folder, release } = temporaryFolder();
after(release);

const random = randomNumbers(7);
for (const [side, slower, longer] of /** @type {const} */ ([
  ['base', 1, 1],
  ['same', 1, 1],
  ['slow', 1.5, 1],
  ['long', 1, 1.15],
])) {
  mkdirSync(join(folder, side));
  for (let i = 0; i < 5; i++) {
    const samples = Math.round(4900 * longer + 200 * random());
    const trace = simulatedRun(random, { samples, slower: { f0: slower } });
    writeFileSync(join(folder, side, `run ${i}.json`), JSON.stringify(trace));
  }
}
writeFileSync(join(folder, 'bad.json'), '[]');
writeFileSync(
  join(folder, 'idle.json'),
  '{"resources":[],"frames":[],"stacks":[],"samples":[{"timestamp":1}]}',
);

/** @param {string[]} args */
function diff(...args) {
  const options = /** @type {const} */ ({ cwd: folder, encoding: 'utf8' });
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'diff', ...args], options);
  return { status, stdout, stderr };
}

test('two folders of the same workload: nothing changed', () => {
  const { status, stdout, stderr } = diff('base', 'same', '--fail-above', '0%');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(
    stdout,
    /^no function and no path takes another share of the time\n5 and 5 runs, 2\d,\d{3} and 2\d,\d{3} samples; \d+ functions/,
  );
});

test('a slower function is at the top, with its shares, its change and its place', () => {
  const { status, stdout } = diff('base', 'slow');
  assert.equal(status, 0);
  const [, first] = stdout.split('\n');
  assert.match(first, /^ *2\d\.\d\d +3\d\.\d\d +\+\d\.\d\d ± \d\.\d\d +f0 {2}app\.js$/);
  assert.match(stdout, /time of call paths\n.+ main > f0\n/);
});

test('as a gate it fails for growth above the limit, and only then', () => {
  const { status, stderr } = diff('base', 'slow', '--fail-above', '5%');
  assert.equal(status, 1);
  assert.match(stderr, /^error: grown by more than 5\.00 points: f0 {2}app\.js by \d\.\d\d\n$/);
  assert.deepEqual(diff('base', 'slow', '--fail-above', '0.2').status, 0);
  assert.deepEqual(diff('slow', 'base', '--fail-above', '5%').status, 0);
});

test('how long runs were not idle is compared, too, and is a gate', () => {
  const long = diff('base', 'long', '--fail-slower', '5%');
  assert.equal(long.status, 1);
  assert.match(
    long.stdout,
    /^\d+\.\d and \d+\.\d ms of a run were not idle: \+1\d\.\d\d % ± \d\.\d\d, slower/m,
  );
  assert.match(long.stderr, /^error: a run takes longer by more than 5\.00 %: by 1\d\.\d\d %$/m);
  assert.equal(diff('base', 'long', '--fail-slower', '20%').status, 0);
  assert.match(diff('long', 'base', '--fail-slower', '0%').stdout, /: -\d+\.\d\d % ± \d\.\d\d, faster/);
  const one = diff(join('base', 'run 0.json'), 'long', '--fail-slower', '5%');
  assert.equal(one.status, 1);
  assert.match(one.stderr, /--fail-slower: at least two runs are needed on each side/);
});

test('against runs too short for a time none is compared', () => {
  const short = join(folder, 'short');
  mkdirSync(short);
  const trace = {
    resources: [],
    frames: [{ name: 'f0' }],
    stacks: [{ frameId: 0 }],
    samples: [{ timestamp: 1, stackId: 0 }],
  };
  for (const name of ['1.json', '2.json']) writeFileSync(join(short, name), JSON.stringify(trace));
  const { status, stdout, stderr } = diff('short', 'base', '--fail-slower', '5%');
  assert.equal(status, 1);
  assert.doesNotMatch(stdout, /NaN|Infinity|not idle/);
  assert.match(stderr, /--fail-slower: the runs of the base have too few samples for a time/);
});

test('names in traces cannot speak to the terminal', () => {
  for (const [side, count] of /** @type {const} */ ([
    ['calm.json', 100],
    ['loud.json', 900],
  ])) {
    const samples = [...Array(count).fill('\u001b[31mred'), ...Array(1000 - count).fill('other')];
    writeFileSync(join(folder, side), JSON.stringify(traceOf(samples)));
  }
  const { stdout, stderr } = diff('calm.json', 'loud.json', '--fail-above', '5%');
  assert.match(stderr, /^error: grown by more than 5\.00 points: \ufffd\[31mred by 80\.00/);
  assert.match(stdout, /\ufffd\[31mred/);
});

test('certainty is told as it was asked for', () => {
  const { stdout } = diff('base', 'same', '--confidence', '0.57');
  assert.match(stdout, /^all of this is so with 57 % certainty;/m);
  assert.match(stdout, /\(by itself with 57 % certainty\)$/m);
});

test('what is no share is refused with what one is', () => {
  for (const [option, value] of [
    ['--confidence', '1'],
    ['--fail-above', '100%'],
    ['--fail-slower', 'x'],
  ]) {
    const { status, stderr } = diff('base', 'same', option, value);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /argument '.+' is invalid\. It must be at least 0 and below 1, such as 5% or 0\.05\.\n/,
    );
  }
});

test('--json has all of it', () => {
  const { functions, base, time } = JSON.parse(diff('base', 'slow', '--json').stdout);
  assert.equal(functions[0].location.name, 'f0');
  assert.ok(time.base > 40_000 && Math.abs(time.change) < 0.1, JSON.stringify(time));
  assert.equal(base.runs, 5);
  assert.ok(base.samples > 24_500 && base.samples < 25_500);
});

test('a file that has another path now is told', () => {
  mkdirSync(join(folder, 'moved'));
  const trace = simulatedRun(random, {});
  const resources = trace.resources.map((resource) => resource.replace('app.js', 'there/app.js'));
  writeFileSync(join(folder, 'moved', 'run.json'), JSON.stringify({ ...trace, resources }));
  const { status, stdout } = diff('base', 'moved');
  assert.equal(status, 0);
  assert.match(
    stdout,
    /\napp\.js \(100\.00 %\) is in the base alone, there\/app\.js \(100\.00 %\) in the new one: the same file needs the same path in both\n$/,
  );
});

test('a single run on a side comes with what more would tell', () => {
  const single = /^a side has a single run: more runs show how much runs differ anyway$/m;
  assert.match(diff(join('base', 'run 0.json'), 'same').stdout, single);
  assert.doesNotMatch(diff('base', 'same').stdout, single);
});

test('the smallest change that would have been seen is told', () => {
  assert.match(
    diff('base', 'same').stdout,
    /; in half of what was compared a change of \d\.\d\d points or more would have been seen\n/,
  );
});

test('call paths are cut in the middle, where deep ones say the least', () => {
  const path = `outer;${'recursive;'.repeat(5000)}inner`;
  for (const [side, count] of /** @type {const} */ ([
    ['shallow.json', 100],
    ['deep.json', 900],
  ])) {
    const samples = [...Array(count).fill(path), ...Array(1000 - count).fill('other')];
    writeFileSync(join(folder, side), JSON.stringify(traceOf(samples)));
  }
  const { stdout } = diff('shallow.json', 'deep.json');
  const line = stdout.split('\n').find((each) => each.includes('outer')) ?? '';
  assert.match(line, / {2}outer > recursive > .+….+ > recursive > inner$/);
  assert.equal(line.length, 100);
});

test('what cannot be compared, or read, is told', () => {
  const bad = diff('base', 'bad.json');
  assert.deepEqual([bad.status, bad.stdout], [1, '']);
  assert.match(bad.stderr, /^error: bad\.json: must be an object, not an array\nA trace is/);
  const missing = diff('nowhere', 'base');
  assert.deepEqual([missing.status, missing.stderr], [1, 'error: nowhere: does not exist\n']);
  assert.match(
    diff('idle.json', 'base').stderr,
    /^error: idle\.json: has no sample with a stack: nothing to compare\n/,
  );
  assert.equal(diff('base').status, 2);
});
