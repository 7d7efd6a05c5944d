import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { writeArtefacts } from '../../testing/artefacts.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

/** What `profile` and `polyprof run` write. */

/** @param {string} name of the only function */
const profileOf = (name) => ({
  name: 'page',
  trace: {
    resources: [],
    frames: [{ name }],
    stacks: [{ frameId: 0 }],
    samples: [{ timestamp: 1, stackId: 0 }],
  },
  details: {},
});

/** @param {string} file @returns {string} as of `profileOf` */
const nameIn = (file) => JSON.parse(readFileSync(file, 'utf8')).trace.frames[0].name;

test('profiles that several processes write into one folder at once are all there', async (t) => {
  const { path: outDir, release } = temporaryFolder();
  t.after(release);
  const write = `
    import { writeArtefacts } from ${JSON.stringify(new URL('../../testing/artefacts.js', import.meta.url).href)};
    const profile = (${profileOf})(process.argv[1]);
    for (let i = 0; i < 3; i++) await writeArtefacts([profile], { outDir: process.argv[2], name: 'profile' });`;
  const run = (/** @type {string} */ name) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', write, name, outDir]);
  await Promise.all(['a', 'b', 'c'].map(run));
  const traces = readdirSync(outDir).filter((file) => file.endsWith('.trace.json'));
  assert.deepEqual(traces.map((file) => nameIn(join(outDir, file))).sort(), [...'aaabbbccc']);
});

test('a profile of an earlier run is written anew, and a second one of this run gets a number', async (t) => {
  const { path: outDir, release } = temporaryFolder();
  t.after(release);
  const file = join(outDir, 'profile.trace.json');
  writeFileSync(file, 'old');
  utimesSync(file, 1, 1);
  const write = (/** @type {string} */ name) =>
    writeArtefacts([profileOf(name)], { outDir, name: 'profile' });
  assert.deepEqual(await write('first'), [file, join(outDir, 'profile.html')]);
  await write('second');
  assert.equal(nameIn(file), 'first');
  assert.equal(nameIn(join(outDir, 'profile-2.trace.json')), 'second');
});
