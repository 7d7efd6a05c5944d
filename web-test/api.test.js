import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { assertInlineScripts } from './lib/inline_scripts.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime, profileBusy } from './lib/on_time.js';
import { folded, framesOf, IDLE, selfShares } from './lib/trace.js';

const folders = { '/': instrumentedPages() };
const busy = { path: '/busy.html', serve: { folders } };

eachEngine('a trace has exactly the shape of the specification', busy, async ({ page }) => {
  const trace = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 10_000 });
    busy(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return profiler.stop();
  });
  const members = (objects) => [...new Set(objects.flatMap(Object.keys))].sort();
  assert.deepEqual(Object.keys(trace).sort(), ['frames', 'resources', 'samples', 'stacks']);
  assert.deepEqual(members(trace.frames), ['column', 'line', 'name', 'resourceId']);
  assert.deepEqual(members(trace.stacks), ['frameId', 'parentId']);
  assert.deepEqual(members(trace.samples), ['marker', 'stackId', 'timestamp']);
  // The page is cross-origin isolated.
  assert.ok(trace.samples.every(({ stackId, marker }) => marker === (stackId >= 0 ? 'script' : undefined)));
  assert.ok(trace.stacks.some((stack) => !('parentId' in stack)));
  assert.ok(trace.samples.some((sample) => !('stackId' in sample)));
  trace.stacks.forEach(({ parentId = -1 }, id) =>
    assert.ok(parentId < id, 'a parent comes before its children'),
  );
  const seen = [...new Set(trace.samples.flatMap(({ stackId }) => stackId ?? []))];
  const maximum = (ids) => ids.reduce((a, b) => Math.max(a, b), -1);
  assert.ok(maximum(seen) === trace.stacks.length - 1, 'no stack that no sample needs');
});

eachEngine(
  'in a page that is not cross-origin isolated samples have no markers',
  { path: '/busy.html', serve: { folders, isolated: false } },
  async ({ page }) => {
    const trace = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      busy(100);
      return profiler.stop();
    });
    assert.ok(trace.samples.some(({ stackId }) => stackId >= 0));
    assert.ok(trace.samples.every((sample) => !('marker' in sample)));
  },
);

eachEngine(
  'what calls async functions is on the stack below them, and its own time is its own',
  { path: '/async_calls.html', serve: { folders } },
  async ({ page }) => {
    const trace = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      callAsync(20);
      return profiler.stop();
    });
    const paths = new Set(
      trace.samples.map(({ stackId }) =>
        framesOf(trace, stackId)
          .map(({ name }) => name)
          .join(),
      ),
    );
    assert.ok(paths.has('work,asyncWork,asyncCaller,callAsync'), folded(trace));
    assert.ok(paths.has('callAsync'), folded(trace));
  },
);

eachEngine('timestamps are relative to the time origin', busy, async ({ page }) => {
  const { trace, before, after, losses } = await onTime(() =>
    page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      const before = performance.now();
      busy(100);
      const after = performance.now();
      return { trace: await profiler.stop(), before, after, losses: profiler.losses };
    }),
  );
  const hot = trace.samples.filter(({ stackId }) =>
    framesOf(trace, stackId).some(({ name }) => name === 'hotLoop'),
  );
  const { lateTicks } = losses;
  assert.ok(hot.length > 50, `${lateTicks} late\n${folded(trace)}`);
  // What ran while the worker slept through ticks of 1 ms is known to the nearer look only.
  const slack = 1.5 + lateTicks;
  for (const { timestamp } of hot) {
    assert.ok(
      timestamp > before - slack && timestamp < after + slack,
      `${before} ${timestamp} ${after}, ${lateTicks} late`,
    );
  }
});

for (const probe of ['flag', 'shadow']) {
  eachEngine(
    `${probe}: samples are on the time line of the page, though the system’s clock was set since it loaded`,
    { path: '/plain.html', serve: { folders: { '/': instrumentedPages(probe) } } },
    async ({ page }) => {
      for (const setBy of [5000, -5000]) {
        const measure = async (/** @type {number} */ setBy) => {
          // As WebKit does when the clock is set.
          const { prototype } = Performance;
          const usual = Object.getOwnPropertyDescriptor(prototype, 'timeOrigin');
          const get = () => usual.get.call(performance) - setBy;
          Object.defineProperty(prototype, 'timeOrigin', { get, configurable: true });
          const { install } = await import(`/dist/polyprof.mjs?${setBy}`);
          Object.defineProperty(prototype, 'timeOrigin', usual);
          install({ force: true });
          const before = performance.now();
          const profiler = await performance.profile({ sampleInterval: 1 });
          busy(100);
          const trace = await profiler.stop();
          return { trace, before, after: performance.now(), losses: profiler.losses };
        };
        const { trace, before, after, losses } = await onTime(() => page.evaluate(measure, setBy));
        const told = `set by ${setBy}, from ${before} to ${after}: ${JSON.stringify(losses)} ${folded(trace)}`;
        assert.ok(trace.samples.length > 50, told);
        for (const { timestamp } of trace.samples) assert.ok(timestamp > before && timestamp < after, told);
        assert.ok(selfShares(trace).hotLoop > 0.3, told);
      }
    },
  );
}

eachEngine(
  'new Profiler() samples, says when its buffer is full, and still has the trace',
  busy,
  async ({ page }) => {
    const result = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = new Profiler({ sampleInterval: 1.5, maxBufferSize: 50 });
      const before = { stopped: profiler.stopped, interval: profiler.sampleInterval };
      const full = new Promise((resolve) => profiler.addEventListener('samplebufferfull', resolve));
      const finished = full.then((event) => ({ type: event.type, plain: event.constructor === Event }));
      let done = false;
      full.then(() => (done = true));
      while (!done) {
        busy(5);
        await new Promise((resolve) => setTimeout(resolve));
      }
      const stopped = profiler.stopped;
      const trace = await profiler.stop();
      const again = await profiler.stop().catch((error) => error.name);
      return { before, event: await finished, stopped, samples: trace.samples.length, again };
    });
    assert.deepEqual(result, {
      before: { stopped: false, interval: 2 },
      event: { type: 'samplebufferfull', plain: true },
      stopped: true,
      samples: 50,
      again: 'InvalidStateError',
    });
  },
);

eachEngine(
  'a buffer also fills up, and says so, while the page does nothing at all',
  busy,
  async ({ page }) => {
    const samples = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 2, maxBufferSize: 20 });
      await new Promise((resolve) => (profiler.onsamplebufferfull = resolve));
      return (await profiler.stop()).samples.length;
    });
    assert.equal(samples, 20);
  },
);

eachEngine("the draft's second stop() gives the same trace", busy, async ({ page }) => {
  const same = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const profiler = await performance.profile({ sampleInterval: 10 });
    const traces = await Promise.all([profiler.stop(), profiler.stop()]);
    return traces[0] === traces[1] && traces[0] === (await profiler.stop()) && profiler.stopped;
  });
  assert.equal(same, true);
});

eachEngine(
  'sessions one after the other are independent, and leave nothing armed',
  busy,
  async ({ page }) => {
    const result = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const sessions = [];
      for (let i = 0; i < 3; i++) {
        const profiler = await performance.profile({ sampleInterval: 1 });
        const start = performance.now();
        busy(100);
        const least = performance.now() - start;
        const { samples } = await profiler.stop();
        sessions.push({ samples: samples.length, least, most: performance.now() - start });
      }
      const before = globalThis.__polyprof__.f[0];
      busy(50);
      return { sessions, before, after: globalThis.__polyprof__.f[0] };
    });
    for (const { samples, least, most } of result.sessions) {
      assert.ok(samples > 0.7 * least && samples < 1.1 * most, JSON.stringify(result.sessions));
    }
    assert.deepEqual([result.before, result.after], [0, 0]);
  },
);

eachEngine('the module build installs the same API', { ...busy, path: '/module.html' }, async ({ page }) => {
  const { trace } = await profileBusy(page);
  assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
});

eachEngine(
  'a polyfill loaded after the instrumented code, and both loaded twice, profiles all the same',
  { ...busy, path: '/late.html' },
  async ({ page }) => {
    const { trace } = await profileBusy(page);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
    const { line, column } = trace.frames.find(({ name }) => name === 'hotLoop');
    assert.ok(line > 1 && column > 1);
  },
);

eachEngine(
  'inline scripts appear at their place in the page',
  { ...busy, path: '/inline.html' },
  async ({ page }) => assertInlineScripts(page),
);

eachEngine('a script that arrives during a session is profiled too', busy, async ({ page, browser }) => {
  const { trace } = await onTime(() =>
    page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      const script = Object.assign(document.createElement('script'), { src: 'busy.js?later' });
      await new Promise((resolve) => {
        script.onload = resolve;
        document.head.append(script);
      });
      busy(200);
      return { trace: await profiler.stop(), losses: profiler.losses };
    }),
  );
  const shares = selfShares(trace);
  // How long the script takes to arrive is the machine's affair.
  assert.ok(shares.hotLoop > 0.5 * (1 - (shares[IDLE] ?? 0)), folded(trace));
  const resource = trace.resources[trace.frames.find(({ name }) => name === 'hotLoop').resourceId];
  // JSC's stacks have addresses without their query.
  assert.match(resource, browser.name === 'webkit' ? /busy\.js$/ : /busy\.js\?later$/);
});

eachEngine(
  'in Chromium with the header the native Profiler is used, unless ours is forced',
  { ...busy, only: ['chromium'], serve: { folders, jsProfiling: true } },
  async ({ page }) => {
    const result = await page.evaluate(async () => {
      const native = Profiler;
      const first = await performance.profile({ sampleInterval: 10 });
      busy(300);
      const trace = await first.stop();
      const untouched = Profiler === native && /native code/.test(String(native));
      polyprof.install({ force: true });
      const second = await performance.profile({ sampleInterval: 10 });
      await second.stop();
      return { modes: [first.mode, second.mode], untouched, replaced: Profiler !== native, trace };
    });
    assert.deepEqual(result.modes, ['native', 'flag']);
    assert.equal(result.untouched, true);
    assert.equal(result.replaced, true);
    assert.ok(result.trace.frames.some(({ name }) => name === 'hotLoop'));
  },
);

eachEngine(
  'in Chromium without the header performance.profile() is ours',
  { ...busy, only: ['chromium'] },
  async ({ page }) => {
    const mode = await page.evaluate(async () => {
      const profiler = await performance.profile({ sampleInterval: 10 });
      await profiler.stop();
      return profiler.mode;
    });
    assert.equal(mode, 'flag');
  },
);
