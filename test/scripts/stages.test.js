import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stages } from '../../scripts/lib/stages.js';

/** @param {Promise<unknown>} promise */
const isPending = async (promise) =>
  (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, 'pending'))])) === 'pending';

test('a stage begins when each process is done with the one before', async () => {
  const stages = new Stages([['a', 'b', 'c'], ['d', 'e'], []], 2);
  assert.deepEqual([await stages.next(), await stages.next(), await stages.next()], ['a', 'b', 'c']);
  const first = stages.next();
  assert.ok(await isPending(first));
  const second = stages.next();
  assert.deepEqual([await first, await second], ['d', 'e']);
  assert.deepEqual(await Promise.all([stages.next(), stages.next()]), [undefined, undefined]);
});

test('a process that ended is not waited for', async () => {
  const stages = new Stages([['a', 'b'], ['c']], 2);
  assert.deepEqual([await stages.next(), await stages.next()], ['a', 'b']);
  const next = stages.next();
  assert.ok(await isPending(next));
  stages.leave();
  assert.equal(await next, 'c');
  assert.equal(await stages.next(), undefined);
});
