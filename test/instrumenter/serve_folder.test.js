import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveFolder } from '../../instrumenter/serving/serve_folder.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

test('a name that no file can have is not found, and the server goes on', async (t) => {
  const { path: folder, release } = temporaryFolder();
  t.after(release);
  writeFileSync(join(folder, 'app.js'), '1');
  const { origin, close } = await serveFolder(folder);
  t.after(close);
  for (const name of ['a'.repeat(300), '%00', '%', 'none.js', 'app.js/']) {
    const { status } = await fetch(`${origin}/${name}`);
    assert.equal(status, 404, name);
  }
  assert.equal(await (await fetch(`${origin}/app.js`)).text(), '1');
});
