import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { LOCK_OFFSET } from './lib/core_lock.js';
import { countResources } from './lib/count_resources.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { profileBusy } from './lib/on_time.js';
import { rememberWorkers } from './lib/remember_workers.js';
import { folded, selfShares } from './lib/trace.js';

/**
 * Profiles, ends the worker as page code can (the sampler gets no event of that), works on for half a second, stops, and profiles again.
 * @param {import('./lib/browsers.js').Page} page
 * @param {{lockOffset?: number}} [leaves] the lock that the worker died with
 */
async function outliveWorker(page, leaves = {}) {
  await page.evaluate(rememberWorkers);
  return page.evaluate(async ({ lockOffset }) => {
    polyprof.install({ force: true });
    const begin = performance.now();
    const profiler = await performance.profile({ sampleInterval: 1 });
    busy(300);
    await new Promise((resolve) => setTimeout(resolve));
    workers[0].terminate();
    // A worker that waits is ended at once, one that runs may run on a little.
    const { m } = globalThis.__polyprof__;
    if (lockOffset) new Int32Array(m.buffer, lockOffset, 1)[0] = 1;
    let before = 0;
    for (let now = profiler.losses.workerlessTicks; now === 0 || now > before + 1;) {
      before = now;
      // Each look at the worker is a task of the page: long ones would make the wait for it long.
      busy(30);
      await new Promise((resolve) => setTimeout(resolve));
      now = profiler.losses.workerlessTicks;
      if (now > 500) break;
    }
    const ms = performance.now() - begin;
    return { trace: await profiler.stop(), losses: profiler.losses, ms };
  }, leaves);
}

// Mostly they wait until the worker is missed.
describe('all at the same time', { concurrency: 3 }, () => {
  for (const probe of ['flag', 'shadow']) {
    const folders = { '/': instrumentedPages(probe) };
    const options = { path: '/busy.html', serve: { folders } };

    eachEngine(
      `${probe}: a session outlives its worker, counts the ticks since, and the next one works`,
      options,
      async ({ page }) => assertOutlived(page, await outliveWorker(page)),
    );

    eachEngine(
      `${probe}: a session that begins while another one has lost its worker gets a new one`,
      options,
      async ({ page }) => {
        await page.evaluate(rememberWorkers);
        const { first, second } = await page.evaluate(async () => {
          polyprof.install({ force: true });
          const first = await performance.profile({ sampleInterval: 1 });
          busy(300);
          workers[0].terminate();
          for (;;) {
            const attempt = await performance.profile({ sampleInterval: 1 });
            if (workers.length === 2) {
              busy(200);
              const second = await attempt.stop();
              return { first: await first.stop(), second };
            }
            await attempt.stop();
            await new Promise((resolve) => setTimeout(resolve));
          }
        });
        assert.ok(first.samples.length > 100, folded(first));
        assert.ok(first.samples.length * selfShares(first).hotLoop > 100, folded(first));
        assert.ok(selfShares(second).hotLoop > 0.5, folded(second));
      },
    );

    eachEngine(
      `${probe}: the same when the browser ends the worker`,
      { ...options, only: ['chromium'] },
      async ({ page }) => {
        await page.evaluate(async () => {
          polyprof.install({ force: true });
          globalThis.begin = performance.now();
          globalThis.profiler = await performance.profile({ sampleInterval: 1 });
          busy(300);
        });
        await terminateWorkers(page);
        const outcome = await page.evaluate(async () => {
          while (profiler.losses.workerlessTicks < 500) {
            busy(30);
            await new Promise((resolve) => setTimeout(resolve));
          }
          const ms = performance.now() - begin;
          return { trace: await profiler.stop(), losses: profiler.losses, ms };
        });
        await assertOutlived(page, outcome);
      },
    );
  }

  eachEngine(
    'shadow: a worker that dies inside the core takes neither the trace nor the next session with it',
    {
      path: '/busy.html',
      serve: { folders: { '/': instrumentedPages('shadow') } },
    },
    async ({ page }) => assertOutlived(page, await outliveWorker(page, { lockOffset: LOCK_OFFSET })),
  );

  eachEngine(
    'a session whose worker is gone before the first script, one with shadow probes, leaves no timer behind',
    {
      path: '/flag/polyfill.html',
      serve: {
        folders: { '/flag/': instrumentedPages(), '/shadow/': instrumentedPages('shadow') },
      },
    },
    async ({ page }) => {
      await page.evaluate(rememberWorkers);
      await page.evaluate(countResources);
      const timers = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        workers[0].terminate();
        // Others get a new worker once it is missed.
        for (let missed = false; !missed;) {
          const other = await performance.profile({ sampleInterval: 1 });
          missed = workers.length === 2;
          await other.stop();
          await new Promise((resolve) => setTimeout(resolve));
        }
        await new Promise((resolve, reject) => {
          const script = Object.assign(document.createElement('script'), { src: '/shadow/busy.js' });
          script.onload = resolve;
          script.onerror = reject;
          document.head.append(script);
        });
        await profiler.stop();
        return resources().timers;
      });
      assert.equal(timers, 0);
    },
  );

  eachEngine(
    'workers that page code ends before they start make profile() reject, and the next one works',
    { path: '/flag/polyfill.html', serve: { folders: { '/flag/': instrumentedPages() } } },
    async ({ page }) => {
      const { error, mode } = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const { setTimeout } = globalThis;
        const soon = (/** @type {() => void} */ task, ms = 0, /** @type {any[]} */ ...args) =>
          setTimeout(task, ms < 10_000 ? ms : 10, ...args);
        globalThis.setTimeout = /** @type {any} */ (soon);
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = Worker.prototype.terminate;
        const error = await performance
          .profile({ sampleInterval: 1 })
          .catch(({ name, message }) => name + message);
        Object.assign(globalThis, { setTimeout });
        Worker.prototype.postMessage = postMessage;
        const profiler = await performance.profile({ sampleInterval: 1 });
        await profiler.stop();
        return { error, mode: profiler.mode };
      });
      assert.match(
        error,
        /^NotSupportedError.*polyprof-worker\.js\S* is a worker that failed to start: no answer$/,
      );
      assert.equal(mode, 'flag');
    },
  );
});

/** @param {import('./lib/browsers.js').Page} page @param {any} outcome */
async function assertOutlived(page, { trace, losses, ms }) {
  const hot = trace.samples.length * selfShares(trace).hotLoop;
  assert.ok(hot > 100, folded(trace));
  assert.ok(losses.workerlessTicks >= 500, JSON.stringify(losses));
  assert.ok(
    losses.lateTicks <= trace.samples.length,
    `late is what has samples: ${JSON.stringify(losses)} ${trace.samples.length}`,
  );
  const ticks = trace.samples.length + losses.workerlessTicks;
  // It may have died after it recorded ticks and before it told so.
  assert.ok(ticks < ms + 100, `${ticks} of ${ms}: each is counted once`);
  const { timestamp: first } = trace.samples[0];
  const { timestamp: last } = trace.samples.at(-1);
  assert.ok(trace.samples.length < last - first + 2, 'nobody is charged with what nobody saw');
  const next = await profileBusy(page);
  assert.ok(selfShares(next.trace).hotLoop > 0.5, folded(next.trace));
}

/** Ends what runs in the page's workers, as browsers do with those that they want to be rid of. @param {import('./lib/browsers.js').Page} page */
async function terminateWorkers(page) {
  const session = await /** @type {Required<typeof page>} */ (page).devtools();
  const attached = new Promise((resolve) => session.once('Target.attachedToTarget', resolve));
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: true,
  });
  const { sessionId, targetInfo } = await attached;
  assert.equal(targetInfo.type, 'worker');
  const worker = session.connection().session(sessionId);
  await worker.send('Runtime.terminateExecution');
  await session.detach();
}
