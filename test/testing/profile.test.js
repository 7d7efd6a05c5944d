import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { profile } from '../../testing/index.js';

/** What `profile` says and throws; the page is this test. */

const { path: folder, release } = temporaryFolder();
after(release);

/** As of Playwright. @param {Record<string, unknown>} globals of the page @returns {any} */
function pageWith(globals) {
  const done = async () => {};
  return {
    evaluate: async (/** @type {string} */ expression) => runInNewContext(expression, globals),
    url: () => 'http://app.test/',
    isClosed: () => false,
    route: done,
    unroute: done,
    exposeFunction: done,
    context: () => ({
      newCDPSession: () => Promise.reject(new Error('no Chromium')),
      browser: () => null,
    }),
  };
}

const OUTCOME = {
  trace: { resources: [], frames: [], stacks: [], samples: [] },
  mode: 'flag',
  losses: {},
  sampleInterval: 1,
  url: 'http://app.test/',
  userAgent: '',
  timeOrigin: 0,
  full: false,
  scripts: 1,
  blocked: [],
};

test('a failing test fails as it would, also if its profile cannot be written', async () => {
  const page = pageWith({ __polyprofRun__: { begin() {}, end: () => JSON.stringify(OUTCOME) } });
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const failure = new Error('expected 3 rows');
  const fail = async () => {
    throw failure;
  };
  await assert.rejects(profile(page, fail, { outDir: join(file, 'results') }), failure);
});

test('files are written in place of those of an earlier run of their name, also of workers and frames that are no longer there', async () => {
  const outDir = mkdtempSync(join(folder, 'earlier-'));
  const others = ['app-2.worker-1.trace.json', 'app.notes.trace.json', 'other.frame-1.trace.json'];
  const earlier = ['app.trace.json', 'app.worker-1.trace.json', 'app.worker-2.trace.json'];
  for (const file of [...others, ...earlier, 'app.frame-1.trace.json']) {
    writeFileSync(join(outDir, file), '{}');
    // Before this process.
    utimesSync(join(outDir, file), 1, 1);
  }
  const realms = {
    outcomes: [{ ...OUTCOME, kind: 'worker', id: '1' }],
    problems: [],
    ended: [],
    cut: [],
    silent: [],
  };
  const end = () => JSON.stringify({ ...OUTCOME, realms });
  await profile(pageWith({ __polyprofRun__: { begin() {}, end } }), () => {}, { outDir, name: 'app' });
  const written = ['app.html', 'app.trace.json', 'app.worker-1.trace.json'];
  assert.deepEqual(readdirSync(outDir).sort(), [...others, ...written].sort());
});

test('what a worker told in parts is one trace, known by the script that it has imported', async () => {
  const outDir = mkdtempSync(join(folder, 'parts-'));
  const part = (/** @type {string} */ url, /** @type {number[]} */ ...times) => {
    const trace = { ...OUTCOME.trace, samples: times.map((timestamp) => ({ timestamp })) };
    return { ...OUTCOME, kind: 'worker', id: '1', url, trace, losses: { lostTicks: 1 } };
  };
  const [none, first, second] = [
    part('blob:http://app.test/1'),
    part('http://app.test/a.js', 1, 2, 3),
    part('blob:http://app.test/1', 3, 4),
  ];
  const realms = { outcomes: [none, first, second], problems: [], ended: [], cut: [], silent: [] };
  const end = () => JSON.stringify({ ...OUTCOME, realms });
  await profile(pageWith({ __polyprofRun__: { begin() {}, end } }), () => {}, { outDir, name: 'app' });
  const { trace, ...details } = JSON.parse(readFileSync(join(outDir, 'app.worker-1.trace.json'), 'utf8'));
  const times = trace.samples.map((/** @type {{timestamp: number}} */ { timestamp }) => timestamp);
  assert.deepEqual([times, details.url], [[1, 2, 3, 4], 'http://app.test/a.js']);
  assert.deepEqual(details.losses, { lostTicks: 3 });
  assert.deepEqual(readdirSync(outDir).sort(), ['app.html', 'app.trace.json', 'app.worker-1.trace.json']);
});

test('of workers and frames that cannot be sampled each reason is told once', async () => {
  const problems = [
    { name: 'worker http://app.test/a.js', message: 'polyprof: no worker' },
    { name: 'worker http://app.test/b.js', message: 'polyprof: no worker' },
    { name: 'frame http://app.test/c', message: 'polyprof: no memory' },
  ];
  const realms = { outcomes: [], problems, ended: [], cut: [], silent: [] };
  const end = () => JSON.stringify({ ...OUTCOME, realms });
  /** @type {string[]} */
  const notes = [];
  const page = pageWith({ __polyprofRun__: { begin() {}, end } });
  await profile(page, () => {}, { onNote: (note) => notes.push(note) });
  assert.deepEqual(notes, [
    'no profile of the worker http://app.test/a.js and 1 more: no worker',
    'no profile of the frame http://app.test/c: no memory',
  ]);
});

/** @param {string} href @param {string} contentType */
function profileOfShown(href, contentType) {
  return profile(pageWith({ document: { contentType }, location: { href }, navigator: {} }), () => {});
}

test('what is shown in place of an HTML page is told, with its type', async () => {
  await assert.rejects(
    profileOfShown('http://app.test/x.json', 'application/json'),
    /^Error: polyprof: http:\/\/app\.test\/x\.json is no HTML page: its type is application\/json$/,
  );
  await assert.rejects(
    profileOfShown('http://app.test/', 'text/html'),
    /loaded before profile\(\).*prepare\(page\)/,
  );
});

test('of a page that comes from no server, such as about:blank after setContent(), it is told that nothing in it has probes for this', async () => {
  for (const [href, told] of [
    ['about:blank', 'about:blank'],
    ['data:text/html,<p>', 'data:text/html,<p>'],
    [`data:text/html,${'x'.repeat(1000)}`, `data:text/html,${'x'.repeat(65)}…`],
  ]) {
    await assert.rejects(profileOfShown(href, 'text/html'), ({ message }) => {
      const why = 'comes from no server, so nothing in it has probes: go to an address';
      assert.ok(message.startsWith(`polyprof: ${told} ${why}`), message);
      return true;
    });
  }
});
