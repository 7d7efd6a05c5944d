import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('run.js', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('fixtures/checkout', import.meta.url));

/** @param {...string} paths */
const run = (...paths) => spawnSync(process.execPath, [RUN, ...paths], { encoding: 'utf8' });

test('tests of the language that end otherwise with probes are named, but for those that look at text', () => {
  const { stdout, stderr, status } = run(CHECKOUT);
  assert.equal(stderr, '');
  const lines = stdout.trim().split('\n').toSorted();
  assert.deepEqual(
    lines.map((line) => line.split(' {')[0]),
    [
      'different: test/language/different.js (default)',
      'different: test/language/different.js (strict mode)',
      'refused: test/language/refused.js (strict mode)',
      'same: 7, text of functions: 2, refused: 1, crashed: 0, different: 2',
    ],
  );
  assert.match(lines[0], /"plain":"completed","flag":"Test262Error"/);
  assert.equal(status, 1);
});

test('tests of the language that end alike are no failure', () => {
  const { stdout, status } = run(CHECKOUT, 'test/language/same.js', 'test/language/async.js');
  assert.match(stdout, /^same: 4, .* different: 0\n$/);
  assert.equal(status, 0);
});

test('a folder that is no checkout of test262 is refused', () => {
  const { stderr, status } = run('nowhere');
  assert.match(stderr, /^nowhere: not a checkout of test262/);
  assert.equal(status, 1);
});
