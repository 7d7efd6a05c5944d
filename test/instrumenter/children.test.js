import assert from 'node:assert/strict';
import { on } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const parent = join(outer.path, 'a folder that becomes a link to itself');
  mkdirSync(parent);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = parent;
  const { path, release } = temporaryFolder();
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmdirSync(path);
  rmdirSync(parent);
  symlinkSync(parent, parent);
  const warnings = on(process, 'warning');
  release();
  for await (const [{ message }] of warnings) {
    if (!message.startsWith(`${path} could not be removed: `)) continue;
    assert.match(message, /too many (levels of )?symbolic links/i);
    break;
  }
  outer.release();
});
