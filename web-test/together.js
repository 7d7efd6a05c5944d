import { basename } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
// They close the browsers when all files are done: their hooks must not belong to the first file that needs them.
import './lib/each_driver.js';
import { forgetOrigins } from './lib/each_engine.js';

/**
 * node --test-reporter=spec web-test/together.js <test file>...
 * Runs test files in one process, one after the other, so that they share its browsers and the pages that it builds: to start those takes longer than most tests.
 * Without arguments it asks its parent for each file, so that several processes share a list (`answer` in scripts/lib/run.js).
 */

const given = process.argv.slice(2);
const nextFile = given.length > 0 ? async () => given.shift() : askParent;

/** Lets the latest file end. */
let letGo = () => {};
for (let file = await nextFile(); file; file = await nextFile()) await runTests(file);
letGo();
process.disconnect?.();

/**
 * The file before ends only now that another one is there: the test runner closes everything as soon as it has nothing to do.
 * @param {string} file
 * @returns {Promise<void>} fulfilled when its tests have ended, also if they failed or it is broken
 */
function runTests(file) {
  forgetOrigins();
  return new Promise((resolve) => {
    describe(basename(file), async () => {
      after(() => {
        resolve();
        return new Promise((release) => (letGo = () => release(undefined)));
      });
      await import(pathToFileURL(file).href);
    });
    letGo();
  });
}

/** @returns {Promise<string | undefined>} undefined: there is none left */
function askParent() {
  process.send?.('next');
  return new Promise((resolve) => process.once('message', ({ answer }) => resolve(answer)));
}
