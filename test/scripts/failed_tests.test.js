import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FailedTests } from '../../scripts/lib/failed_tests.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

/** What `npm test` says at its end. */

const { path: folder, release } = temporaryFolder();
after(release);

/** @param {string} tests @returns {string} what is told of them */
function told(tests) {
  const file = join(folder, 'some.mjs');
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'; import { describe, test } from 'node:test'; ${tests}`,
  );
  const failed = new FailedTests();
  try {
    const { args, env } = failed.reporters();
    const { stdout } = spawnSync(process.execPath, ['--test-force-exit', ...args, file], {
      encoding: 'utf8',
      // A test run in a test run would report to that one.
      env: { ...process.env, ...env, NODE_TEST_CONTEXT: undefined },
    });
    assert.match(stdout, /tests \d/, 'the usual report is there, too');
    return failed.read();
  } finally {
    failed.remove();
  }
}

test('each test that failed is told once, with the reason and the place', () => {
  const text = told(`
    test('this one passes', () => {});
    describe('a suite', () => {
      test('a sum is wrong', () => assert.ok(1 + 1 === 3, 'two and not three'));
    });
    test('something else is thrown', () => { throw 'a text' });
    test('a test that hangs', { timeout: 20 }, () => new Promise((resolve) => setTimeout(resolve, 200)));
  `);
  assert.equal(text.match(/^✖/gm)?.length, 3, text);
  assert.match(text, /^✖ a sum is wrong\n {2}AssertionError.*two and not three[^]*some\.mjs:\d+/m);
  assert.match(text, /^✖ something else is thrown\n.*a text/m);
  assert.match(text, /^✖ a test that hangs\n.*timed out after 20ms/m);
});

test('what nobody catches is told where the test that began it has passed', () => {
  const text = told(`
    test('this one passes', () => {
      setTimeout(() => Promise.reject(new Error('of a promise')));
      setTimeout(() => { throw new Error('of a timer'); });
    });
    test('this one takes longer', () => new Promise((resolve) => setTimeout(resolve, 50)));
  `);
  assert.equal(text.match(/^✖ after the end of a test$/gm)?.length, 2, text);
  assert.match(text, /Error: of a promise\n.*some\.mjs:\d+/);
  assert.match(text, /Error: of a timer\n.*some\.mjs:\d+/);
});

test('where nothing failed nothing is told', () => {
  assert.equal(told(`test('this one passes', () => {});`), '');
});
