import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { writeArtefacts } from '../../testing/artefacts.js';
import { takeFreeName } from '../../testing/free_name.js';
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

/** Runs in a thread: takes each name at the moment at which another one does. */
const taking = `
  const { parentPort, workerData: { module, folder, count, arrived } } = require('node:worker_threads');
  import(module).then(({ takeFreeName }) => {
    const taken = [];
    for (let i = 0; i < count; i++) {
      Atomics.add(arrived, i, 1);
      while (Atomics.load(arrived, i) < 2);
      taken.push(takeFreeName('profile' + i, (name) => folder + '/' + name));
    }
    parentPort.postMessage(taken);
  });`;

test('two that want the name of an earlier run at once get one each', async (t) => {
  const { path: folder, release } = temporaryFolder();
  t.after(release);
  const count = 300;
  for (let i = 0; i < count; i++) {
    writeFileSync(join(folder, `profile${i}`), 'old');
    utimesSync(join(folder, `profile${i}`), 1, 1);
  }
  const module = new URL('../../testing/free_name.js', import.meta.url).href;
  const arrived = new Int32Array(new SharedArrayBuffer(4 * count));
  const workerData = { module, folder, count, arrived };
  const threads = [1, 2].map(() => new Worker(taking, { eval: true, workerData }));
  const taken = (await Promise.all(threads.map((thread) => once(thread, 'message')))).flat(2);
  const wanted = Array.from({ length: count }, (_, i) => [`profile${i}`, `profile${i}-2`]).flat();
  assert.deepEqual(taken.sort(), wanted.sort());
  assert.deepEqual(readdirSync(folder).sort(), wanted);
});

test('a name of an earlier run that was killed while it took it is taken all the same', async (t) => {
  const { path: folder, release } = temporaryFolder();
  t.after(release);
  for (const file of ['profile', 'profile.taken']) {
    writeFileSync(join(folder, file), '');
    utimesSync(join(folder, file), 1, 1);
  }
  assert.equal(
    takeFreeName('profile', (name) => join(folder, name)),
    'profile',
  );
  assert.deepEqual(readdirSync(folder), ['profile']);
});
