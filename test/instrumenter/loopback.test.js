import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';

test('a server has the port that it wants if nobody else has it, and else any', async () => {
  const first = await openOnLoopback(createServer());
  const second = await openOnLoopback(createServer(), first.port);
  assert.notEqual(second.port, first.port);
  await first.close();
  const third = await openOnLoopback(createServer(), first.port);
  assert.equal(third.port, first.port);
  await Promise.all([second.close(), third.close()]);
});
