import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeWholeFile } from '../../report/write_file.js';

const folder = mkdtempSync(join(tmpdir(), 'polyprof-write-'));
after(() => rmSync(folder, { recursive: true }));

test('a large text is written whole, wherever its characters beyond ASCII are', async () => {
  const file = join(folder, 'large.txt');
  for (const shift of [0, 1]) {
    const text = `${'x'.repeat(shift)}${'😀ä'.repeat(1 << 20)}`;
    await writeWholeFile(file, text);
    assert.ok(readFileSync(file, 'utf8') === text);
  }
  for (const text of ['', 'ä']) {
    await writeWholeFile(file, text);
    assert.equal(readFileSync(file, 'utf8'), text);
  }
  assert.deepEqual(readdirSync(folder), ['large.txt']);
});

test('a file that cannot be written is named, and nothing of it stays', async () => {
  const file = join(folder, 'missing', 'a.txt');
  await assert.rejects(writeWholeFile(file, 'x'), (error) =>
    /** @type {Error} */ (error).message.startsWith(`${file}: cannot be written (ENOENT`),
  );
});
