import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runWithCodeCache } from '../../instrumenter/plugin/code_cache.cjs';
import { temporaryFolder } from '../../web-test/lib/children.js';

/** @type {any} */
const global = globalThis;

/** @param {import('node:test').TestContext} t @returns {{script: string, cache: string, run(): {isCached: boolean, ran: unknown}}} */
function setUp(t) {
  const { path, release } = temporaryFolder();
  t.after(release);
  const script = join(path, 'script.cjs');
  const cache = join(path, 'a/folder/script.code');
  writeFileSync(script, scriptOf(1));
  const run = () => {
    delete global.ranByCodeCache;
    const isCached = runWithCodeCache(script, cache);
    return { isCached, ran: global.ranByCodeCache };
  };
  return { script, cache, run };
}

/** Of one length for all. @param {number} digit */
const scriptOf = (digit) =>
  `const { sep } = require('node:path');\nfunction run() { globalThis.ranByCodeCache = [${digit}, typeof sep, __filename] }\nrun(); // the end`;

test('code that one run compiled is there for the next one', (t) => {
  const { script, cache, run } = setUp(t);
  assert.deepEqual(run(), { isCached: false, ran: [1, 'string', script] });
  const { mtimeMs } = statSync(cache);
  assert.deepEqual(run(), { isCached: true, ran: [1, 'string', script] });
  assert.equal(statSync(cache).mtimeMs, mtimeMs);
  assert.deepEqual(readdirSync(join(cache, '..')), ['script.code']);
});

test('a script that has changed, if only by a character, is compiled anew', (t) => {
  const { script, run } = setUp(t);
  run();
  writeFileSync(script, scriptOf(2));
  assert.deepEqual(run(), { isCached: false, ran: [2, 'string', script] });
  assert.equal(run().isCached, true);
});

test('a cache that is damaged, cut short or something else is made anew', (t) => {
  const { cache, run } = setUp(t);
  run();
  const whole = readFileSync(cache);
  const damaged = Buffer.from(whole);
  damaged[damaged.length >> 1] ^= 1;
  for (const content of [damaged, whole.subarray(0, whole.length / 2), Buffer.alloc(0), Buffer.from('{}')]) {
    writeFileSync(cache, content);
    assert.equal(run().isCached, false);
    assert.equal(run().isCached, true);
  }
});

test('where there can be no cache a script just runs', (t) => {
  const { script, cache, run } = setUp(t);
  writeFileSync(join(cache, '../..'), 'a file in the place of the folder');
  assert.deepEqual(run(), { isCached: false, ran: [1, 'string', script] });
  assert.equal(runWithCodeCache(script, null), false);
});

test('what a script throws is thrown, and nothing is kept', (t) => {
  const { script, cache } = setUp(t);
  writeFileSync(script, 'throw new RangeError("no")');
  mkdirSync(join(cache, '..'), { recursive: true });
  assert.throws(() => runWithCodeCache(script, cache), RangeError);
  assert.deepEqual(readdirSync(join(cache, '..')), []);
});
