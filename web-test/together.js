import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

/**
 * node --test-reporter=spec web-test/together.js <test file>...
 * Runs test files in one process, so that they share its browsers and the pages that it builds: to start those takes longer than most tests.
 */

// Tests begin as soon as the first one is known. They wait, so that no file's own preparations keep the servers of another one's tests.
test('all test files load', () => loaded);

const loaded = load(process.argv.slice(2));

/** @param {string[]} files rejects with what the first one that is broken throws, when the others are there */
async function load(files) {
  /** @type {unknown[]} */
  const errors = [];
  for (const file of files) {
    await import(pathToFileURL(file).href).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
