import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../instrumenter/serving/children.js';

test('a temporary folder is removed with all it holds', () => {
  const { path, release } = temporaryFolder();
  writeFileSync(join(path, 'file'), 'text');
  release();
  assert.equal(existsSync(path), false);
  release();
});

test('a temporary folder that cannot be removed ends nothing: a warning says so', async () => {
  const outer = temporaryFolder();
  const parent = join(outer.path, 'a folder that becomes a file');
  mkdirSync(parent);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = parent;
  const { path, release } = temporaryFolder();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmdirSync(path);
  rmdirSync(parent);
  writeFileSync(parent, '');
  const warned = once(process, 'warning');
  release();
  const [{ message }] = await warned;
  assert.ok(message.startsWith(`${path} could not be removed: ENOTDIR`), message);
  outer.release();
});
