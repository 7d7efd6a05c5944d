import assert from 'node:assert/strict';
import { BUILDS } from './lib/builds.js';
import { countResources } from './lib/count_resources.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { profileBusy } from './lib/on_time.js';
import { folded, selfShares } from './lib/trace.js';

eachEngine(
  'self-timed: a page that overwrites the hook during a session cannot, and runs on',
  {
    path: '/busy.html',
    serve: { folders: { '/': instrumentedPages() }, isolated: false },
  },
  async ({ page }) => {
    const { trace, ran } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      for (const name of ['e', 'l', 'r']) Reflect.set(globalThis.__polyprof__, name, 'garbage');
      const ran = typeof busy(200);
      return { trace: await profiler.stop(), ran };
    });
    assert.equal(ran, 'number');
    assert.ok(trace.samples.length * selfShares(trace).hotLoop > 100, folded(trace));
    const next = await profileBusy(page);
    assert.ok(selfShares(next.trace).hotLoop > 0.5, folded(next.trace));
  },
);

for (const { name, serve } of BUILDS) {
  const options = { path: '/busy.html', serve };

  eachEngine(`with ${name}, a page that froze the hook runs on, and is told`, options, async ({ page }) => {
    const outcome = await page.evaluate(async () => {
      polyprof.install({ force: true });
      Object.freeze(globalThis.__polyprof__);
      const errors = [];
      for (const attempt of [
        async () => new Profiler({ sampleInterval: 1, maxBufferSize: 10 }),
        () => performance.profile({ sampleInterval: 1 }),
      ]) {
        await attempt().catch(({ name, message }) => errors.push(`${name}: ${message}`));
      }
      return { errors, ran: typeof busy(10) };
    });
    assert.equal(outcome.ran, 'number');
    assert.equal(outcome.errors.length, 2);
    for (const error of outcome.errors) assert.match(error, /^NotSupportedError: .*__polyprof__/);
  });

  eachEngine(
    `with ${name}, a page that freezes the hook during a session keeps its trace, and nothing goes on`,
    options,
    async ({ page }) => {
      await page.evaluate(countResources);
      const { trace, ran, flag } = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        busy(200);
        Object.freeze(globalThis.__polyprof__);
        let ran = typeof busy(100);
        const trace = await profiler.stop();
        // Its worker ends after that.
        for (
          let left = resources();
          left.workers > left.endedWorkers || left.timers > 0;
          left = resources()
        ) {
          await new Promise((resolve) => setTimeout(resolve));
        }
        ran += typeof busy(10);
        return { trace, ran, flag: globalThis.__polyprof__.f[0] };
      });
      assert.equal(ran, 'numbernumber');
      assert.equal(flag, 0);
      assert.ok(trace.samples.length * selfShares(trace).hotLoop > 100, folded(trace));
    },
  );

  eachEngine(`with ${name}, a page that froze the list of scripts is profiled`, options, async ({ page }) => {
    await page.evaluate(() => Object.freeze(globalThis.__polyprof__.s));
    const { trace } = await profileBusy(page);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  });

  eachEngine(
    `with ${name}, a session that the page keeps from starting leaves nothing behind, and the next one works`,
    options,
    async ({ page }) => {
      await page.evaluate(countResources);
      const message = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const { addEventListener } = document;
        document.addEventListener = () => {
          throw new EvalError('no listeners');
        };
        const profiling = performance.profile({ sampleInterval: 1 });
        const { message } = await profiling.catch((error) => error);
        document.addEventListener = addEventListener;
        for (
          let left = resources();
          left.workers > left.endedWorkers || left.timers > 0;
          left = resources()
        ) {
          await new Promise((resolve) => setTimeout(resolve));
        }
        return message;
      });
      assert.match(message, /no listeners/);
      const { trace } = await profileBusy(page);
      assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
    },
  );
}

for (const probe of ['flag', 'shadow']) {
  const folders = { '/': instrumentedPages(probe) };
  const options = { path: '/busy.html', serve: { folders } };

  eachEngine(
    `${probe}: a page that overwrites the hook's functions during a session runs on, and that is counted`,
    options,
    async ({ page }) => {
      const { trace, losses, ran } = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        let ran = typeof busy(200);
        for (const name of ['e', 'l', 'r']) globalThis.__polyprof__[name] = 'garbage';
        ran += typeof busy(100);
        const trace = await profiler.stop();
        return { trace, losses: profiler.losses, ran };
      });
      assert.equal(ran, 'numbernumber');
      assert.ok(trace.samples.length * selfShares(trace).hotLoop > 80, folded(trace));
      // Shadow probes call nothing.
      if (probe === 'flag') assert.equal(losses.overwrittenHooks, 3);
      const next = await profileBusy(page);
      assert.ok(selfShares(next.trace).hotLoop > 0.5, folded(next.trace));
    },
  );

  for (const garbage of ['null', "'garbage'", '{}', '{ v: 1, f: [], s: 5 }']) {
    eachEngine(
      `${probe}: a page that replaces the hook by ${garbage} runs on, keeps its trace, and is told later`,
      options,
      async ({ page }) => {
        const { trace, losses, ran, next } = await page.evaluate(`(async () => {
          polyprof.install({ force: true });
          const profiler = await performance.profile({ sampleInterval: 1 });
          busy(200);
          globalThis.__polyprof__ = ${garbage};
          const ran = typeof busy(100);
          const trace = await profiler.stop();
          const next = await performance.profile({ sampleInterval: 1 }).then(
            (second) => second.stop().then(() => 'a profiler'),
            ({ name, message }) => name + ': ' + message,
          );
          return { trace, losses: profiler.losses, ran, next };
        })()`);
        assert.equal(ran, 'number');
        assert.ok(trace.samples.length * selfShares(trace).hotLoop > 100, folded(trace));
        assert.equal(losses.overwrittenHooks, 1);
        // Scripts that load later would make a new hook where there is none.
        assert.match(
          next,
          garbage === 'null' ? /^a profiler$/ : /^NotSupportedError: .*__polyprof__ is no hook/,
        );
      },
    );
  }

  eachEngine(
    `${probe}: a page that puts garbage into the list of scripts is profiled, and that is counted`,
    options,
    async ({ page }) => {
      const { trace, losses } = await page.evaluate(async () => {
        polyprof.install({ force: true });
        __polyprof__.s.push(null, 'garbage');
        const profiler = await performance.profile({ sampleInterval: 1 });
        __polyprof__.s.push(undefined);
        __polyprof__.s.push({});
        busy(200);
        return { trace: await profiler.stop(), losses: profiler.losses };
      });
      assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
      assert.equal(losses.unplacedScripts, 4);
    },
  );

  eachEngine(
    `${probe}: a frozen page has its trace when it is thawed`,
    { ...options, only: ['chromium'] },
    async ({ page, browser, server }) => {
      await page.evaluate(async () => {
        // A frozen page is a hidden one.
        polyprof.install({ force: true, pauseWhenHidden: false });
        globalThis.profiler = await performance.profile({ sampleInterval: 1 });
        busy(200);
        globalThis.frozen = new Promise((resolve) => document.addEventListener('freeze', resolve));
        globalThis.resumed = new Promise((resolve) => document.addEventListener('resume', resolve));
      });
      const session = await /** @type {Required<typeof page>} */ (page).devtools();
      await session.send('Page.setWebLifecycleState', { state: 'frozen' });
      // Time passes meanwhile.
      const other = await browser.open(server.url('/busy.html'));
      await other.evaluate(() => busy(3000));
      await other.close();
      await session.send('Page.setWebLifecycleState', { state: 'active' });
      const { trace, losses, ms } = await page.evaluate(async (samplesByItself) => {
        await frozen;
        await resumed;
        // The worker thaws on its own, and then says what it slept through.
        while (samplesByItself && profiler.losses.lostTicks === 0) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        busy(200);
        return { trace: await profiler.stop(), losses: profiler.losses, ms: performance.now() };
      }, probe === 'shadow');
      const hot = trace.samples.length * selfShares(trace).hotLoop;
      assert.ok(hot > 300 && hot < 1500, `${folded(trace)}\n${JSON.stringify(losses)}`);
      const counted = trace.samples.length + losses.workerlessTicks + losses.lostTicks;
      assert.ok(counted > 3300 && counted < ms, `${counted} of ${ms}: ${JSON.stringify(losses)}`);
      const next = await profileBusy(page, 'busy', { pauseWhenHidden: false });
      assert.ok(selfShares(next.trace).hotLoop > 0.5, folded(next.trace));
    },
  );
}
