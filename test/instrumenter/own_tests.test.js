import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compareOwnTests } from '../../scripts/lib/own_tests.js';

/** More of them: `npm run nightly`. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
mkdirSync(join(ROOT, 'build'), { recursive: true });
const work = mkdtempSync(join(ROOT, 'build/own-tests-'));
after(() => rmSync(work, { recursive: true, force: true }));

for (const { name, tests } of [
  { name: 'pend', tests: ['test.js'] },
  { name: 'html-escaper', tests: ['test/index.js'] },
]) {
  test(`with probes in all functions, ${name} passes its own tests as before`, () => {
    const { checks, probed } = compareOwnTests({ name, tests }, join(ROOT, 'node_modules'), work);
    assert.ok(probed > 5 && checks > 20, `${probed} functions, ${checks} checks`);
  });
}
