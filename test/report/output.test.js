import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { outputOf, writeEach } from '../../report/output.js';
import { InputIdentity } from '../../report/reading/input_identity.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { traceOf } from './traces.js';

/** @import { Output } from '../../report/output.js' */

const { path: folder, release } = temporaryFolder();
after(release);

test('in a folder each trace is written before the next one is read: they need not be in memory together', async () => {
  const output = /** @type {Output} */ (outputOf(`${join(folder, 'out')}/`, 'folded', new InputIdentity([])));
  async function* profiles() {
    yield { name: 'a', trace: traceOf(['main']) };
    assert.deepEqual(readdirSync(join(folder, 'out')), ['a.folded']);
    yield { name: 'a', trace: traceOf(['main']) };
  }
  await writeEach(output, profiles(), assert.fail);
  assert.deepEqual(readdirSync(join(folder, 'out')).sort(), ['a-2.folded', 'a.folded']);
});
