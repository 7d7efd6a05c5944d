import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { calibratePage } from '../instrumenter/calibrate/calibrate_page.js';
import { WorkloadError } from '../instrumenter/calibrate/workload_error.js';
import { findBrowser } from '../instrumenter/serving/find_browser.js';
import { temporaryFolder } from './lib/children.js';
import { children, renderers } from './lib/processes.js';
import { serve } from './lib/server.js';
import { TIMEOUT_MS } from './lib/time_is_up.js';
import { until } from './lib/until.js';

/** Pages that `polyprof calibrate` visits: what they are made of, and what they do. */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const CHROMIUM = findBrowser('chromium') ?? 'chromium';
const { path: folder, release } = temporaryFolder();
after(release);

/** @typedef {Partial<import('../instrumenter/calibrate/visit.js').Workload>} Work */

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string | import('./lib/server.js').Override>} files by path
 */
async function site(t, files) {
  const overrides = Object.fromEntries(
    Object.entries(files).map(([path, file]) => [path, typeof file === 'string' ? { body: file } : file]),
  );
  const server = await serve({ folders: { '/': folder }, overrides, isolated: false });
  t.after(server.close);
  return server;
}

/** @param {Work & {url: string}} workload */
function calibrated(workload) {
  return calibratePage(CHROMIUM, { seconds: 0, ...workload }, { root: folder, site: folder });
}

/** @param {Awaited<ReturnType<typeof calibrated>>} outcome @returns {Record<string, number>} calls by source and name */
function callsIn({ calibration }) {
  return Object.fromEntries(
    Object.entries(calibration.sources).flatMap(([source, functions]) =>
      functions.map(([name, , calls]) => [`${source} ${name}`, calls]),
    ),
  );
}

test('what a page asks its user is answered with a yes', async (t) => {
  const server = await site(t, {
    '/index.html': `<script>alert('hello'); function yes() {} function no() {} confirm('go on?') ? yes() : no()</script>`,
  });
  const calls = callsIn(await calibrated({ url: server.url('/index.html') }));
  assert.deepEqual([calls['index.html yes'], calls['index.html no']], [1, undefined]);
});

test('a page that is still loading after the limit is told, with what it waits for', async (t) => {
  const server = await site(t, {
    '/index.html': '<script src="app.js"></script><img src="never.png">',
    '/app.js': 'function f() {} f()',
    '/never.png': { after: new Promise(() => {}) },
  });
  await assert.rejects(
    calibrated({ url: server.url('/index.html'), loadLimitMs: 3000 }),
    isWorkloadError(/\/index\.html has not loaded within 3 s: it waits for http:.*\/never\.png$/),
  );
});

test('digests of scripts keep none from being counted, and what is called integrity stays as it is', async (t) => {
  const digestOf = (/** @type {string} */ code) =>
    `sha384-${createHash('sha384').update(code).digest('base64')}`;
  const code = (/** @type {string} */ name) => `function ${name}() {} ${name}(); ran('${name}')`;
  const imports = { mapped: '/mapped.js' };
  const map = JSON.stringify({ imports, integrity: { '/mapped.js': digestOf(code('mapped')) } });
  const server = await site(t, {
    '/index.html': `<!doctype html><script>
      let integrity = 5;
      const due = new Set(['tag', 'mapped', 'property', 'attribute']);
      const all = new Promise((done) => (globalThis.ran = (name) => due.delete(name) && due.size === 0 && done()));
      function check() { if (integrity === 5) right() } function right() {}
    </script>
    <script type=importmap>${map}</script><script type=module>import 'mapped'; check()</script>
    <script src=tag.js integrity=${digestOf(code('tag'))}></script>
    <script>
      const [first, second] = [1, 2].map(() => document.createElement('script'));
      first.integrity = '${digestOf(code('property'))}';
      first.src = 'property.js';
      second.setAttribute('integrity', '${digestOf(code('attribute'))}');
      second.src = 'attribute.js';
      document.head.append(first, second);
    </script>`,
    ...Object.fromEntries(
      ['tag', 'mapped', 'property', 'attribute'].map((name) => [`/${name}.js`, code(name)]),
    ),
  });
  const calls = callsIn(await calibrated({ url: server.url('/index.html'), run: 'all' }));
  for (const name of ['tag', 'mapped', 'property', 'attribute']) assert.equal(calls[`${name}.js ${name}`], 1);
  assert.equal(calls['index.html right'], 1);
});

test('what frames and workers call is counted, and its time measured', async (t) => {
  const server = await site(t, {
    '/index.html': `<!doctype html><script>
      const all = new Promise((done) => {
        let due = 3;
        globalThis.onmessage = () => --due === 0 && done();
      });
      new Worker('worker.js').onmessage = onmessage;
      document.write('<iframe src=frame.html></iframe>');
      document.write('<iframe src=' + location.origin.replace('127.0.0.1', 'localhost') + '/other.html></iframe>');
    </script>`,
    '/frame.html': `<script>function inFrame() {} for (let i = 0; i < 20; i++) inFrame(); parent.postMessage(1, '*')</script>`,
    '/other.html': `<script>function inOther() {} for (let i = 0; i < 30; i++) inOther(); parent.postMessage(1, '*')</script>`,
    '/worker.js': `importScripts('lib.js');
      function inWorker(n) { let sum = 0; for (let i = 0; i < 1e7; i++) sum += Math.sqrt(i * n); return sum }
      for (let i = 0; i < 20; i++) inWorker(i);
      inLib();
      new Worker('inner.js', { type: 'module' }).onmessage = () => postMessage(1);`,
    '/lib.js': 'function inLib() {}',
    '/inner.js': 'import { inModule } from "./module.js"; inModule(); postMessage(1)',
    '/module.js': 'export function inModule() {}',
  });
  const outcome = await calibrated({ url: server.url('/index.html'), run: 'all' });
  const calls = callsIn(outcome);
  assert.deepEqual(
    [
      'frame.html inFrame',
      'other.html inOther',
      'worker.js inWorker',
      'lib.js inLib',
      'module.js inModule',
    ].map((name) => calls[name]),
    [20, 30, 20, 1, 1],
  );
  const { sources, busyMs } = outcome.calibration;
  const [, , , us] = sources['worker.js'].find(([name]) => name === 'inWorker') ?? [];
  assert.ok(Number(us) / 1000 > busyMs / 3, JSON.stringify(outcome.calibration));
  assert.deepEqual(outcome.notes, []);
});

test('a worker that had ended before its page was asked is told', async (t) => {
  const server = await site(t, {
    '/index.html': `<script>
      const worker = new Worker('worker.js');
      const all = new Promise((done) => (worker.onmessage = done)).then(() => worker.terminate());
    </script>`,
    '/worker.js': 'postMessage(1)',
  });
  const { notes } = await calibrated({ url: server.url('/index.html'), run: 'all' });
  assert.equal(notes.length, 2);
  for (const note of notes) assert.match(note, /^1 frame or worker had ended or did not answer while /);
});

/** @type {Record<string, [processes: (browser: number) => number[], message: RegExp]>} */
const ENDS = {
  'a page that crashes': [renderers, /\/index\.html has crashed; nothing was written$/m],
  'a browser that ends': [
    (browser) => [browser],
    /the browser (has ended|ended during .+); nothing was written$/m,
  ],
};

for (const [what, [processes, message]] of Object.entries(ENDS)) {
  test(`${what} ends its calibration at once, with a message`, { timeout: TIMEOUT_MS }, async (t) => {
    const server = await site(t, { '/index.html': '<script>function f() {} f(); fetch("ready")</script>' });
    const child = spawn(process.execPath, [CLI, 'calibrate', server.url('/index.html'), '--seconds', '600']);
    t.after(() => child.kill());
    const exit = once(child, 'exit');
    const said = text(child.stderr);
    await server.request(({ path }) => path === '/ready');
    const [browser] = children(Number(child.pid));
    for (const pid of processes(browser)) process.kill(pid, 'SIGKILL');
    assert.deepEqual(await exit, [1, null]);
    assert.match(await said, message);
  });
}

/** @param {RegExp} message */
function isWorkloadError(message) {
  return (/** @type {unknown} */ error) => {
    assert.ok(error instanceof WorkloadError);
    assert.match(error.message, message);
    return true;
  };
}

test('a workload that leaves the page is told', async (t) => {
  const server = await site(t, { '/index.html': '<script>function f() {} f()</script>' });
  const leaves = calibrated({
    url: server.url('/index.html'),
    run: 'new Promise(() => { location.href = "?x" })',
  });
  await assert.rejects(leaves, isWorkloadError(/^--run failed in the page: .*navigated/));
});

test('a calibration that is ended by a signal leaves no browser and no profile of it', async (t) => {
  const server = await site(t, { '/index.html': '<script>function f() {} f()</script>' });
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const child = spawn(process.execPath, [CLI, 'calibrate', server.url('/index.html'), '--seconds', '600'], {
    env: { ...process.env, TMPDIR: temporary },
  });
  const ended = once(child, 'exit');
  await server.request(({ path }) => path === '/index.html');
  const [browser] = children(Number(child.pid));
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [143, null]);
  // Chromium's own socket is beside it.
  const left = readdirSync(temporary).filter((name) => name.startsWith('polyprof'));
  assert.deepEqual(left, []);
  await until(() => !isRunning(browser));
});

/** @param {number} pid */
function isRunning(pid) {
  try {
    // Whoever inherits what has ended may not look after it.
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
