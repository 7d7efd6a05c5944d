import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe } from 'node:test';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { rememberWorkers } from './lib/remember_workers.js';
import { folded, selfShares } from './lib/trace.js';

const folders = { '/': instrumentedPages('shadow') };
const options = { path: '/busy.html', serve: { folders } };

/** @param {string} state @returns {(request: import('./lib/server.js').Recorded) => boolean} */
const isReport =
  (state) =>
  ({ method, path, body }) =>
    method === 'POST' && path === '/stalls' && JSON.parse(body.toString()).stall.state === state;

/** Lets the test end what a page does without coming back to its event loop: `/end` is answered when the test says so. */
function endOfLoop() {
  let end = () => {};
  const after = new Promise((resolve) => (end = () => resolve(undefined)));
  return { end, overrides: { '/end': { after, body: 'end' } } };
}

/** Makes `globalThis.ended`, a cell that becomes 1 when `/end` is answered. @param {import('./lib/browsers.js').Page} page */
async function prepareLoop(page) {
  await page.evaluate(async () => {
    globalThis.ended = new Int32Array(new SharedArrayBuffer(4));
    const ender = new Worker('/harness/ending_worker.js');
    await new Promise((resolve) => {
      ender.onmessage = resolve;
      ender.postMessage(ended);
    });
  });
}

eachEngine(
  'a page in an endless loop is reported while it hangs, the looping function on top',
  { ...options, only: ['chromium', 'firefox'] },
  async ({ page, server }) => {
    const { end, overrides } = endOfLoop();
    server.override('/end', overrides['/end']);
    await prepareLoop(page);
    await page.evaluate(async () => {
      globalThis.watching = await polyprof.watch({ threshold: 500, report: '/stalls' });
    });
    const hanging = page.evaluate(() => {
      while (Atomics.load(ended, 0) === 0) busy(1);
    });
    const { body } = await server.request(isReport('running'));
    const report = JSON.parse(body.toString());
    assert.ok(selfShares(report).hotLoop > 0.5, folded(report));
    assert.ok(report.stall.ms >= 500, JSON.stringify(report.stall));
    assert.equal(report.stall.page, server.url('/busy.html'));
    assert.equal(server.requests.some(isReport('ended')), false);
    end();
    await hanging;
    const last = JSON.parse((await server.request(isReport('ended'))).body.toString());
    assert.equal(last.stall.id, report.stall.id);
    assert.ok(last.stall.ms > report.stall.ms);
    assert.ok(last.samples.length >= report.samples.length);
    await page.evaluate(() => watching.stop());
  },
);

eachEngine(
  'a page that was stuck has sent both reports when it runs again',
  options,
  async ({ page, server }) => {
    const before = await page.evaluate(async () => {
      globalThis.watching = await polyprof.watch({ threshold: 200, report: '/stalls' });
      const start = performance.now();
      busy(1000);
      return start;
    });
    const [running, ended] = await Promise.all([
      server.request(isReport('running')),
      server.request(isReport('ended')),
    ]);
    const { stall, samples } = JSON.parse(ended.body.toString());
    assert.ok(JSON.parse(running.body.toString()).stall.ms < stall.ms);
    assert.ok(stall.ms > 500 && stall.start >= before - 50, JSON.stringify(stall));
    assert.ok(samples.length > 10);
    await page.evaluate(() => watching.stop());
  },
);

eachEngine('who stops to watch right after a stall loses no report', options, async ({ page, server }) => {
  await page.evaluate(async () => {
    const watching = await polyprof.watch({ threshold: 200, report: '/stalls' });
    busy(1000);
    await watching.stop();
  });
  const [running, ended] = await Promise.all([
    server.request(isReport('running')),
    server.request(isReport('ended')),
  ]);
  assert.ok(JSON.parse(running.body.toString()).stall.ms < JSON.parse(ended.body.toString()).stall.ms);
});

eachEngine(
  'in WebKit a report leaves when the page comes back to its event loop, not before',
  { ...options, only: ['webkit'] },
  async ({ page, server }) => {
    await page.evaluate(async () => {
      globalThis.watching = await polyprof.watch({ threshold: 100, report: '/stalls' });
      busy(1000);
      const request = new XMLHttpRequest();
      request.open('POST', '/looped', false);
      request.send();
    });
    await server.request(isReport('ended'));
    const looped = server.requests.findIndex(({ path }) => path === '/looped');
    assert.ok(looped >= 0 && looped < server.requests.findIndex(isReport('running')));
    await page.evaluate(() => watching.stop());
  },
);

eachEngine('a function gets the report when the page runs again', options, async ({ page }) => {
  const reports = await page.evaluate(async () => {
    const reports = [];
    let reported;
    const arrived = new Promise((resolve) => (reported = resolve));
    const watching = await polyprof.watch({
      threshold: 100,
      report: (report) => {
        reports.push(report);
        reported();
      },
    });
    busy(600);
    await arrived;
    await watching.stop();
    return reports;
  });
  assert.equal(reports[0].stall.state, 'ended');
  assert.ok(selfShares(reports[0]).hotLoop > 0.5, folded(reports[0]));
});

eachEngine('no more stalls are reported than the page allows', options, async ({ page, server }) => {
  await page.evaluate(async () => {
    const watching = await polyprof.watch({ threshold: 50, report: '/stalls', maxPerMinute: 1 });
    const seen = [];
    const second = await polyprof.watch({ threshold: 50, report: (report) => seen.push(report) });
    while (seen.length < 3) {
      busy(300);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await second.stop();
    await watching.stop();
  });
  await server.request(isReport('ended'));
  assert.equal(server.requests.filter(isReport('running')).length, 1);
  assert.equal(server.requests.filter(isReport('ended')).length, 1);
});

/** In the page, after `rememberWorkers`. @param {number} index of the worker that is awaited, and asks for signs of life */
async function watchedBy(index) {
  const { workers } = /** @type {any} */ (globalThis);
  while (workers.length <= index) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => {
    workers[index].addEventListener('message', (/** @type {MessageEvent} */ { data }) => {
      if (data === 'ping') resolve(undefined);
    });
  });
}

/**
 * @param {number} index @param {string} path @param {{requests: import('./lib/server.js').Recorded[]}} server
 * @returns {(request: import('./lib/server.js').Recorded) => boolean} whether it is one for that path, after the one of that index
 */
const isAfter = (index, path, server) => (request) =>
  server.requests.filter((each) => each.path === path).indexOf(request) > index;

/** A stall that is one of `busy`: on a busy machine the page may have been stuck before, while nothing of ours ran. @param {import('./lib/server.js').Recorded} request */
const isOfBusy = (request) =>
  isReport('ended')(request) && selfShares(JSON.parse(request.body.toString())).hotLoop > 0.5;

eachEngine(
  'a report has the address that the page had when it was stuck, not that of its start',
  options,
  async ({ page, server }) => {
    await page.evaluate(rememberWorkers);
    await page.evaluate(async () => {
      globalThis.watching = await polyprof.watch({ threshold: 100, report: '/stalls' });
      history.pushState({}, '', '/second-view');
    });
    await page.evaluate(watchedBy, 0);
    await page.evaluate(() => {
      setTimeout(() => {
        busy(600);
        history.pushState({}, '', '/third-view');
      });
    });
    const { body } = await server.request(isOfBusy);
    assert.equal(JSON.parse(body.toString()).stall.page, server.url('/second-view'));
    await page.evaluate(() => watching.stop());
  },
);

// Mostly they wait.
describe('all at the same time', { concurrency: true }, () => {
  eachEngine(
    'when the worker that watches is gone, another one takes its place, and reports count it',
    options,
    async ({ page, server }) => {
      await page.evaluate(rememberWorkers);
      await page.evaluate(async () => {
        globalThis.watching = await polyprof.watch({ threshold: 100, report: '/stalls' });
        workers[0].terminate();
      });
      await page.evaluate(watchedBy, 1);
      await page.evaluate(() => void setTimeout(() => busy(600)));
      const { body } = await server.request(isOfBusy);
      assert.equal(JSON.parse(body.toString()).stall.lostWorkers, 1);
      await page.evaluate(() => watching.stop());
      assert.equal(await page.evaluate(() => workers.length), 2);
    },
  );

  eachEngine(
    'a worker whose core is full of stacks reports what it lost, and another one takes its place',
    options,
    async ({ page, server }) => {
      await page.evaluate(rememberWorkers);
      await page.evaluate(async () => {
        globalThis.watching = await polyprof.watch({ threshold: 100, report: '/stalls', maxPerMinute: 1e4 });
        __polyprof__.d.fill(1);
      });
      // How soon it is full is up to the machine.
      for (let lost = 0; lost === 0;) {
        const before = new Set(server.requests);
        await page.evaluate(() => {
          // As by functions that call each other without end, each time from another one.
          const cells = __polyprof__.d;
          for (const end = performance.now() + 2000; performance.now() < end;) {
            cells[1]++;
            cells[0] = cells.length;
            busy(5);
          }
          cells[0] = 1;
        });
        const { body } = await server.request((each) => !before.has(each) && isReport('ended')(each));
        lost = JSON.parse(body.toString()).stall.lostSamples;
      }
      await page.evaluate(watchedBy, 1);
      await page.evaluate(() => void setTimeout(() => busy(600)));
      const { body } = await server.request(isOfBusy);
      const { stall } = JSON.parse(body.toString());
      assert.deepEqual([stall.lostWorkers, stall.lostSamples], [1, 0]);
      await page.evaluate(() => watching.stop());
      assert.equal(await page.evaluate(() => workers.length), 2);
    },
  );

  eachEngine(
    'a worker that takes long to make its report, as of very deep stacks on a slow device, is not taken for one that is gone',
    options,
    async ({ page, server }) => {
      const path = '/dist/polyprof-watch.js';
      // Longer than a worker may be silent otherwise.
      const slow = `{
        const { stringify } = JSON;
        let times = 0;
        JSON.stringify = (value) => {
          if (value.stall && times++ === 0) for (const end = performance.now() + 6000; performance.now() < end;);
          return stringify(value);
        };
      }`;
      const worker = readFileSync(new URL(`..${path}`, import.meta.url), 'utf8');
      server.override(path, { body: slow + worker });
      await page.evaluate(rememberWorkers);
      await page.evaluate(async () => {
        globalThis.watching = await polyprof.watch({ threshold: 100, report: '/stalls' });
      });
      await page.evaluate(watchedBy, 0);
      await page.evaluate(() => void setTimeout(() => busy(600)));
      const isSuccessor = isAfter(0, path, server);
      await server.request((request) => isReport('ended')(request) || isSuccessor(request));
      server.override(path, undefined);
      assert.equal(await page.evaluate(() => workers.length), 1);
      await page.evaluate(() => watching.stop());
    },
  );

  eachEngine(
    'if the files of its successor cannot be loaded, they are asked for again 60 roll calls later',
    options,
    async ({ page, server }) => {
      const path = '/dist/polyprof-watch.js';
      await page.evaluate(rememberWorkers);
      await page.evaluate(async () => {
        // A roll call every second, which come faster here, and are counted.
        const { setInterval: setRealInterval } = globalThis;
        let calls = 0;
        globalThis.setInterval = (call, ms) => {
          if (ms !== 1000) return setRealInterval(call, ms);
          return setRealInterval(() => {
            calls++;
            call();
          }, 10);
        };
        globalThis.calledAt = [];
        workers.push = function (worker) {
          calledAt.push(calls);
          return Array.prototype.push.call(this, worker);
        };
        globalThis.watching = await polyprof.watch({ threshold: 100, report: '/stalls' });
      });
      server.override(path, { status: 404 });
      // After the first worker's request come its successor's, and one for the text to start it from.
      const failed = server.request(isAfter(1, path, server));
      await page.evaluate(() => workers[0].terminate());
      await failed;
      server.override(path, undefined);
      await page.evaluate(watchedBy, 2);
      const [, failedAt, againAt] = await page.evaluate(async () => {
        await watching.stop();
        return calledAt;
      });
      assert.ok(againAt - failedAt > 60, `roll calls ${failedAt} and ${againAt}`);
    },
  );
});

eachEngine('profiling and watching go on side by side, in any order', options, async ({ page, server }) => {
  const { trace, later } = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const early = await performance.profile({ sampleInterval: 1 });
    const watching = await polyprof.watch({ threshold: 100, report: '/stalls' });
    busy(400);
    const trace = await early.stop();
    const next = await performance.profile({ sampleInterval: 1 });
    await watching.stop();
    busy(400);
    return { trace, later: await next.stop() };
  });
  for (const each of [trace, later]) assert.ok(selfShares(each).hotLoop > 0.5, folded(each));
  const { body } = await server.request(isReport('running'));
  assert.ok(selfShares(JSON.parse(body.toString())).hotLoop > 0.5, body.toString().slice(-300));
});

eachEngine('options that make no sense are told', options, async ({ page }) => {
  const errors = await page.evaluate(async () => {
    const cases = [
      undefined,
      {},
      { threshold: 100 },
      { report: '/stalls' },
      { threshold: '100', report: '/stalls' },
      { threshold: 1, report: '/stalls' },
      { threshold: NaN, report: '/stalls' },
      { threshold: 100, report: 5 },
      { threshold: 100, report: '/stalls', maxPerMinute: 0 },
    ];
    return Promise.all(
      cases.map((options) =>
        polyprof.watch(options).then(
          () => 'none',
          ({ name, message }) => `${name}: ${message}`,
        ),
      ),
    );
  });
  for (const error of errors) assert.match(error, /^(TypeError|RangeError): polyprof\.watch: \w+ must/);
});

const flagFolders = { '/': instrumentedPages() };
eachEngine(
  'with flag probes, watch() says what to do',
  { ...options, serve: { folders: flagFolders } },
  async ({ page }) => assert.match(await watchError(page), /^NotSupportedError: .*--probe shadow/),
);

eachEngine(
  'without isolation, watch() names the headers',
  { ...options, serve: { folders, isolated: false } },
  async ({ page }) =>
    assert.match(await watchError(page), /^NotSupportedError: .*Opener-Policy.*Embedder-Policy/),
);

/** @param {import('./lib/browsers.js').Page} page @returns {Promise<string>} */
function watchError(page) {
  return page.evaluate(() =>
    polyprof.watch({ threshold: 100, report: '/stalls' }).then(
      () => 'none',
      ({ name, message }) => `${name}: ${message}`,
    ),
  );
}
