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
  const write = (/** @type {object} */ task) =>
    new ResultCache(path, null, 3500).write(task, 'x'.repeat(1000));
  for (const [index, task] of tasks.entries()) {
    const before = readdirSync(path);
    write(task);
    const [name] = readdirSync(path).filter((each) => !before.includes(each));
    const seconds = Date.now() / 1000 - 10 + index;
    utimesSync(join(path, name), seconds, seconds);
  }
  const cache = new ResultCache(path);
  assert.ok(cache.read(tasks[0]), 'used again');
  write({ code: 'f(4)' });
  assert.deepEqual(
    tasks.map((task) => cache.read(task) !== null),
    [true, false, true],
  );
});

test('tasks that differ in anything have results of their own, also in sets and where one text ends and the next begins', (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  const tasks = [
    { code: 'f()', map: 'x' },
    { code: 'f()x', map: '' },
    { code: 'f()', name: 'x' },
    { code: 'f()', map: ['x'] },
    { code: 'f()', map: new Set(['x']) },
    { code: 'f()', map: new Set(['y']) },
    { code: 'f()', map: undefined },
    { code: 'f()' },
  ];
  const cache = new ResultCache(path);
  for (const [index, task] of tasks.entries()) cache.write(task, index);
  assert.deepEqual(
    tasks.map((task) => cache.read(task)),
    [...tasks.keys()],
  );
});

test('where results cannot be kept, none are, and nothing fails', (t) => {
  const { path, release } = temporaryFolder();
  t.after(release);
  writeFileSync(join(path, 'file'), '');
  for (const folder of [null, join(path, 'file')]) {
    const cache = new ResultCache(folder);
    cache.write({ code: 'f()' }, 'done');
    assert.equal(cache.read({ code: 'f()' }), null);
  }
});
