import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import esbuild from 'esbuild';
import { callTree } from '../report/traces/call_tree.js';
import { evenSamples } from '../report/reading/even_samples.js';
import { readTrace } from '../report/reading/read_trace.js';
import { setCookies } from '../testing/drivers/set_cookies.js';
import { prepare, profile } from '../testing/index.js';
import { temporaryFolder } from './lib/children.js';
import { DRIVERS } from './lib/drivers.js';
import { eachDriver } from './lib/each_driver.js';
import { onTime } from './lib/on_time.js';
import { serveProfiledSite, spin, TRUTH } from './lib/profiled_site.js';
import { serve } from './lib/server.js';
import { folded } from './lib/trace.js';

/** `polyprof/testing` with real pages of Playwright and Puppeteer. */

const site = await serveProfiledSite();
after(() => site.close());

/** An app whose service worker answers with what it has loaded itself. */
const loadedApp = await serve({
  folders: {},
  isolated: false,
  overrides: {
    '/app.js': { body: `${spin('inApp', 100)}inApp();` },
    '/loaded/': {
      body: `<!doctype html><title>app</title><script src="/app.js"></script><script>
        navigator.serviceWorker.register('worker.js');
        globalThis.controlled = new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = () => resolve('controlled')));</script>`,
      headers: { 'Content-Type': 'text/html' },
    },
    '/loaded/worker.js': {
      body: `oninstall = (event) => event.waitUntil(caches.open('loaded').then((cache) => cache.addAll(['/loaded/', '/app.js'])));
        onactivate = (event) => event.waitUntil(clients.claim());
        onfetch = (event) => event.respondWith(caches.match(event.request).then((known) => known ?? fetch(event.request)));`,
    },
  },
});
after(() => loadedApp.close());

const quiet = { onNote: (/** @type {string} */ note) => assert.fail(note) };

/**
 * Of a visit during which the machine had a processor for the worker.
 * @param {string} folder for the files of each visit
 * @param {(files: {outDir: string}) => Promise<{trace: any, ranMs: number}>} visit `ranMs`: for how long functions ran, which counts: the most of
 *   a visit is idle
 */
async function visitOnTime(folder, visit) {
  return onTime(async () => {
    const outDir = mkdtempSync(join(folder, 'visit-'));
    const visited = await visit({ outDir });
    const { losses } = JSON.parse(readFileSync(join(outDir, 'profile.trace.json'), 'utf8'));
    const lateTicks = losses.lateTicks * (visited.trace.samples.length / visited.ranMs);
    return { ...visited, outDir, losses: { ...losses, lateTicks } };
  }, 0.1);
}

eachDriver('a profile has all documents of a visit, with the names of the sources', async (page) => {
  const { path, release } = temporaryFolder();
  let cookie = '';
  const {
    trace,
    outDir,
    ran,
    ranMs: allMs,
  } = await visitOnTime(path, async (files) => {
    /** What the functions ran for in both documents, ms. @type {Record<string, number>} */
    const ran = Object.fromEntries(Object.keys(TRUTH).map((name) => [name, 0]));
    const addRan = async () => {
      for (const [name, ms] of Object.entries(await page.evaluate('ran'))) ran[name] += ms;
    };
    const trace = await profile(
      page,
      async () => {
        await page.goto(site.origin);
        assert.deepEqual(await page.evaluate(frameLoaded), ['loaded', true, cookie]);
        await addRan();
        await Promise.all([page.waitForNavigation(), page.click('a')]);
        cookie = 'visited=yes';
        assert.deepEqual(await page.evaluate(frameLoaded), ['loaded', true, cookie]);
        await addRan();
        assert.equal(page.url(), `${site.origin}/second`);
      },
      { ...files, ...quiet },
    );
    return { trace, ran, ranMs: sumOf(ran) };
  });
  const tree = callTree(trace);
  const busy = tree.samples - tree.idle;
  assert.ok(busy > 0.8 * allMs, `${busy} of ${allMs} ms of both documents`);
  for (const [name, least] of Object.entries(TRUTH)) {
    const ms = ran[name];
    assert.ok(ms >= least, `${name} ran for ${ms} ms of ${least}`);
    const self = tree.functions
      .filter(({ location }) => location.name === name)
      .reduce((sum, each) => sum + each.self, 0);
    assert.ok(
      Math.abs(self / busy - ms / allMs) < 0.1,
      `${name} ${self} of ${busy}, truly ${ms} of ${allMs}\n${folded(/** @type {any} */ (trace))}`,
    );
  }
  const bundle = tree.functions.find(({ location }) => location.name === 'inBundle')?.location;
  assert.match(`${bundle?.file}:${bundle?.line}`, /^app\/src\/bundle\.ts:2$/);
  assert.ok(
    trace.samples.every(({ timestamp }, i) => i === 0 || timestamp >= trace.samples[i - 1].timestamp),
  );

  const kept = await readTrace(join(outDir, 'profile.trace.json'));
  // Where a busy machine let nobody look for long, the reader puts an idle sample.
  assert.deepEqual(kept.samples, evenSamples(trace).trace.samples);
  assert.match(readFileSync(join(outDir, 'profile.html'), 'utf8'), /inBundle/);
  release();
});

/** What is the same for all of an engine. */
const ONE_EACH = DRIVERS.filter(({ name }) => name === 'Puppeteer');

eachDriver(
  'a page that is not left after all, as for a download, has lost nothing twice',
  async (page) => {
    const { path: outDir, release } = temporaryFolder();
    const visit = async () => {
      await page.goto(mappedApp.url('/'));
      await page.evaluate('again(), 0');
      for (let i = 0; i < 5; i++) await page.evaluate(() => void dispatchEvent(new Event('beforeunload')));
    };
    await profile(page, visit, { outDir, ...quiet });
    const { trace, losses } = JSON.parse(readFileSync(join(outDir, 'profile.trace.json'), 'utf8'));
    for (const [reason, count] of Object.entries(losses))
      assert.ok(count <= trace.samples.length, `${count} ${reason} of ${trace.samples.length}`);
    release();
  },
  ONE_EACH,
);

eachDriver('a page has in it what its server gave it, and nothing of ours', async (page) => {
  const url = plainApp.url('/');
  await page.goto(url);
  const elements = await page.evaluate('elements');
  await profile(page, () => page.goto(url), quiet);
  assert.deepEqual(await page.evaluate('elements'), elements);
});

const SPIN_MS = 100;

eachDriver('scripts that run though their server calls them something else have probes', async (page) => {
  const { path, release } = temporaryFolder();
  const names = ['asText', 'asNothing'];
  const { trace, losses } = await visitOnTime(path, async (files) => ({
    trace: await profile(page, () => page.goto(plainApp.url('/scripts')), { ...files, ...quiet }),
    ranMs: names.length * SPIN_MS,
  }));
  for (const name of names) {
    const text = `${folded(/** @type {any} */ (trace))}\n${JSON.stringify(losses)}`;
    assert.ok(selfMs(trace, name) > 0.8 * SPIN_MS, text);
  }
  release();
});

const html = { 'Content-Type': 'text/html' };
const plainApp = await serve({
  folders: {},
  isolated: false,
  overrides: {
    '/': {
      body: `<!doctype html><title>app</title><p><script>
        globalThis.elements = [...document.querySelectorAll('*')].map(({ localName }) => localName);
        ${spin('inApp', 10)}inApp();</script>`,
      headers: html,
    },
    '/scripts': {
      body: '<script src="text.js"></script><script src="nothing.js"></script>',
      headers: html,
    },
    '/text.js': {
      body: `${spin('asText', SPIN_MS)}asText();`,
      headers: { 'Content-Type': 'text/plain' },
    },
    '/nothing.js': {
      body: `${spin('asNothing', SPIN_MS)}asNothing();`,
      headers: { 'Content-Type': '' },
    },
  },
});
after(() => plainApp.close());

/** An app that knows its visitors. */
const cookieApp = await serve({
  folders: {},
  isolated: false,
  overrides: {
    '/': {
      body: `<!doctype html><script>${spin('inApp', 20)}inApp();</script>`,
      headers: { 'Content-Type': 'text/html', 'Set-Cookie': 'own=2; Path=/; HttpOnly' },
    },
    '/plain': { body: '', headers: { 'Content-Type': 'text/html' } },
  },
});
after(() => cookieApp.close());

eachDriver('cookies that come with the first document of a new page are those of the app', async (page) => {
  const visit = async () => {
    await page.goto(cookieApp.url('/'));
    await page.evaluate(() => fetch('/api').then(() => 0));
  };
  cookieApp.requests.length = 0;
  await profile(page, visit, quiet);
  const { headers } = await cookieApp.request(({ path }) => path === '/api');
  assert.match(headers.cookie ?? '', /\bown=2\b/);
});

eachDriver(
  'a cookie for a domain is for the hosts below it, too, and one without is for its own host',
  async (page) => {
    const at = (/** @type {string} */ host) => cookieApp.url('/plain').replace('127.0.0.1', host);
    await setCookies(page, at('a.b.localhost'), [
      ['set-cookie', 'all=1; Domain=b.localhost; Path=/'],
      ['set-cookie', 'own=2; Path=/'],
    ]);
    await setCookies(page, at('127.0.0.1'), [['set-cookie', 'number=3; Domain=127.0.0.1; Path=/plain']]);
    for (const [host, expected] of [
      ['a.b.localhost', ['all=1', 'own=2']],
      ['c.b.localhost', ['all=1']],
      ['127.0.0.1', ['number=3']],
    ]) {
      await page.goto(at(String(host)));
      const cookies = await page.evaluate('document.cookie');
      assert.deepEqual(cookies.match(/\b(all|own|number)=\d/g).sort(), expected);
    }
  },
  // The others take cookies as they come.
  DRIVERS.filter(({ engine }) => engine === 'firefox'),
);

eachDriver(
  'where the contexts of Puppeteer take no cookies yet, the page does',
  async (page) => {
    await page.goto(cookieApp.url('/plain'));
    const context = page.browserContext();
    context.setCookie = undefined;
    await setCookies(page, page.url(), [['set-cookie', 'earlier=4']]).finally(() => delete context.setCookie);
    assert.match(await page.evaluate('document.cookie'), /\bearlier=4/);
  },
  DRIVERS.filter(({ engine }) => engine === 'firefox'),
);

eachDriver('every profile of a page has what other servers of this machine have for it', async (page) => {
  const { path, release } = temporaryFolder();
  for (let round = 0; round < 3; round++) {
    const { trace, losses } = await visitOnTime(path, async (files) => {
      const trace = await profile(
        page,
        async () => {
          await page.goto(site.origin);
          await page.evaluate(frameLoaded);
        },
        { ...files, ...quiet },
      );
      const ran = /** @type {Record<string, number>} */ (await page.evaluate('ran'));
      return { trace, ranMs: sumOf(ran) };
    });
    const text = `round ${round}\n${folded(/** @type {any} */ (trace))}\n${JSON.stringify(losses)}`;
    assert.ok(selfMs(trace, 'fromElsewhere') > 50, text);
  }
  release();
});

eachDriver(
  'what a test has permitted a page stays permitted when a profile has ended, and when its page has closed',
  async (/** its own context takes no second page in Playwright */ first, { name }) => {
    const isPlaywright = name.startsWith('Playwright');
    const context = isPlaywright ? await first.context().browser().newContext() : first.browserContext();
    const other = await context.newPage();
    const page = await context.newPage();
    await other.goto(`${site.origin}/without.html`);
    if (isPlaywright) await context.grantPermissions(['geolocation'], { origin: site.origin });
    else await context.overridePermissions(site.origin, ['geolocation']);
    const ask = async () => (await navigator.permissions.query({ name: 'geolocation' })).state;
    assert.equal(await other.evaluate(ask), 'granted');
    await profile(page, () => page.goto(`${site.origin}/second`), quiet);
    await page.goto(`${site.origin}/without.html`);
    assert.equal(await other.evaluate(ask), 'granted', 'after the profile');
    await page.close();
    assert.equal(await other.evaluate(ask), 'granted', 'after its page has closed');
    await (isPlaywright ? context : other).close();
  },
  DRIVERS.filter(({ engine, name }) => engine === 'chromium' && !name.includes('without')),
);

/** Runs in the page, which waits for its frame. */
async function frameLoaded() {
  const page = /** @type {any} */ (globalThis);
  while (!page.frame) await new Promise((resolve) => setTimeout(resolve, 10));
  return [page.frame, crossOriginIsolated, document.cookie];
}

eachDriver('a page that was prepared is profiled from the middle', async (page) => {
  const takeBack = await prepare(page, quiet);
  await page.goto(site.origin);
  const trace = await profile(page, () => page.evaluate('globalThis.fromElsewhere()'));
  assert.deepEqual(
    callTree(trace)
      .functions.filter(({ self }) => self > 10)
      .map(({ location }) => location.name),
    ['fromElsewhere'],
  );
  await takeBack();
  await page.goto(site.origin);
  assert.equal(await page.evaluate('typeof polyprof'), 'undefined', 'the page is its own again');
});

const again = esbuild.transformSync(`${spin('inBundle', 200)}globalThis.again = () => inBundle();`, {
  minify: true,
  sourcemap: 'external',
  sourcefile: 'app.ts',
  format: 'iife',
});
const mappedApp = await serve({
  folders: {},
  isolated: false,
  overrides: {
    '/': { body: '<script src="app.js"></script>', headers: { 'Content-Type': 'text/html' } },
    '/app.js': { body: `${again.code}//# sourceMappingURL=app.js.map` },
    '/app.js.map': { body: again.map },
  },
});
after(() => mappedApp.close());

eachDriver('a second profile of what a page shows has the names of the sources, too', async (page) => {
  await profile(page, () => page.goto(mappedApp.url('/')), quiet);
  const trace = await profile(page, () => page.evaluate('again(), 0'), quiet);
  assert.ok(selfMs(trace, 'inBundle') > 150, folded(/** @type {any} */ (trace)));
});

eachDriver(
  'what a prepared page did before it was left is in the profile',
  async (page) => {
    const { path, release } = temporaryFolder();
    const takeBack = await prepare(page, quiet);
    const { trace, ranMs } = await visitOnTime(path, async (files) => {
      await page.goto(`${site.origin}/second`);
      let ranMs = 0;
      const work = async () => {
        await page.evaluate('globalThis.fromElsewhere()');
        ranMs = await page.evaluate('ran.fromElsewhere');
        await page.goto(`${site.origin}/without.html`);
      };
      return { trace: await profile(page, work, files), ranMs };
    });
    const text = `of ${ranMs} ms\n${folded(/** @type {any} */ (trace))}`;
    assert.ok(selfMs(trace, 'fromElsewhere') > 0.8 * ranMs, text);
    await takeBack();
    release();
  },
  ONE_EACH,
);

eachDriver('what the test itself answers stays as it is', async (page, { name }) => {
  const mock = { status: 200, contentType: 'application/json', body: '{"from": "test"}' };
  if (name.startsWith('Playwright')) {
    await page.route('**/api', (/** @type {any} */ route) => route.fulfill(mock));
  } else {
    await page.setRequestInterception(true);
    page.on('request', (/** @type {any} */ request) =>
      request.url().endsWith('/api') ? request.respond(mock, 0) : request.continue({}, 0),
    );
  }
  const visit = async () => {
    await page.goto(`${site.origin}/second`);
    return page.evaluate(async () => (await (await fetch('/api')).json()).from);
  };
  let answer;
  await profile(page, async () => (answer = await visit()), quiet);
  assert.equal(answer, 'test');
  assert.equal(await visit(), 'test');
});

/** An app that works offline: from the second document on, its service worker answers with what the first one loaded. */
const offlineApp = await serve({
  folders: {},
  isolated: false,
  overrides: {
    '/': {
      body: `<!doctype html><title>app</title><script src="app.js"></script><script>
        globalThis.controlled = navigator.serviceWorker.register('worker.js').then(
          () => navigator.serviceWorker.controller ?? new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = resolve)),
        ).then(() => 'controlled', ({ name }) => name);</script>`,
      headers: { 'Content-Type': 'text/html' },
    },
    '/app.js': { body: `${spin('inApp', 100)}inApp();` },
    '/worker.js': {
      body: `onactivate = (event) => event.waitUntil(clients.claim());
        onfetch = (event) => event.respondWith(answer(event.request));
        async function answer(request) {
          const cache = await caches.open('app');
          const known = await cache.match(request);
          if (known) return known;
          const fresh = await fetch(request);
          await cache.put(request, fresh.clone());
          return fresh;
        }`,
    },
  },
});
after(() => offlineApp.close());

/** Two documents. @param {any} page @returns {Promise<string[]>} what each says of its service worker */
async function visitTwice(page) {
  const controlled = () => page.evaluate(() => /** @type {any} */ (globalThis).controlled);
  await page.goto(offlineApp.url('/'));
  const first = await controlled();
  await page.goto(offlineApp.url('/'));
  return [first, await controlled()];
}

eachDriver(
  'what a service worker hides is told, or the app gets none and that is told',
  async (page, { engine }) => {
    /** @type {string[]} */
    const notes = [];
    const onNote = (/** @type {string} */ note) => notes.push(note);
    /** @type {string[]} */
    let visits = [];
    const trace = await profile(page, async () => (visits = await visitTwice(page)), { onNote });
    if (engine === 'firefox') {
      assert.deepEqual(visits, ['SecurityError', 'SecurityError']);
      assert.match(notes.join('\n'), /did not get its service worker, .*worker\.js/);
      assert.ok(selfMs(trace, 'inApp') > 150, folded(/** @type {any} */ (trace)));
    } else {
      assert.deepEqual(visits, ['controlled', 'controlled']);
      assert.match(notes.join('\n'), /has a service worker, .*worker\.js: .*serviceWorkers: 'block'/);
      assert.ok(selfMs(trace, 'inApp') > 50, folded(/** @type {any} */ (trace)));
    }
  },
);

eachDriver(
  'a later document that a service worker answered is told',
  async (page) => {
    /** @type {string[]} */
    const notes = [];
    const action = async () => {
      await page.goto(loadedApp.url('/loaded/'));
      assert.equal(await page.evaluate('controlled'), 'controlled');
      await page.goto(loadedApp.url('/loaded/'));
    };
    const trace = await profile(page, action, { onNote: (note) => notes.push(note) });
    assert.ok(selfMs(trace, 'inApp') > 50, folded(/** @type {any} */ (trace)));
    assert.match(notes.join('\n'), /\/ was answered by its service worker, .*worker\.js, so nothing/);
  },
  DRIVERS.filter(({ engine }) => engine === 'chromium'),
);

eachDriver('without its service worker all documents of an app are profiled', async (page) => {
  /** @type {string[]} */
  let visits = [];
  const options = /** @type {const} */ ({ serviceWorkers: 'block', ...quiet });
  const trace = await profile(page, async () => (visits = await visitTwice(page)), options);
  assert.deepEqual(visits, ['SecurityError', 'SecurityError']);
  assert.ok(selfMs(trace, 'inApp') > 150, folded(/** @type {any} */ (trace)));
});

eachDriver('a service worker of an earlier visit is an error that says what to do', async (page) => {
  assert.deepEqual(await visitTwice(page), ['controlled', 'controlled']);
  await assert.rejects(
    profile(page, () => page.goto(offlineApp.url('/')), { onNote() {} }),
    /worker\.js, a service worker of an earlier visit, answered.*new browser context/,
  );
});

/** @param {any} trace @param {string} name @returns {number} self time of the function */
function selfMs(trace, name) {
  return callTree(trace)
    .functions.filter(({ location }) => location.name === name)
    .reduce((sum, { self }) => sum + self, 0);
}

eachDriver(
  'a failing test fails as it would, and leaves its profile',
  async (page) => {
    const { path: outDir, release } = temporaryFolder();
    const failure = new Error('expected 3 rows');
    const action = async () => {
      await page.goto(site.origin);
      throw failure;
    };
    await assert.rejects(profile(page, action, { outDir, name: 'failed', ...quiet }), failure);
    assert.ok(existsSync(join(outDir, 'failed.html')));
    release();
  },
  ONE_EACH,
);

eachDriver(
  'a page without probes is an error that says why',
  async (page) => {
    await page.goto(site.origin);
    await assert.rejects(
      profile(page, () => page.evaluate('inline()')),
      /loaded before profile\(\).*prepare\(page\)/,
    );
    await assert.rejects(
      profile(page, () => page.goto(`${site.origin}/without.html`)),
      /no script of the page has probes/,
    );
  },
  ONE_EACH,
);

/** @param {Record<string, number>} ran ms by function @returns {number} of all of them */
function sumOf(ran) {
  return Object.values(ran).reduce((sum, ms) => sum + ms);
}
