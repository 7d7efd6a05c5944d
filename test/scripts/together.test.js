import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { run } from '../../scripts/lib/run.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

/** Test files that share a process. */

const { path: folder, release } = temporaryFolder();
after(release);

const FIRST = file(
  'first',
  "after(() => console.log('first is over')); test('one', () => {}); test('two', () => {});",
);
const SECOND = file('second', "test('three', () => console.log('process', process.pid));");
const THIRD = file('third', "test('four', () => console.log('process', process.pid));");
const BROKEN = file('broken', "import './nothing.js'; test('never', () => {});");

/** @param {string} name @param {string} tests @returns {string} its path */
function file(name, tests) {
  const path = join(folder, `${name}.test.mjs`);
  writeFileSync(path, `import { after, test } from 'node:test'; ${tests}`);
  return path;
}

/**
 * @param {string[]} args @param {() => string | undefined} [answer] @param {Record<string, string>} [env] @param {number} [patienceMs]
 * @returns {Promise<string>} what is printed; rejects when a test fails
 */
const together = (args, answer, env, patienceMs) =>
  // A test run in a test run would report to that one.
  run(
    'env',
    [
      '-u',
      'NODE_TEST_CONTEXT',
      'node',
      '--test-force-exit',
      '--test-reporter=tap',
      'web-test/together.js',
      ...args,
    ],
    {
      quiet: true,
      answer,
      env,
      patienceMs,
    },
  );

test('files run one after the other, in one process, and each cleans up before the next one begins', async () => {
  const output = await together([FIRST, SECOND, THIRD]);
  assert.ok(output.indexOf('first is over') < output.indexOf('ok 1 - three'), output);
  const [second, third] = [...output.matchAll(/process (\d+)/g)].map(([, pid]) => pid);
  assert.ok(second && second === third, output);
  assert.match(output, /^# pass 4$/m);
});

test('a file that does not load fails by its name, and the others run', async () => {
  await assert.rejects(together([FIRST, BROKEN, SECOND]), ({ message }) => {
    assert.match(message, /^not ok \d - broken\.test\.mjs$/m);
    assert.match(message, /nothing\.js/);
    assert.match(message, /^# pass 3$/m);
    return true;
  });
});

test('a file that leaves others something of its own in place of what all of them see fails, and says what', async () => {
  const careless = file(
    'careless',
    "performance.now = () => 1; globalThis.document = {}; test('five', () => {});",
  );
  const careful = file(
    'careful',
    "const { now } = Date; Date.now = () => 1; after(async () => { await null; Date.now = now; }); test('six', () => {});",
  );
  await assert.rejects(together([careless, careful]), ({ message }) => {
    assert.match(message, /the file has replaced document, performance\.now: put back what was there/);
    assert.equal(message.match(/^not ok/gm)?.length, 1, message);
    return true;
  });
});

test('without arguments a process runs what it is told until nothing is left', async () => {
  const queue = [FIRST, SECOND];
  const output = await together([], () => queue.shift());
  assert.match(output, /^# pass 3$/m);
});

test('what a file closes when its tests are done is closed before the next one begins, also if that takes time', async () => {
  const slow = file(
    'slow',
    "after(() => new Promise((resolve) => setTimeout(resolve, 50)).then(() => console.log('slow is over'))); test('seven', () => {});",
  );
  const next = file('next', "console.log('next begins'); test('eight', () => {});");
  const output = await together([slow, next]);
  assert.ok(output.indexOf('slow is over') < output.indexOf('next begins'), output);
});

test('what files share is closed when all of them are done, however long the next one is in coming', async () => {
  const shared = join(folder, 'shared.mjs');
  writeFileSync(shared, "import { after } from 'node:test'; after(() => console.log('all is over'));");
  const queue = [FIRST, SECOND, THIRD];
  const output = await together([], () => queue.shift(), {
    NODE_OPTIONS: `--import=${pathToFileURL(shared)}`,
  });
  assert.equal(output.match(/all is over/g)?.length, 1, output);
  assert.ok(output.lastIndexOf('process ') < output.indexOf('all is over'), output);
});

test('what a test whose time was up left open keeps nobody waiting', { timeout: 30_000 }, async () => {
  const left = file(
    'left',
    `import { createServer } from 'node:http';
    test('waits', { timeout: 100 }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise(() => {});
      server.close();
    });`,
  );
  await assert.rejects(together([left, FIRST]), ({ message }) => {
    assert.match(message, /not ok 1 - waits$/m);
    assert.match(message, /^# pass 2$/m);
    return true;
  });
});

test('a file that hears nothing any more is named, and its process ended', async () => {
  const deaf = file('deaf', "test('asks for ever', async () => { for (;;) await null; });");
  const queue = [deaf, FIRST];
  await assert.rejects(
    together([], () => queue.shift(), {}, 1500),
    ({ message }) => {
      assert.match(message, /deaf\.test\.mjs: not done after 0\.025 minutes/);
      return true;
    },
  );
});
