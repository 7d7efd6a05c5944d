import { basename } from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { globalsOfNow } from './globals_of_now.js';

/**
 * Runs test files in this process, one after the other: to start a process, and to load what they share, takes longer than the tests of most.
 * Those that the command line names; without any it asks its parent for each, so that several processes share a list (`answer` in run.js).
 * @param {() => void} [onFile] called before each
 */
export async function runTogether(onFile = () => {}) {
  const given = process.argv.slice(2);
  const nextFile = given.length > 0 ? async () => given.shift() : askParent;
  /** Lets the latest file end. It does so only when another one is there: the test runner closes everything as soon as it has nothing to do. */
  let letGo = () => {};
  for (let file = await nextFile(); file; file = await nextFile()) {
    onFile();
    await runTests(file);
  }
  letGo();
  process.disconnect?.();

  /** @param {string} file @returns {Promise<void>} fulfilled when its tests have ended, also if they failed or it is broken */
  function runTests(file) {
    return new Promise((resolve) => {
      describe(basename(file), async () => {
        const globals = globalsOfNow();
        try {
          await import(pathToFileURL(file).href);
        } finally {
          // The last one: what the file closes and puts back is done by then.
          after(() => {
            resolve();
            globals.check();
            return new Promise((release) => (letGo = () => release(undefined)));
          });
        }
      });
      letGo();
    });
  }
}

/** @returns {Promise<string | undefined>} undefined: there is none left */
function askParent() {
  process.send?.('next');
  return new Promise((resolve) => process.once('message', ({ answer }) => resolve(answer)));
}
