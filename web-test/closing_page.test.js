import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { isTrace } from './lib/posted.js';
import { folded, selfShares } from './lib/trace.js';

const BLANK = '/harness/blank.html';

/** @param {import('./lib/server.js').Server} server @returns {Promise<any>} what a page said at its end */
async function lossesOf(server) {
  const { body } = await server.request(({ method, path }) => method === 'POST' && path === '/losses');
  return JSON.parse(body.toString());
}

/**
 * Of a page that is left, and that the back button brings again. A browser need not keep a page; one that says so when it is left is given another one.
 * @param {Pick<import('./lib/each_engine.js').Context, 'browser' | 'server'>} context
 * @param {() => Promise<void>} prepare runs in the page
 * @returns {Promise<any>} what it says when it is back; all requests are of that page
 */
async function leaveAndReturn({ browser, server }, prepare) {
  const posted = (/** @type {string} */ path) =>
    server.request((request) => request.method === 'POST' && request.path === path);
  for (let visit = 1; ; visit++) {
    server.requests.length = 0;
    // A window of its own: puppeteer cannot take Firefox's anywhere after this.
    const page = await browser.open(server.url('/busy.html'));
    await page.evaluate(() => {
      const tell = ({ persisted }) => navigator.sendBeacon('/left', String(persisted));
      addEventListener('pagehide', tell, { once: true });
    });
    await page.evaluate(prepare);
    await page.goto(server.url(BLANK));
    const isKept = (await posted('/left')).body.toString() === 'true';
    if (isKept) await page.evaluate(() => void setTimeout(() => history.back(), 0));
    const back = isKept && (await posted('/back'));
    await page.close();
    if (back) return JSON.parse(back.body.toString());
    assert.ok(visit < 3, 'one page of three is kept');
  }
}

for (const probe of ['flag', 'shadow']) {
  const folders = { '/': instrumentedPages(probe) };
  const options = { path: '/busy.html', serve: { folders } };

  for (const api of ['performance.profile', 'new Profiler']) {
    eachEngine(
      `${probe}, ${api}: a page that closes has sent its trace`,
      options,
      async ({ page, server }) => {
        const before = await page.evaluate(async (api) => {
          polyprof.install({ force: true });
          globalThis.profiler =
            api === 'new Profiler'
              ? new Profiler({ sampleInterval: 1, maxBufferSize: 10_000 })
              : await performance.profile({ sampleInterval: 1 });
          await polyprof.sendOnHide(profiler, '/traces').ready;
          // Which shares its sampler: so that runs.
          const other = await performance.profile({ sampleInterval: 1 });
          addEventListener('pagehide', () => navigator.sendBeacon('/losses', JSON.stringify(other.losses)));
          busy(400);
          return performance.now();
        }, api);
        await page.goto(server.url(BLANK));
        const { body, headers } = await server.request(isTrace);
        const trace = JSON.parse(body.toString());
        assert.ok(selfShares(trace).hotLoop * trace.samples.length > 200, folded(trace));
        const { workerlessTicks } = await lossesOf(server);
        const end = before - workerlessTicks;
        assert.ok(trace.samples.at(-1).timestamp > end - 50, `up to the end but ${workerlessTicks} ms`);
        assert.match(String(headers['content-type']), /^text\/plain/);
      },
    );
  }

  eachEngine(
    `${probe}: a page that comes back finds its profiler stopped, with the trace`,
    options,
    async ({ page, server }) => {
      const outcome = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        await polyprof.sendOnHide(profiler, '/traces').ready;
        busy(100);
        const hide = () => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
        hide();
        const hidden = performance.now();
        const { stopped } = profiler;
        busy(100);
        hide();
        const { samples } = await profiler.stop();
        const next = await performance.profile({ sampleInterval: 1 });
        busy(100);
        return { stopped, hidden, samples, next: (await next.stop()).samples.length };
      });
      const { body } = await server.request(isTrace);
      assert.equal(outcome.stopped, true);
      assert.deepEqual(JSON.parse(body.toString()).samples, outcome.samples);
      assert.ok(outcome.samples.at(-1).timestamp <= outcome.hidden, 'not sampled after it');
      assert.ok(outcome.next > 50);
      assert.equal(server.requests.filter(isTrace).length, 1);
    },
  );
}

for (const [probe, isolated] of [
  ['flag', true],
  ['shadow', true],
  ['flag', false],
]) {
  const serve = {
    folders: { '/': instrumentedPages(probe) },
    isolated,
    // What may not be stored is not kept for coming back either.
    headers: { 'Cache-Control': 'no-cache' },
  };
  eachEngine(
    `${probe}${isolated ? '' : ', no isolation'}: the back button brings a page of the back/forward cache with its profiler stopped, and it can start another`,
    { serve },
    async ({ browser, server }) => {
      const { stopped, hidden, samples, next } = await leaveAndReturn({ browser, server }, async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        await polyprof.sendOnHide(profiler, '/traces').ready;
        busy(100);
        let hidden = 0;
        addEventListener('pagehide', () => (hidden = performance.now()), { once: true });
        addEventListener('pageshow', async ({ persisted }) => {
          if (!persisted) return;
          const { stopped } = profiler;
          busy(100);
          const { samples } = await profiler.stop();
          const next = await performance.profile({ sampleInterval: 1 });
          busy(100);
          const of = (await next.stop()).samples.length;
          navigator.sendBeacon('/back', JSON.stringify({ stopped, hidden, samples, next: of }));
        });
      });
      const { body: sent } = await server.request(isTrace);
      assert.equal(stopped, true);
      assert.deepEqual(JSON.parse(sent.toString()).samples, samples);
      assert.ok(samples.length > 50 && samples.at(-1).timestamp <= hidden, 'not sampled after it');
      assert.ok(next > 50, `${next} samples after it`);
      assert.equal(server.requests.filter(isTrace).length, 1);
    },
  );

  eachEngine(
    `${probe}${isolated ? '' : ', no isolation'}: a profiler that nobody ended goes on when the back button brings its page, and sampled nothing meanwhile`,
    { serve },
    async ({ browser, server }) => {
      const { hidden, shown, at } = await leaveAndReturn({ browser, server }, async () => {
        polyprof.install({ force: true });
        // By the listeners before and after the profiler's: between them a busy machine may take its time.
        const times = { hidden: 0, shown: 0 };
        const note = (isHidden, name) => () => {
          if (document.hidden === isHidden) times[name] = performance.now();
        };
        document.addEventListener('visibilitychange', note(false, 'shown'));
        const profiler = await performance.profile({ sampleInterval: 1 });
        document.addEventListener('visibilitychange', note(true, 'hidden'));
        busy(100);
        addEventListener('pageshow', async ({ persisted }) => {
          if (!persisted) return;
          // Some are told that the page is visible after this.
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          busy(200);
          const { samples } = await profiler.stop();
          const at = samples.map(({ timestamp }) => timestamp);
          navigator.sendBeacon('/back', JSON.stringify({ ...times, at }));
        });
      });
      const count = (/** @type {number} */ from, /** @type {number} */ to) =>
        at.filter((/** @type {number} */ time) => time > from && time < to).length;
      assert.ok(0 < hidden && hidden < shown, `hidden from ${hidden} to ${shown}`);
      assert.ok(count(0, hidden) > 50, 'before');
      assert.equal(count(hidden + 2, shown - 2), 0, `hidden from ${hidden} to ${shown}: ${at}`);
      assert.ok(count(shown, Infinity) > 150, 'after');
    },
  );
}

const folders = { '/': instrumentedPages() };
const busy = { path: '/busy.html', serve: { folders } };

eachEngine('a trace that was given out, or taken back, is not sent', busy, async ({ page, server }) => {
  await page.evaluate(async () => {
    polyprof.install({ force: true });
    const first = await performance.profile({ sampleInterval: 1 });
    await polyprof.sendOnHide(first, '/traces').ready;
    await first.stop();
    const second = await performance.profile({ sampleInterval: 1 });
    const takeBack = polyprof.sendOnHide(second, '/traces');
    await takeBack.ready;
    takeBack();
    const third = await performance.profile({ sampleInterval: 1 });
    polyprof.sendOnHide(third, '/traces')();
    await polyprof.sendOnHide(await performance.profile({ sampleInterval: 1 }), '/traces?last').ready;
    busy(20);
    dispatchEvent(new PageTransitionEvent('pagehide'));
  });
  await server.request(isTrace);
  await page.goto(server.url(BLANK));
  assert.equal(server.requests.filter(isTrace).length, 1);
});

eachEngine(
  "the browser's own profiler cannot be sent so, and the error says what can",
  { ...busy, only: ['chromium'], serve: { folders, jsProfiling: true } },
  async ({ page }) => {
    const errors = await page.evaluate(async () => {
      const natives = [
        await performance.profile({ sampleInterval: 10 }),
        new Profiler({ sampleInterval: 10, maxBufferSize: 100 }),
      ];
      return [...natives, undefined, {}].map((profiler) => {
        try {
          polyprof.sendOnHide(profiler, '/traces');
        } catch (error) {
          return `${error.name}: ${error.message}`;
        }
        return 'none';
      });
    });
    for (const error of errors) assert.match(error, /^TypeError: .*force: true/);
  },
);
