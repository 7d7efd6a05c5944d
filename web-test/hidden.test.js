import assert from 'node:assert/strict';
import { checkTrace } from '../report/check_trace.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { folded, selfShares } from './lib/trace.js';

/**
 * Profiles while the page is visible, hidden, and visible again; it works all the time.
 * @param {import('./lib/browsers.js').Page} page
 * @param {object} options of install()
 */
async function profileHiding(page, options) {
  await page.evaluate(async (options) => {
    polyprof.install({ force: true, ...options });
    globalThis.times = [];
    // By the listeners before and after those of the polyfill: between them a busy machine may take its time.
    globalThis.ears?.abort();
    globalThis.ears = new AbortController();
    const note = (hidden) => () => document.hidden === hidden && times.push(performance.now());
    document.addEventListener('visibilitychange', note(false), ears);
    // Not by setTimeout: a hidden page has to wait for a second each time.
    const { port1, port2 } = new MessageChannel();
    globalThis.seen = async (changes) => {
      for (let work = 0; work < 5 || times.length < changes; work++) {
        busy(20);
        await new Promise((resolve) => {
          port1.onmessage = resolve;
          port2.postMessage('');
        });
      }
    };
    globalThis.profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 100_000 });
    document.addEventListener('visibilitychange', note(true), ears);
    await seen(0);
  }, options);
  await page.hide();
  await page.evaluate(() => seen(1));
  const late = await page.evaluate(async () => {
    // One that starts while nobody sees the page begins with the others.
    const late = await performance.profile({ sampleInterval: 1, maxBufferSize: 100_000 });
    await seen(1);
    globalThis.late = late;
    return late.stopped;
  });
  assert.equal(late, false);
  await page.show();
  return page.evaluate(async () => {
    await seen(2);
    const [trace, lateTrace] = await Promise.all([profiler.stop(), late.stop()]);
    return { trace, lateTrace, times, losses: profiler.losses };
  });
}

for (const probe of ['flag', 'shadow']) {
  const serve = { folders: { '/': instrumentedPages(probe) } };

  eachEngine(
    `${probe}: a hidden page takes no samples, and goes on when it is visible`,
    { path: '/busy.html', serve },
    async ({ page }) => {
      const { trace, lateTrace, times, losses } = await profileHiding(page, {});
      checkTrace(trace);
      const [hidden, visible] = times;
      const at = trace.samples.map(({ timestamp }) => timestamp);
      const inside = at.filter((time) => time > hidden + 2 && time < visible - 2);
      assert.deepEqual(inside, [], `hidden from ${hidden} to ${visible}`);
      assert.ok(at[0] < hidden && at.at(-1) > visible, `${at[0]} ${at.at(-1)}`);
      assert.ok(selfShares(trace).hotLoop > 0.3, folded(trace));
      assert.ok(lateTrace.samples.length > 20 && lateTrace.samples[0].timestamp > visible - 2);
      assert.equal(losses.workerlessTicks, 0, JSON.stringify(losses));
    },
  );
}

eachEngine(
  'without a worker a hidden page takes no samples either; install({pauseWhenHidden: false}) goes on',
  { path: '/busy.html', serve: { folders: { '/': instrumentedPages() } } },
  async ({ page }) => {
    const paused = await profileHiding(page, { worker: false });
    const inside = ({ trace, times: [hidden, visible] }) =>
      trace.samples.filter(({ timestamp }) => timestamp > hidden + 2 && timestamp < visible - 2);
    assert.deepEqual(inside(paused), []);
    const going = await profileHiding(page, { worker: false, pauseWhenHidden: false });
    assert.ok(inside(going).length > 50, String(inside(going).length));
  },
);
