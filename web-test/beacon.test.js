import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { instrumentHtml } from '../instrumenter/pages/html.js';
import { CLI, profilesIn, startReceiver } from '../test/collect/receiver_process.js';
import { builtExample } from './lib/built_example.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { isTrace } from './lib/posted.js';
import { folded, selfShares } from './lib/trace.js';
import { until } from './lib/until.js';

const BLANK = '/harness/blank.html';
const folders = { '/': instrumentedPages() };
const busy = { path: '/busy.html', serve: { folders }, ownOrigin: true };
const received = temporaryFolder();

/** An inline script with what the tests call. */
const ordersPage = instrumentHtml(
  `<!doctype html><script src="/dist/polyprof.js"></script><script>${readFileSync(new URL('pages/busy.js', import.meta.url), 'utf8')}</script>`,
  { file: 'orders', minWeight: 0 },
).code;

/** `polyprof report`. @param {...string} args */
const report = (...args) => promisify(execFile)(process.execPath, [CLI, 'report', ...args]);

/** @param {import('./lib/server.js').Recorded} request */
const sentIn = ({ body }) => JSON.parse((body[0] === 0x1f ? gunzipSync(body) : body).toString());

/** Waits for that many. @param {import('./lib/server.js').Server} server @param {number} count @returns {Promise<any[]>} what was sent */
async function traces(server, count) {
  await server.request(() => server.requests.filter(isTrace).length >= count);
  return server.requests.filter(isTrace).map(sentIn);
}

/** Starts a beacon, and work that has pauses for its timers. @param {import('./lib/browsers.js').Page} page @param {object} options */
const start = (page, options) =>
  page.evaluate(async (options) => {
    polyprof.install({ force: true });
    // Each window begins with one.
    const { profile } = performance;
    globalThis.profilers = 0;
    performance.profile = async (options) => {
      const profiler = await profile.call(performance, options);
      profilers++;
      return profiler;
    };
    const { startBeacon } = await import('/dist/polyprof-beacon.js');
    globalThis.errors = [];
    const onError = (error) => errors.push(`${error.name}: ${error.message}`);
    const begin = performance.now();
    globalThis.beacon = startBeacon({ url: '/traces', start: 'now', sampleInterval: 1, onError, ...options });
    // The beacon samples, and what is needed to send at the end is there.
    globalThis.inWindow = async () => {
      while (profilers === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      const another = await performance.profile({ sampleInterval: 1 });
      // Twice: imports of one module need not resolve in the order of the calls, but later ones do after earlier ones.
      for (let i = 0; i < 2; i++) await polyprof.sendOnHide(another, () => {}).ready;
      await another.stop();
    };
    globalThis.workedAt = [];
    globalThis.working = setInterval(() => {
      workedAt.push(performance.now());
      busy(20);
    }, 25);
    return { begin, session: beacon.session, isProfiled: beacon.isProfiled };
  }, options);

const example = builtExample('field-profiling', temporaryFolder().path);
const index = readFileSync(join(example, 'index.html'), 'utf8');

/** @param {string} table of drawRow's page, sampled at 10 ms @returns {boolean} the worker was late for a part of it, at most: more windows come */
function isOnTime(table) {
  if (!/drawRow +mandelbrot\.js:5\n/.test(table)) return false;
  const [, samples] = /^(\d+) samples/m.exec(table) ?? [];
  const [, lateMs = 0] = /(\d+) ms taken late/.exec(table) ?? [];
  return Number(lateMs) < 3 * Number(samples);
}

eachEngine(
  'the example sends to the receiver at another origin, which files it without what names a person',
  { ownOrigin: true, serve: { folders: { '/': example } } },
  async ({ page, server, browser }) => {
    const folder = join(received.path, browser.name);
    const receiver = await startReceiver(folder, ['--origin', server.origin]);
    assert.ok(index.includes('http://127.0.0.1:4180/'));
    server.override('/index.html', { body: index.replace('http://127.0.0.1:4180/', receiver.url) });
    await page.goto(server.url('/index.html?user=me#secret'));
    // At first there is none, which is an error.
    const output = () =>
      report(folder, '--merge', '--tables', example).then(
        ({ stdout }) => stdout,
        ({ stdout }) => stdout,
      );
    await until(async () => isOnTime(await output()));
    assert.equal(await receiver.end('SIGTERM'), 0);
    for (const { trace, details } of await profilesIn(folder)) {
      assert.deepEqual([details.url, details.sampleInterval], [server.url('/index.html'), 10]);
      assert.match(details.session, /^[0-9a-f]{32}$/);
      assert.ok(details.userAgent && details.id && Number(details.timeOrigin) > 1e12);
      assert.deepEqual(
        trace.resources.filter((url) => /[?#]/.test(url)),
        [],
      );
    }
    assert.match(await output(), /self %.*\n.*drawRow/);
  },
);

/** @param {number[]} workedAt @param {number} from @param {number} to @returns {number} how much of that time the page, which works every 25 ms, had no processor */
function stalledMs(workedAt, from, to) {
  const pauses = workedAt.slice(1).map((time, i) => Math.min(time, to) - Math.max(workedAt[i], from));
  return pauses.reduce((sum, pause) => sum + Math.max(pause - 25, 0), 0);
}

eachEngine(
  'windows come again and again, packed, with a gap between',
  { ...busy, atOnce: true },
  async ({ page, server }) => {
    const { begin } = await start(page, { window: 150, every: 1000 });
    // The first one has to wait for the core.
    const [, ...sent] = await traces(server, 3);
    const [first, second] = sent.map(({ trace }) => trace.samples.map(({ timestamp }) => timestamp));
    // One may begin late, as far as the machine is busy, but none before its time.
    const round = (time) => Math.floor((time - begin) / 1000);
    const late = (first[0] - begin) % 1000;
    assert.ok(round(second[0]) > round(first[0]), `${begin}: ${first[0]} ${second[0]}`);
    assert.ok(
      second[0] - first.at(-1) > Math.max(100 - late, 0),
      `${begin}: ${first[0]} to ${first.at(-1)}, ${second[0]}`,
    );
    assert.equal(sent[0].session, sent[1].session);
    assert.notEqual(sent[0].id, sent[1].id);
    const { headers, body } = server.requests.find(isTrace);
    if (await page.evaluate(() => 'CompressionStream' in globalThis)) {
      assert.equal(headers['content-type'], 'application/gzip');
      assert.equal(body[0], 0x1f);
    }
    await page.evaluate(() => beacon.stop());
  },
);

eachEngine(
  'windows without a gap follow each other within some milliseconds, and load the core once',
  { ...busy, atOnce: true },
  async ({ page, server }) => {
    await start(page, { window: 200, every: 200, gzip: false });
    const sent = await traces(server, 5);
    const workedAt = await page.evaluate(() => (beacon.stop(), globalThis.workedAt));
    const windows = sent.map(({ trace: { samples } }) => [samples[0].timestamp, samples.at(-1).timestamp]);
    windows.sort(([a], [b]) => a - b);
    const gaps = windows.slice(1).map(([begin], i) => [windows[i][1], begin]);
    assert.ok(
      gaps.every(([from, to]) => from <= to),
      `${gaps}`,
    );
    const lengths = gaps.map(([from, to]) => to - from - stalledMs(workedAt, from, to));
    lengths.sort((a, b) => a - b);
    // Of a busy machine, one of them may be longer.
    assert.ok(lengths[Math.floor(lengths.length / 2)] < 30, `${lengths}: ${gaps}`);
    const loads = server.requests.filter(({ path }) => path === '/dist/polyprof.wasm');
    assert.equal(loads.length, 1);
  },
);

eachEngine(
  'without a gap, a core that is full is replaced, and the page sampled again',
  { ...busy, serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page, server }) => {
    await start(page, { window: 300, every: 300, gzip: false, maxBytes: 1e9, queueBytes: 1e9 });
    await page.evaluate(async () => {
      await inWindow();
      clearInterval(working);
      // As if the page were always in other functions, as deep as can be.
      const cells = __polyprof__.d;
      cells.fill(1);
      globalThis.working = setInterval(() => {
        for (const end = performance.now() + 100; performance.now() < end;) {
          cells[1]++;
          cells[0] = cells.length;
          const next = performance.now() + 5;
          while (performance.now() < next);
        }
        cells[0] = 1;
      });
    });
    await server.request((request) => isTrace(request) && sentIn(request).losses?.lostToMemory > 0);
    const emptied = await page.evaluate(() => {
      clearInterval(working);
      // A stack that the core has not seen yet.
      globalThis.working = setInterval(() => callInside(() => busy(20)), 25);
      return performance.now();
    });
    await server.request((request) => {
      if (!isTrace(request)) return false;
      const { trace } = sentIn(request);
      return trace.samples[0].timestamp > emptied && selfShares(trace).hotLoop > 0.2;
    });
    const { errors } = await page.evaluate(() => (beacon.stop(), { errors }));
    assert.deepEqual(errors, []);
  },
);

eachEngine(
  'a window for which the core could not be loaded is missed, and not the one after it',
  { ...busy, atOnce: true, serve: { folders, overrides: { '/dist/polyprof.wasm': { status: 503 } } } },
  async ({ page, server }) => {
    await start(page, { window: 200, every: 1000 });
    await page.evaluate(async () => {
      while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    server.override('/dist/polyprof.wasm', undefined);
    await traces(server, 1);
    const errors = await page.evaluate(() => (beacon.stop(), globalThis.errors));
    for (const error of errors) assert.match(error, /^NotSupportedError: .*polyprof\.wasm\S* answered 503/);
  },
);

eachEngine('pages of a tab are one session, profiled or not', busy, async ({ page, server }) => {
  const { session, isProfiled } = await start(page, {});
  await page.goto(server.url('/busy.html?next'));
  const next = await start(page, {});
  assert.deepEqual([next.session, next.isProfiled], [session, isProfiled]);
  assert.equal(isProfiled, true);
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(server.url('/busy.html'));
  assert.equal((await start(page, { sessionRate: 0 })).isProfiled, false);
  const draws = await page.evaluate(() => {
    const { draw, id } = JSON.parse(sessionStorage.getItem('polyprof.session'));
    return { draw, id };
  });
  assert.equal(draws.id, undefined, 'of who is not profiled nothing is remembered but that');
  assert.ok(draws.draw >= 0 && draws.draw < 1);
});

eachEngine(
  'a page that closes within a window has sent it, with the rest',
  busy,
  async ({ page, server }) => {
    const { session } = await start(page, { window: 60_000, sampleInterval: 2 });
    await page.evaluate(async () => {
      await inWindow();
      busy(300);
    });
    await page.goto(server.url(BLANK));
    const [sent] = await traces(server, 1);
    assert.ok(sent.trace.samples.length > 100, `${sent.trace.samples.length}`);
    assert.deepEqual([sent.session, sent.mode, sent.url], [session, 'flag', server.url('/busy.html')]);
  },
);

eachEngine(
  'a page that is hidden has sent when its listeners were called, and goes on when it is seen again',
  busy,
  async ({ page, server }) => {
    await start(page, { window: 5000, every: 5000 });
    await page.evaluate(async () => {
      await inWindow();
      busy(100);
      globalThis.hiding = [];
      const { sendBeacon } = navigator;
      navigator.sendBeacon = (...args) => {
        hiding.push('sends');
        return sendBeacon.apply(navigator, args);
      };
      // The last one of all.
      globalThis.hidden = new Promise((resolve) => {
        addEventListener('visibilitychange', () => {
          hiding.push(`hidden ${document.hidden}`);
          globalThis.hiddenAt ??= performance.now();
          resolve();
        });
      });
    });
    await page.hide();
    await page.evaluate(() => hidden);
    const [first] = await traces(server, 1);
    assert.deepEqual(await page.evaluate(() => hiding), ['sends', 'hidden true']);
    assert.ok(first.trace.samples.length > 30);
    assert.ok(first.trace.samples.at(-1).timestamp <= (await page.evaluate(() => hiddenAt)));
    await page.show();
    await page.evaluate(async () => {
      while (profilers < 3) await new Promise((resolve) => setTimeout(resolve, 20));
      busy(100);
      beacon.stop();
    });
    assert.deepEqual(await page.evaluate(() => errors), []);
    const [, second] = await traces(server, 2);
    assert.ok(second.trace.samples[0].timestamp > first.trace.samples.at(-1).timestamp);
  },
);

eachEngine(
  'what the network refuses is sent when it is back, and what gave way is told',
  busy,
  async ({ page, server }) => {
    server.override('/traces', { status: 503 });
    await start(page, { window: 100, every: 100, queueBytes: 6000, gzip: false });
    await page.evaluate(async () => {
      while (beacon.dropped === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    assert.equal(await page.evaluate(() => beacon.sent), 0);
    server.override('/traces', undefined);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const isTold = (/** @type {any} */ request) =>
      isTrace(request) && sentIn(request).losses?.droppedTraces > 0;
    await server.request(isTold);
    // The page hears of it a little later than the server.
    const errors = await page.evaluate(async () => {
      while (beacon.sent === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      beacon.stop();
      return errors;
    });
    assert.deepEqual(errors, []);
  },
);

eachEngine(
  'who wants to be left alone for a month is not asked again at once',
  busy,
  async ({ page, server }) => {
    server.override('/traces', { status: 503, headers: { 'Retry-After': String(30 * 24 * 3600) } });
    await start(page, { window: 100, every: 100, queueBytes: 20_000, gzip: false });
    await server.request(isTrace);
    await page.evaluate(async () => {
      while (beacon.dropped === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      beacon.stop();
    });
    assert.equal(server.requests.filter(isTrace).length, 1);
    assert.deepEqual(await page.evaluate(() => errors), []);
  },
);

eachEngine(
  'functions of inline scripts are sent without what names a person in the address of their page',
  {
    path: '/users/4711/orders',
    ownOrigin: true,
    serve: {
      folders,
      overrides: { '/users/4711/orders': { body: ordersPage, headers: { 'Content-Type': 'text/html' } } },
    },
  },
  async ({ page, server }) => {
    await start(page, { window: 100, every: 60_000 });
    const [{ url, trace }] = await traces(server, 1);
    await page.evaluate(() => beacon.stop());
    assert.equal(url, server.url('/users/:id/orders'));
    assert.deepEqual(trace.resources, [server.url('/users/:id/orders')]);
  },
);

eachEngine('who says three times that he wants nothing gets nothing more', busy, async ({ page, server }) => {
  server.override('/traces', { status: 403 });
  await start(page, { window: 100, every: 100 });
  await page.evaluate(async () => {
    while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  assert.match((await page.evaluate(() => errors)).join(), /^Error: startBeacon: .*\/traces answered 403/);
  const asked = server.requests.filter(isTrace).length;
  assert.equal(asked, 3);
});

eachEngine(
  'so does a receiver that takes nothing from the page’s origin',
  busy,
  async ({ page, browser }) => {
    const folder = join(received.path, `refused-${browser.name}`);
    const receiver = await startReceiver(folder, ['--origin', 'https://shop.example']);
    await start(page, { url: receiver.url, window: 100, every: 100 });
    const errors = await page.evaluate(async () => {
      while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      return errors;
    });
    assert.match(errors.join(), /^Error: startBeacon: http:.* answered 403: no further traces$/);
    assert.equal(await receiver.end('SIGTERM'), 0);
  },
);

eachEngine(
  'a frame whose text is in an attribute sends to its own origin as the page around it does',
  { ...busy, path: '/plain.html' },
  async ({ page, server }) => {
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.srcdoc = `<!doctype html><script src="/dist/polyprof.js"></script><script src="/busy.js"></script><script type="module">
        import { startBeacon } from '/dist/polyprof-beacon.js';
        polyprof.install({ force: true });
        startBeacon({ url: 'traces', start: 'now', window: 300, sampleInterval: 1 });
        setInterval(() => busy(20), 25);
      </script>`;
      document.body.append(frame);
    });
    const [{ trace, url }] = await traces(server, 1);
    assert.ok(trace.samples.length > 20, folded(trace));
    assert.equal(url, 'about:');
    const { headers } = server.requests.find(isTrace);
    assert.match(headers['content-type'], /^application\//);
  },
);

eachEngine('a long trace is sent in parts, each with its time', busy, async ({ page, server }) => {
  await start(page, { window: 1200, maxBytes: 8000 });
  // The oldest part comes last.
  await server.request((request) => isTrace(request) && sentIn(request).trace.olderSamples === 0);
  await page.evaluate(() => beacon.stop());
  const parts = (await traces(server, 2)).sort((a, b) => a.trace.olderSamples - b.trace.olderSamples);
  assert.equal(parts[0].trace.olderSamples, 0);
  parts.reduce((older, { trace }) => {
    assert.equal(trace.olderSamples, older);
    return older + trace.samples.length;
  }, 0);
  for (const part of parts) assert.ok(JSON.stringify(part).length <= 8000);
  assert.equal(parts.filter(({ losses }) => losses?.droppedTraces).length, 0);
});

eachEngine(
  'a page that cannot be sampled runs on, and the reason is told',
  { ...busy, serve: { folders, overrides: { '/dist/polyprof.wasm': { status: 404 } } } },
  async ({ page, server }) => {
    await start(page, {});
    const { errors, ran } = await page.evaluate(async () => {
      while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      return { errors, ran: typeof busy(10) };
    });
    assert.match(errors.join(), /^NotSupportedError: .*polyprof\.wasm/);
    assert.equal(ran, 'number');
    assert.equal(server.requests.filter(isTrace).length, 0);
  },
);

eachEngine(
  "the browser's own profiler serves as well, also without the polyfill",
  { ...busy, path: '/plain.html', only: ['chromium'], serve: { folders, jsProfiling: true } },
  async ({ page, server }) => {
    await page.evaluate(async () => {
      const { startBeacon } = await import('/dist/polyprof-beacon.js');
      globalThis.beacon = startBeacon({ url: '/traces', start: 'now', window: 300, sampleInterval: 10 });
      setInterval(() => busy(20), 25);
    });
    const [{ mode, trace }] = await traces(server, 1);
    assert.equal(mode, 'native');
    assert.ok(selfShares(trace).hotLoop > 0.4, folded(trace));
  },
);
