import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime, profileBusy } from './lib/on_time.js';
import { folded, selfShares } from './lib/trace.js';

/** What pages do to the API on purpose or by accident. What a call alone shows is in web-test/conformance/. */

const folders = { '/': instrumentedPages() };
const busy = { path: '/busy.html', serve: { folders } };

eachEngine(
  'stop() during start-up resolves with a trace in which nothing ran, and leaves nothing armed',
  busy,
  async ({ page }) => {
    const result = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const outcome = [];
      for (const wait of [0, 1, 5, 20]) {
        const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 10 });
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
        const promise = profiler.stop();
        const trace = await promise;
        outcome.push(profiler.stopped && Array.isArray(trace.samples));
      }
      const first = new Profiler({ sampleInterval: 1, maxBufferSize: 10 });
      const { stacks, frames, resources } = await first.stop();
      const started = performance.profile({ sampleInterval: 1 });
      const other = new Profiler({ sampleInterval: 1, maxBufferSize: 10 });
      await other.stop();
      busy(100);
      const trace = await (await started).stop();
      return {
        outcome,
        empty: [stacks, frames, resources],
        later: trace.samples.length,
        flag: __polyprof__.f[0],
      };
    });
    assert.deepEqual(result.outcome, [true, true, true, true]);
    assert.deepEqual(result.empty, [[], [], []]);
    assert.equal(result.flag, 0);
  },
);

eachEngine('a page that froze or replaced `performance` is profiled', busy, async ({ page, server }) => {
  for (const attack of [
    () => Object.freeze(performance),
    () => {
      Object.freeze(performance);
      Object.freeze(Performance.prototype);
    },
    () => {
      globalThis.performance = { now: () => NaN, timeOrigin: 'gone' };
    },
    () => {
      Performance.prototype.now = () => -1;
    },
  ]) {
    const { trace } = await onTime(async () => {
      await page.goto(server.url('/busy.html'));
      return page.evaluate(`(async () => {
        polyprof.install({ force: true });
        const profile = Performance.prototype.profile.bind(performance);
        (${attack})();
        polyprof.install({ force: true });
        const profiler = await profile({ sampleInterval: 1, maxBufferSize: 10000 });
        await new Promise((resolve) => setTimeout(resolve));
        const work = () => { for (let i = 0; i < 1e5; i++) Math.sqrt(i); };
        for (const end = Date.now() + 300; Date.now() < end;) callInside(work);
        return { trace: await profiler.stop(), losses: profiler.losses };
      })()`);
    });
    assert.ok(trace.samples.length > 20, `${attack}\n${folded(trace)}`);
    assert.ok(selfShares(trace).callInside > 0.2, `${attack}\n${folded(trace)}`);
    const times = trace.samples.map(({ timestamp }) => timestamp);
    assert.ok(
      times.every((time, i) => time > 0 && (i === 0 || time >= times[i - 1])),
      `${attack}: ${times.slice(0, 5)}`,
    );
  }
});

eachEngine(
  'a page that navigates away while stop() runs arrives, and can come back',
  busy,
  async ({ page, server }) => {
    for (let round = 0; round < 3; round++) {
      await page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        busy(20);
        void profiler.stop();
        globalThis.trace = 'of the page that went';
      });
      await page.goto(server.url('/plain.html'));
      assert.equal(await page.evaluate(() => typeof trace), 'undefined');
      await page.goto(server.url('/busy.html'));
    }
    const { trace } = await profileBusy(page);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  },
);

eachEngine('a listener that throws is reported, and stops nobody', busy, async ({ page }) => {
  const result = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const reported = [];
    addEventListener('error', (event) => {
      reported.push(event.error.message);
      event.preventDefault();
    });
    const fail = () => {
      throw new Error('of a listener');
    };
    const profilers = await Promise.all(
      [1, 2].map(() => performance.profile({ sampleInterval: 1, maxBufferSize: 5 })),
    );
    profilers[0].addEventListener('samplebufferfull', fail);
    profilers[0].onsamplebufferfull = fail;
    await new Promise((resolve) => (profilers[1].onsamplebufferfull = resolve));
    const traces = await Promise.all(profilers.map((profiler) => profiler.stop()));
    return { reported, counts: traces.map(({ samples }) => samples.length) };
  });
  assert.deepEqual(result, { reported: ['of a listener', 'of a listener'], counts: [5, 5] });
});

eachEngine('a listener may stop its profiler and start another', busy, async ({ page }) => {
  const counts = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const counts = [];
    await new Promise((resolve) => {
      const start = () => {
        const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 4 });
        profiler.addEventListener('samplebufferfull', async () => {
          const { samples } = await profiler.stop();
          if (counts.push(samples.length) < 3) start();
          else resolve();
        });
      };
      start();
    });
    return counts;
  });
  assert.deepEqual(counts, [4, 4, 4]);
});
