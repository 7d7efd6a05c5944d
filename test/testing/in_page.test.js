import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Linter } from 'eslint';
import globals from 'globals';
import { startScript } from '../../testing/in_page/page_script.js';
import { realmScript } from '../../testing/in_page/realm_script.js';

const START = {
  folder: '/__polyprof__/',
  sampleInterval: 1,
  maxBufferSize: 1000,
  record: true,
  channel: 'c',
};

/** @param {string} script @param {Record<string, boolean>} platform @returns {string[]} what is wrong with it */
function problemsOf(script, platform) {
  const rules = /** @type {const} */ ({ 'no-undef': 'error', 'no-redeclare': 'error' });
  const languageOptions = /** @type {const} */ ({ globals: platform, sourceType: 'script' });
  return new Linter().verify(script, { languageOptions, rules }).map(({ message }) => message);
}

test('the script of a page brings all that it uses', () => {
  const script = startScript({ ...START, id: '1', blockServiceWorkers: true, asksAt: 'http://h' });
  assert.deepEqual(problemsOf(script, globals.browser), []);
});

test('the script of a worker brings all that it uses', () => {
  const script = realmScript({ ...START, kind: 'worker' });
  assert.deepEqual(problemsOf(script, globals.worker), []);
  assert.deepEqual(problemsOf(script.replace(/const RUN\b/, 'const OTHER'), globals.worker), [
    "'RUN' is not defined.",
  ]);
});
