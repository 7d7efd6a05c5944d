import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { serveProfiled } from '../testing/index.js';
import { answersAtOnce } from './lib/answers_at_once.js';
import { eachEngine } from './lib/each_engine.js';
import { temporaryFolder } from './lib/children.js';
import { spin } from './lib/profiled_site.js';
import { runCommand } from './lib/run_command.js';
import { serve } from './lib/server.js';
import { PARTS_SAY, serveSiteOfManyParts } from './lib/site_of_many_parts.js';
import { selfShares } from './lib/trace.js';
import { until } from './lib/until.js';

/** `polyprof run` and `polyprof/testing` with browsers that somebody else opens. */

/** What each page does. */
const WORK_MS = 200;

/** More than browsers have connections to a server, and what each of them does. */
const FRAMES = 12;
const FRAME_MS = 50;

/** Functions of scripts that a program makes, all at one place, and told apart by the query alone. */
const MADE = ['first', 'other', 'third'];

const { path: folder, release } = temporaryFolder();
const page = {
  body: `<!doctype html><title>app</title><script src="/app.js"></script><script>work()</script>`,
  headers: { 'Content-Type': 'text/html' },
};
const site = await serve({
  folders: {},
  isolated: false,
  overrides: {
    '/': page,
    '/second': page,
    '/based': {
      body: `<!doctype html><base href="http://127.0.0.1:1/"><title>app</title><script>${spin('work', WORK_MS)}work()</script>`,
      headers: page.headers,
    },
    '/frames': {
      body: `<!doctype html><title>frames</title>${'<iframe src="/frame"></iframe>'.repeat(FRAMES)}`,
      headers: page.headers,
    },
    '/frame': {
      body: `<!doctype html><title>frame</title><script>${spin('work', FRAME_MS)}work()</script>`,
      headers: page.headers,
    },
    '/app.js': { body: spin('work', WORK_MS) },
    '/made': {
      body: `<!doctype html><title>made</title>${MADE.map((name) => `<script src="/load.php?of=${name}"></script>`).join('')}`,
      headers: page.headers,
    },
    ...Object.fromEntries(
      MADE.map((name) => [
        `/load.php?of=${name}`,
        { body: `${spin(name, WORK_MS)}${name}()`, headers: { 'Content-Type': 'text/javascript' } },
      ]),
    ),
    '/worker.js': {
      body: `'use strict';const addEventListener = null, MessageEvent = null;${spin('work', WORK_MS)}onmessage = ({ data }) => { work(); postMessage(data); };`,
    },
    '/shared.js': {
      body: `${spin('work', WORK_MS)}
        addEventListener('connect', ({ ports: [port] }) => {
          port.onmessage = ({ data }) => { work(); port.postMessage(data); };
        });`,
    },
  },
});
after(async () => {
  await site.close();
  release();
});

/** What it asks to open, in each run. */
const TOLD = /open (http:\S+) in any browser/g;

/**
 * @param {(url: string) => Promise<void>} visit opens the address that stands for the site's
 * @param {string} [origin]
 * @param {string[]} [args]
 */
async function runAny(visit, origin = site.origin, args = []) {
  const out = mkdtempSync(join(folder, 'any-'));
  /** @type {Map<string, Promise<void>>} by address */
  const visits = new Map();
  const outcome = await runCommand([origin, '--browser', 'any', '--min-weight', '0', '-o', out, ...args], {
    cwd: folder,
    onOutput(output, { stdin }) {
      for (const [, url] of output.matchAll(TOLD)) {
        if (!visits.has(url))
          visits.set(
            url,
            visit(url).finally(() => stdin.write('\n')),
          );
      }
    },
  });
  await Promise.all(visits.values());
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(out, `${name}.trace.json`), 'utf8'));
  return { ...outcome, read };
}

/** @param {{trace: import('../report/reading/check_trace.js').ProfilerTrace}} file @param {string} name */
const samplesOf = ({ trace }, name) => (selfShares(trace)[name] ?? 0) * trace.samples.length;

/**
 * Not exact: a crowded machine wakes the sampler late, and what ran then goes to what ran before or after. Some of it is there in any case.
 * @param {{trace: import('../report/reading/check_trace.js').ProfilerTrace, losses?: Record<string, number>}} file
 * @param {number} ms that the function ran, or more
 * @param {string} [output]
 * @param {{name?: string, missedMs?: number}} [about] the function; `missedMs`: what is known to be missing
 */
function assertWorked(file, ms, output = '', { name = 'work', missedMs = 0 } = {}) {
  const { lateTicks = 0 } = file.losses ?? {};
  const samples = samplesOf(file, name);
  const found = `${samples} samples of ${ms} ms, ${lateTicks} late, ${missedMs} ms missed`;
  assert.ok(samples + Math.min(lateTicks, ms / 2) + missedMs > 0.8 * ms, `${found}\n${output}`);
}

eachEngine(
  'each tab of a browser that somebody opens has a profile, of all pages that it showed, isolated as can be',
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => {
      const first = await browser.open(url);
      assert.equal(await first.evaluate('crossOriginIsolated'), true);
      await first.goto(`${url}/second`);
      const second = await browser.open(url.replace('127.0.0.1', 'localhost'));
      assert.equal(await second.evaluate('crossOriginIsolated'), true);
    });
    assert.equal(status, 0, output);
    const [first, second] = [read('profile'), read('profile-2')];
    assertWorked(first, 2 * WORK_MS, output);
    assertWorked(second, WORK_MS, output);
    assert.deepEqual([first.mode, second.mode], ['flag', 'flag'], output);
    assert.match(second.userAgent, /^Mozilla/);
  },
);

eachEngine(
  'a page loads with more frames than the browser has connections, and nothing that they do is missed',
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => {
      const page = await browser.open(`${url}/frames`);
      assert.equal(await page.evaluate('document.readyState'), 'complete');
    });
    assert.equal(status, 0, output);
    for (let i = 1; i <= FRAMES; i++) assertWorked(read(`profile.frame-${i}`), FRAME_MS, output);
  },
);

eachEngine('scripts whose addresses differ in their query alone are told apart', async ({ browser }) => {
  const { status, output, read } = await runAny(async (url) => void (await browser.open(`${url}/made`)));
  assert.equal(status, 0, output);
  const file = read('profile');
  for (const name of MADE) {
    assertWorked(file, WORK_MS, output, { name });
    assert.ok(samplesOf(file, name) < 2 * WORK_MS, output);
  }
  const places = file.trace.frames.filter(({ name }) => MADE.includes(name));
  assert.deepEqual(
    places.map(({ name, resourceId }) => [name, file.trace.resources[resourceId]]).sort(),
    MADE.map((name) => [name, `load.php?of=${name}`]),
  );
});

eachEngine(
  'a page that clears what it has stored, and goes on to another one, is one tab',
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => {
      const page = await browser.open(url);
      await page.evaluate('(sessionStorage.clear(), 0)');
      await page.goto(`${url}/second`);
    });
    assert.equal(status, 0, output);
    assertWorked(read('profile'), 2 * WORK_MS, output);
  },
);

eachEngine(
  'a window that a page opens is a tab of its own',
  // WebKit opens none unless somebody clicks.
  { only: ['chromium', 'firefox'] },
  async ({ browser }) => {
    let closePopup = async () => {};
    /** @type {number[]} ms */
    const ran = [];
    const { status, output, read } = await runAny(async (url) => {
      const page = await browser.open(url);
      await page.evaluate('(globalThis.popup = open("/second"), 0)');
      closePopup = async () => {
        await page.evaluate('popup.close()');
        await until(() => page.evaluate('popup.closed'));
      };
      const tab = (/** @type {string} */ name) => page.evaluate(`${name}.sessionStorage.__polyprofTab__`);
      const own = await tab('globalThis');
      for (let other; !other || other === own; other = await tab('popup'));
      for (const [i, name] of ['globalThis', 'popup'].entries())
        while (!ran[i]) ran[i] = await page.evaluate(`${name}.ran?.work ?? 0`);
    });
    // The browser is shared: it would be its last window, and pages of other tests not hidden by what covers it.
    await closePopup();
    assert.equal(status, 0, output);
    for (const [i, name] of ['profile', 'profile-2'].entries())
      assert.ok(samplesOf(read(name), 'work') < 1.5 * ran[i], `${ran}\n${output}`);
  },
);

eachEngine('a test of any driver profiles what its browser shows', async ({ browser }) => {
  const out = mkdtempSync(join(folder, 'served-'));
  const { url, end } = await serveProfiled(site.origin, { minWeight: 0, outDir: out, name: 'drawn' });
  await browser.open(url);
  const [trace, ...others] = await end();
  assert.deepEqual(others, []);
  const written = JSON.parse(readFileSync(join(out, 'drawn.trace.json'), 'utf8'));
  assertWorked(written, WORK_MS);
  assert.deepEqual(written.trace, JSON.parse(JSON.stringify(trace)));
  assert.deepEqual(await end(), [trace], 'it may be asked again');
});

eachEngine(
  'a page whose address has a name and a password is profiled, and these are in no file',
  async ({ browser }) => {
    const { status, output, read } = await runAny(
      async (url) => void (await browser.open(url)),
      site.origin.replace('//', '//user:secret@'),
    );
    assert.equal(status, 0, output);
    const file = read('profile');
    assert.equal(file.url, `${site.origin}/`);
    assertWorked(file, WORK_MS, output);
  },
);

eachEngine(
  'a page whose relative addresses are those of another server is profiled',
  // The address is made in the same way in all of them.
  { only: ['chromium'] },
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => void (await browser.open(`${url}/based`)));
    assert.equal(status, 0, output);
    assertWorked(read('profile'), WORK_MS, output);
  },
);

eachEngine('a page that somebody closes leaves what was recorded', async ({ browser }) => {
  const { status, output, read } = await runAny(async (url) => {
    const page = await browser.open(url);
    await page.close();
  });
  assert.equal(status, 0, output);
  assertWorked(read('profile'), WORK_MS, output);
});

/** In the page: a worker and a frame work, and then the page has told what it knows, twice. */
const WORK_AND_TELL = `(async () => {
  const worker = (globalThis.worker = new Worker('/worker.js'));
  await new Promise((resolve) => { worker.onmessage = resolve; worker.postMessage(0); });
  const frame = document.createElement('iframe');
  await new Promise((resolve) => { frame.onload = resolve; frame.src = '/frame'; document.body.append(frame); });
  let times = 0;
  await new Promise((resolve) => new PerformanceObserver((list) => {
    times += list.getEntriesByType('resource').filter(({ name }) => name.includes('/told-')).length;
    if (times > 1) resolve();
  }).observe({ type: 'resource' }));
})().then(() => 0)`;

eachEngine(
  'what workers and frames did is there if their page is left, but for the last second, of which a note tells',
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => {
      const page = await browser.open(url);
      await page.evaluate(WORK_AND_TELL);
      await page.goto(`${url}/second`);
    });
    assert.equal(status, 0, output);
    for (const [name, ms] of /** @type {const} */ ([
      ['profile.worker-1', WORK_MS],
      ['profile.frame-1', FRAME_MS],
    ])) {
      const file = read(name);
      // A crowded machine keeps a new worker waiting, which then ticks for none of its realms.
      assertWorked(file, ms, output, { missedMs: file.losses.workerlessTicks });
    }
    const { origin } = site;
    const note = `note: ended before the profile of ${origin}/ did, what ran there last is not in it: worker ${origin}/worker.js and 1 more`;
    assert.ok(output.split('\n').includes(note), output);
  },
);

eachEngine(
  'workers of all kinds run, and frames show what they would, of another site, too, in a page that somebody opens',
  async ({ browser }) => {
    const manyParts = await serveSiteOfManyParts();
    const { status, output } = await runAny(async (url) => {
      const page = await browser.open(url);
      assert.deepEqual(await page.evaluate('parts()'), PARTS_SAY);
    }, manyParts.origin);
    await manyParts.close();
    assert.equal(status, 0, output);
    assert.doesNotMatch(output, /no profile of/);
  },
);

/** In the page: its workers, one of its own and a shared one. */
const ASK_AT_ONCE = `(
  (globalThis.workers = [new Worker('/worker.js'), new SharedWorker('/shared.js')]),
  Promise.all([workers[0], workers[1].port].map(${answersAtOnce}))
)`;

eachEngine(
  'what workers are sent at once waits until they are sampled, in its order',
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => {
      const page = await browser.open(url);
      assert.deepEqual(await page.evaluate(ASK_AT_ONCE), [
        ['first', 'second'],
        ['first', 'second'],
      ]);
    });
    assert.equal(status, 0, output);
    for (const name of ['profile.worker-1', 'profile.worker-2']) {
      assertWorked(read(name), 2 * WORK_MS, output);
    }
  },
);

/** In the page: a worker that works so many times. @param {number} times */
const workInWorker = (times) => `(async () => {
  const { postMessage } = BroadcastChannel.prototype;
  globalThis.messages = 0;
  BroadcastChannel.prototype.postMessage = function (message) {
    messages++;
    return postMessage.call(this, message);
  };
  globalThis.worker = new Worker('/worker.js');
  for (let i = 0; i < ${times}; i++)
    await new Promise((resolve) => { worker.onmessage = resolve; worker.postMessage(i); });
})().then(() => 0)`;

eachEngine(
  'each of several tabs has the worker that it has started, once, and says no more than it has to',
  async ({ browser }) => {
    /** @type {number[]} */
    const messages = [];
    const { status, output, read } = await runAny(async (url) => {
      const tabs = [await browser.open(url), await browser.open(url)];
      for (const [i, tab] of tabs.entries()) await tab.evaluate(workInWorker(1 + 2 * i));
      for (const tab of tabs) messages.push(await tab.evaluate('messages'));
    });
    assert.equal(status, 0, output);
    const [one, three] = ['profile.worker-1', 'profile-2.worker-1'].map(read);
    assertWorked(one, WORK_MS, output);
    assert.ok(samplesOf(one, 'work') < 2 * WORK_MS, output);
    assertWorked(three, 3 * WORK_MS, output);
    assert.throws(() => read('profile.worker-2'), { code: 'ENOENT' });
    assert.throws(() => read('profile-2.worker-2'), { code: 'ENOENT' });
    assert.ok(Math.max(...messages) < 10, `${messages} messages`);
  },
);

eachEngine(
  'of several runs there are one table of the page and one of each worker, by the address of their server',
  // It is about what is written.
  { only: ['chromium'] },
  async ({ browser }) => {
    const { status, output, read } = await runAny(
      async (url) => {
        const page = await browser.open(url);
        await page.evaluate(`new Promise((answered) => {
          globalThis.worker = new Worker('/worker.js');
          worker.onmessage = () => answered(0);
          worker.postMessage(0);
        })`);
      },
      site.origin,
      ['--repeat', '2', '--interval', '1.5'],
    );
    assert.equal(status, 0, output);
    const tables = output.match(/^(worker|http:).*, flag sampling$/gm);
    assert.deepEqual(tables, [`worker ${site.origin}/worker.js, flag sampling`], output);
    assert.equal(output.match(/ work +worker\.js/g)?.length, 1, output);
    const [page, worker] = [read('profile'), read('profile.worker-1')];
    assert.equal(worker.url, `${site.origin}/worker.js`);
    assert.equal(worker.sampleInterval, page.sampleInterval);
  },
);

eachEngine(
  'a page that is shown as it was left is recorded again',
  // The others keep none that are isolated.
  { only: ['webkit'] },
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => {
      const page = await browser.open(url);
      await page.evaluate('globalThis.isSame = true, 0');
      await page.goto(`${url}/second`);
      await page.evaluate('setTimeout(() => history.back()), 0');
      await until(() => page.evaluate('globalThis.isSame').catch(() => false));
      await page.evaluate('work(), 0');
    });
    assert.equal(status, 0, output);
    assertWorked(read('profile'), 3 * WORK_MS, output);
  },
);

eachEngine(
  'of many tabs there are one table and one report, and a trace of each',
  // It is about what is written.
  { only: ['chromium'] },
  async ({ browser }) => {
    const { status, output, read } = await runAny(async (url) => {
      for (let i = 0; i < 5; i++) await (await browser.open(url)).close();
    });
    assert.equal(status, 0, output);
    assert.match(output, /, flag sampling each 1 ms, 5 tabs\n/);
    assert.match(output, /^written: \S+profile\.html and 5 traces$/m);
    assert.equal(output.match(/ work +app\.js/g)?.length, 1, output);
    assertWorked(read('profile-5'), WORK_MS, output);
  },
);

test('a command runs in the environment of polyprof run; one that opens no page, fails or does not exist is told, and so is what only driven browsers have', async () => {
  const cases = /** @type {[string[], number, RegExp][]} */ ([
    [['--', 'true'], 1, /error: no browser has opened the page/],
    [
      ['--', 'sh', '-c', 'echo $POLYPROF_URL; exit 3'],
      1,
      /http:\/\/127\.0\.0\.1:\d+\nerror: sh ended with status 3/,
    ],
    [
      ['--ignore-https-errors', '--', 'sh', '-c', 'echo unchecked: ${NODE_TLS_REJECT_UNAUTHORIZED-no}'],
      1,
      /^unchecked: no$/m,
    ],
    [['--', './missing'], 1, /error: the command cannot be started: spawn \.\/missing ENOENT/],
    [['--browser', 'any', '--headed'], 2, /--headed is of browsers that polyprof opens/],
    [['--browser', 'any', '--script', 'x.mjs'], 2, /--script is of browsers that polyprof opens/],
  ]);
  const check = async (/** @type {[string[], number, RegExp]} */ [args, expected, message]) => {
    const { status, output } = await runCommand([site.origin, ...args], { cwd: folder });
    assert.equal(status, expected, output);
    assert.match(output, message);
  };
  await Promise.all(cases.map(check));
});
