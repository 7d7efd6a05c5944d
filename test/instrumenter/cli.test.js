import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CLI, site } from './lib/command_line.js';

test('the command line tells its version', (t) => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { status, stdout, stderr } = site(t, {}).polyprof('--version');
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${version}\n`, stderr: '' });
});

test('a reader that has enough ends nothing', () => {
  const piped = spawnSync(
    'bash',
    ['-o', 'pipefail', '-c', '"$0" "$1" --help | true', process.execPath, CLI],
    {
      encoding: 'utf8',
    },
  );
  assert.deepEqual([piped.status, piped.stderr], [0, '']);
});

for (const interval of ['0', '0.001', '0.999']) {
  test(`polyprof run refuses ${interval} ms between two samples, which it would round`, (t) => {
    const { status, stderr } = site(t, {}).polyprof('run', 'about:blank', '--interval', interval);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /--interval <ms>' argument '[\d.]+' is invalid\. It must be at least 1/);
  });
}

test('polyprof run refuses a time that no timer has', (t) => {
  const { status, stderr } = site(t, {}).polyprof('run', 'about:blank', '--seconds', '3000000');
  assert.equal(status, 2, stderr);
  assert.match(stderr, /--seconds <n>' argument '3000000' is invalid\. It must be a number from 0 to 3600/);
});

test('a script in place of a page is told, with the option that it is for, and what profiles it', (t) => {
  const { polyprof, list } = site(t, { 'flow.mjs': 'export default async () => {};' });
  const { status, stderr } = polyprof('run', 'flow.mjs', '-o', 'never');
  assert.equal(status, 2, stderr);
  assert.equal(
    stderr,
    'error: flow.mjs is a script, not a page: to profile it, give the page that loads it; to drive a page by it: polyprof run <url|html> --script flow.mjs\n',
  );
  assert.deepEqual(list(), ['flow.mjs']);
});

const SOURCES = {
  'src/app.ts': 'export const add = (a: number, b: number): number => a + b;',
  'src/types.d.ts': 'export {};',
};

test('sources that are not built yet are told', (t) => {
  const { polyprof } = site(t, SOURCES);
  const { status, stderr } = polyprof('instrument', 'src', '--check', '--no-cache');
  assert.equal(status, 0, stderr);
  assert.ok(stderr.includes('no scripts that browsers run, but sources such as src/app.ts: '), stderr);
});

test('sources beside scripts are not told, also if no script is chosen', (t) => {
  const { polyprof } = site(t, { ...SOURCES, 'src/app.js': 'export const add = (a, b) => a + b;' });
  for (const choice of [[], ['--exclude', '*.js']]) {
    const { status, stderr } = polyprof('instrument', 'src', '--check', '--no-cache', ...choice);
    assert.deepEqual([status, stderr], [0, ''], choice.join(' '));
  }
});
