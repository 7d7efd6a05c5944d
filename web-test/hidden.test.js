import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkTrace } from '../report/reading/check_trace.js';
import { eachEngine } from './lib/each_engine.js';
import { FOLDERS } from './lib/folders.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime } from './lib/on_time.js';
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
    globalThis.workedMs = 0;
    // By the listeners before and after those of the polyfill: between them a busy machine may take its time.
    globalThis.ears?.abort();
    globalThis.ears = new AbortController();
    const note = (hidden) => () => document.hidden === hidden && times.push(performance.now());
    document.addEventListener('visibilitychange', note(false), ears);
    // Not by setTimeout: a hidden page has to wait for a second each time.
    const { port1, port2 } = new MessageChannel();
    globalThis.seen = async (changes) => {
      for (let work = 0; work < 5 || times.length < changes; work++) {
        if (!document.hidden) workedMs += 20;
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
    return { trace, lateTrace, times, workedMs, losses: profiler.losses };
  });
}

for (const probe of ['flag', 'shadow']) {
  const serve = { folders: { '/': instrumentedPages(probe) } };

  eachEngine(
    `${probe}: a hidden page takes no samples, and goes on when it is visible`,
    { path: '/busy.html', serve },
    async ({ page }) => {
      const { trace, lateTrace, times, workedMs, losses } = await onTime(() => profileHiding(page, {}));
      checkTrace(trace);
      const [hidden, visible] = times;
      const at = trace.samples.map(({ timestamp }) => timestamp);
      const inside = at.filter((time) => time > hidden + 2 && time < visible - 2);
      assert.deepEqual(inside, [], `hidden from ${hidden} to ${visible}`);
      assert.ok(at[0] < hidden && at.at(-1) > visible, `${at[0]} ${at.at(-1)}`);
      const hot = selfShares(trace).hotLoop * trace.samples.length;
      assert.ok(hot > 0.8 * workedMs, `${folded(trace)}\n${workedMs} ms`);
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

/** Bytes of the hook's array that nobody else uses: the worker says that it sleeps; is told by 1 to wake up, and answers with 2 when it did. */
const [ASLEEP, AWAKE] = [62, 63];

/** The worker, which at its 100th tick has no processor until the page gives it one. */
const sleepyWorker = `
{
  const { wait } = Atomics;
  let flags, ticks = 0;
  addEventListener('message', ({ data }) => { flags = data.flags });
  Atomics.wait = (cells, index, value, ms = Infinity) => {
    const outcome = wait(cells, index, value, ms);
    if (ms < Infinity && ++ticks === 100) {
      Atomics.store(flags, ${ASLEEP}, 1);
      while (Atomics.load(flags, ${AWAKE}) === 0);
      Atomics.store(flags, ${AWAKE}, 2);
    }
    return outcome;
  };
}
${readFileSync(`${FOLDERS['/dist/']}/polyprof-worker.js`, 'utf8')}`;

for (const probe of ['flag', 'shadow']) {
  const folders = { '/': instrumentedPages(probe) };
  const overrides = { '/dist/polyprof-worker.js': { body: sleepyWorker } };
  eachEngine(
    `${probe}: nothing is sampled while the page is hidden, also if its worker slept through all of it`,
    { path: '/busy.html', serve: { folders, overrides } },
    async ({ page }) => {
      const { hiding, hidden, shown, resumed, slept, ended, times, losses } = await page.evaluate(
        async (ASLEEP, AWAKE) => {
          polyprof.install({ force: true });
          const flags = __polyprof__.f;
          const change = (isHidden) => {
            Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden });
            // Before and after: a busy machine may take its time for what is between.
            const before = performance.now();
            document.dispatchEvent(new Event('visibilitychange'));
            return [before, performance.now()];
          };
          const profiler = await performance.profile({ sampleInterval: 1 });
          while (Atomics.load(flags, ASLEEP) === 0) busy(1);
          const slept = performance.now();
          busy(50);
          const [hiding, hidden] = change(true);
          busy(100);
          const [shown, resumed] = change(false);
          busy(50);
          Atomics.store(flags, AWAKE, 1);
          while (Atomics.load(flags, AWAKE) !== 2) busy(1);
          busy(200);
          // A busy machine may keep the worker waiting: then nobody watches the ticks, until it wakes up.
          while (profiler.losses.workerlessTicks > 0) busy(1);
          const ended = performance.now();
          const { samples } = await profiler.stop();
          const times = samples.map(({ timestamp }) => timestamp);
          return { hiding, hidden, shown, resumed, slept, ended, times, losses: profiler.losses };
        },
        ASLEEP,
        AWAKE,
      );
      const inside = times.filter((time) => time > hidden + 2 && time < shown - 2);
      assert.deepEqual(inside, [], `hidden from ${hidden} to ${shown}`);
      const after = times.filter((time) => time > shown).length;
      assert.ok(
        after > 150 && after > ended - resumed - 10,
        `${after} samples in ${ended - shown} ms after it, ${resumed - shown} of its event, ${JSON.stringify(losses)}`,
      );
      const seen = times.filter((time) => time > slept + 1 && time < hiding).length;
      const missed = Math.floor(hiding - slept - seen);
      if (probe === 'shadow')
        assert.ok(missed > 40 && losses.lostTicks >= missed - 5, `${missed}, ${JSON.stringify(losses)}`);
    },
  );
}
