import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './lib/folders.js';

const sources = /** @type {string[]} */ (readdirSync(join(ROOT, 'bench'), { recursive: true }))
  .filter((name) => /(?<!\.test)\.js$/.test(name) && !/^(lib|results)\//.test(name))
  .map((name) => `bench/${name}`);
const commands = sources.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('readOptions('));

/** @param {string} command @param {...string} args */
function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, POLYPROF_BROWSERS: '' },
  });
  return { status, stdout, stderr };
}

test('each command tells how it is called and what its options are', () => {
  assert.ok(commands.length > 0);
  for (const command of commands) {
    const { status, stdout, stderr } = run(command, '--help');
    assert.deepEqual([status, stderr], [0, ''], command);
    assert.match(stdout, new RegExp(`^Usage: node ${command} \\[options\\]$`, 'm'));
  }
});

test('each command is in the list of those there are', () => {
  const list = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const isListed = (/** @type {string} */ command) =>
    list.includes(`\`node ${command}\``) ||
    Object.entries(scripts).some(
      ([name, script]) => script.includes(`node ${command}`) && list.includes(`npm run ${name}`),
    );
  assert.deepEqual(
    commands.filter((command) => !isListed(command)),
    [],
  );
});

test('a command ends with status 2 for a value that cannot be', () => {
  const { status, stdout, stderr } = run('bench/overhead.js', '--pairs', '0');
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^error: option '--pairs <n>' argument '0' is invalid\./);
});

test('an engine of POLYPROF_BROWSERS that there is not is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bench/probes/micro.js'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, POLYPROF_BROWSERS: 'opera' },
  });
  assert.equal(status, 2);
  assert.equal(stderr, 'error: POLYPROF_BROWSERS has opera: it takes chromium, firefox, webkit\n');
});

test('a budget that is no share of the time is refused before anything is built', () => {
  const { status, stderr } = run('bench/accuracy/clock.js', '--budget', '1 second');
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^error: option '--budget <share>' argument '1 second' is invalid\. It must be a share of the time/,
  );
});
