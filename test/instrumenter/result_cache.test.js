import assert from 'node:assert/strict';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ResultCache } from '../../instrumenter/result_cache.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

test('of results that are too much together, those go that were not used for longest', (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  const tasks = [1, 2, 3].map((number) => ({ code: `f(${number})` }));
  const cache = new ResultCache(path);
  for (const [index, task] of tasks.entries()) {
    const before = readdirSync(path);
    cache.write(task, 'x'.repeat(1000));
    const [name] = readdirSync(path).filter((each) => !before.includes(each));
    const seconds = Date.now() / 1000 - 10 + index;
    utimesSync(join(path, name), seconds, seconds);
  }
  assert.equal(cache.read(tasks[0])?.length, 1000, 'used again');
  cache.prune(2500);
  assert.deepEqual(
    tasks.map((task) => cache.read(task) !== null),
    [true, false, true],
  );
});

test('nothing is removed as long as nothing is added', (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  const [task, other] = [{ code: 'f()' }, { code: 'g()' }];
  new ResultCache(path).write(task, 'done');
  const cache = new ResultCache(path);
  cache.prune(0);
  assert.equal(cache.read(task), 'done');
  cache.write(other, 'done');
  cache.prune(0);
  assert.deepEqual(readdirSync(path), []);
});

test('where results cannot be kept, none are, and nothing fails', (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  writeFileSync(join(path, 'file'), '');
  for (const folder of [null, join(path, 'file')]) {
    const cache = new ResultCache(folder);
    cache.write({ code: 'f()' }, 'done');
    cache.prune();
    assert.equal(cache.read({ code: 'f()' }), null);
  }
});
