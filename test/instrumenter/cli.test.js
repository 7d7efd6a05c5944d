import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));

/** @param {string[]} args */
const polyprof = (...args) => spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });

const folder = mkdtempSync(join(tmpdir(), 'polyprof-'));
after(() => rmSync(folder, { recursive: true }));

/** @param {string} name @param {string} content @returns {string} path */
function write(name, content) {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
  return file;
}

test('the command line tells its version', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { status, stdout, stderr } = polyprof('--version');
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: `${version}\n`, stderr: '' });
});

for (const interval of ['0', '0.001', '0.999']) {
  test(`polyprof run refuses ${interval} ms between two samples, which it would round`, () => {
    const { status, stderr } = polyprof('run', 'about:blank', '--interval', interval);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /--interval <ms>' argument '[\d.]+' is invalid\. It must be at least 1/);
  });
}

test('a script in place of a page is told, with the option that it is for', () => {
  const script = write('flow.mjs', 'export default async () => {};');
  const { status, stderr } = polyprof('run', script, '-o', join(folder, 'never'));
  assert.equal(status, 2, stderr);
  assert.equal(
    stderr,
    `error: ${script} is a script, not a page: polyprof run <url|html> --script ${script}\n`,
  );
});

test('sources that are not built yet are told, not scripts beside which they lie', () => {
  const source = write('src/app.ts', 'export const add = (a: number, b: number): number => a + b;');
  write('src/types.d.ts', 'export {};');
  const sourcesAlone = polyprof('instrument', join(folder, 'src'), '--check', '--no-cache');
  assert.equal(sourcesAlone.status, 0, sourcesAlone.stderr);
  assert.ok(sourcesAlone.stderr.includes(`no scripts that browsers run, but sources such as ${source}: `));
  write('src/app.js', 'export const add = (a, b) => a + b;');
  const both = polyprof('instrument', join(folder, 'src'), '--check', '--no-cache');
  assert.deepEqual([both.status, both.stderr], [0, '']);
});
