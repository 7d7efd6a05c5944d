import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildWorkload } from '../examples/workloads/build.js';
import { instrumentWorkload } from '../examples/workloads/lib/instrument.js';
import { WORKLOADS } from '../examples/workloads/workloads.js';
import { temporaryFolder } from '../web-test/lib/children.js';

const RUN = fileURLToPath(new URL('../examples/workloads/run_in_node.js', import.meta.url));

/** Share of the work: the compiler alone parses for a second whatever the share. @type {Record<string, number>} */
const SCALES = { typescript: 0.02, planck: 0.05, marked: 0.05, preact: 0.05 };

const { path: folder, release } = temporaryFolder();
after(release);

/** @param {string} built folder of a workload @param {string} name @param {number} scale @returns {Promise<string>} what it printed */
async function printedBy(built, name, scale) {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, built, name, String(scale)]);
  return stdout;
}

for (const name of WORKLOADS) {
  test(`${name} prints the same with probes in its heavier functions, in all functions, and without`, async () => {
    const scale = SCALES[name];
    const plain = await buildWorkload(name, join(folder, 'plain'));
    const usual = await instrumentWorkload(plain, join(folder, 'usual'));
    const all = await instrumentWorkload(plain, join(folder, 'all'), ['--min-weight', '0']);
    const probesIn = (/** @type {string} */ built) =>
      readFileSync(join(built, `${name}.js`), 'utf8').split('__ppH.l()').length - 1;
    assert.equal(probesIn(plain), 0);
    assert.ok(0 < probesIn(usual) && probesIn(usual) < probesIn(all));

    const [expected, less, ...instrumented] = await Promise.all([
      printedBy(plain, name, scale),
      printedBy(plain, name, scale / 5),
      printedBy(usual, name, scale),
      printedBy(all, name, scale),
    ]);
    assert.match(expected, /^[0-9a-f]{16}\n$/);
    assert.notEqual(less, expected, 'the output says what was computed');
    assert.deepEqual(instrumented, [expected, expected]);
  });
}
