import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { checkTrace } from '../report/reading/check_trace.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { onTime, undisturbed } from './lib/on_time.js';
import { folded, framesOf, IDLE, selfShares } from './lib/trace.js';

const flag = { '/': instrumentedPages() };
const shadow = { '/': instrumentedPages('shadow') };

/** In the page: a worker whose script has no address. */
const fromBlob = (/** @type {string} */ before = '') => {
  const scripts = ['nesting.js', 'dist/polyprof.js', 'busy.js', 'profile_in_worker.js'];
  const loads = scripts.map((path) => `importScripts('${new URL(path, location.origin)}');`);
  // The first one wants to have what is gone then.
  loads.splice(1, 0, before);
  return new Worker(URL.createObjectURL(new Blob(loads, { type: 'text/javascript' })));
};

/** How a page can start a worker that profiles itself; each runs in the page. */
const KINDS = {
  classic: () => new Worker('/classic_worker.js'),
  module: () => new Worker('/module_worker.mjs', { type: 'module' }),
  'module blob': () => {
    const code = `import '${new URL('/module_worker.mjs', location.href)}';`;
    return new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' });
  },
  nested: () => new Worker('/nested_worker.js'),
  blob: fromBlob,
};

const STARTS = {
  ...KINDS,
  // As shared workers are, which in WebKit are isolated now and then.
  alone: `() => (${fromBlob})('delete globalThis.Worker;')`,
  // As what was written for pages wants it.
  'with a window': `() => (${fromBlob})('globalThis.window = globalThis; globalThis.document = {};')`,
};

/**
 * Runs in the page. Firefox 153 now and then never returns from `new Worker()` in a worker, also with nothing of ours in it: then,
 * and only then, another one is asked.
 * @param {() => Worker} start
 * @param {object} message for pages/profile_in_worker.js
 */
async function askWorker(start, message) {
  const ask = () =>
    new Promise((resolve, reject) => {
      const worker = start();
      const nesting = new BroadcastChannel('nesting');
      let timer;
      const settle = (call, value) => {
        clearTimeout(timer);
        nesting.close();
        worker.terminate();
        call(value);
      };
      // Also those of other workers at the same time.
      let making = 0;
      nesting.onmessage = ({ data }) => {
        making += data === 'making' ? 1 : -1;
        clearTimeout(timer);
        if (making > 0) timer = setTimeout(() => settle(resolve), 5000);
      };
      worker.onerror = (event) => settle(reject, new Error(event.message ?? 'the worker did not start'));
      worker.onmessage = ({ data }) => settle(resolve, data);
      worker.postMessage(message);
    });
  return (await ask()) ?? (await ask()) ?? ask();
}

/**
 * @param {import('./lib/browsers.js').Page} page
 * @param {keyof typeof STARTS} kind
 * @param {object} message for pages/profile_in_worker.js
 */
async function profileWorker(page, kind, message) {
  const ask = async () => {
    const answer = await answerOf(page, kind, message);
    assert.equal(answer.error, undefined);
    return answer;
  };
  // What the constructor makes does not tell its losses, but the page tells how long it had no processor.
  const stalled = ({ trace, stalledMs }) =>
    stalledMs > 0.3 * trace.samples.length && `${stalledMs} ms of stalls`;
  return message.api === 'constructor' ? undisturbed(ask, stalled) : onTime(ask);
}

/** @param {import('./lib/browsers.js').Page} page @param {keyof typeof STARTS} kind @param {object} message */
function answerOf(page, kind, message) {
  return page.evaluate(`(${askWorker})(${STARTS[kind]}, ${JSON.stringify(message)})`);
}

/**
 * Its own functions are there, at their places and times; it was idle for no more than it paused. Ticks for which the sampler woke late go to
 * what ran before or after them: so many may be where nothing of it ran.
 */
function assertProfiled({ trace, before, after, pausedMs, losses }, origin) {
  checkTrace(trace);
  const shares = selfShares(trace);
  const idle = Math.min(shares[IDLE] ?? 0, pausedMs / (after - before));
  const found = `paused for ${pausedMs} of ${after - before} ms\n${folded(trace)}`;
  assert.ok(shares.hotLoop > 0.5 * (1 - idle), found);
  const hot = trace.frames.find(({ name }) => name === 'hotLoop');
  assert.deepEqual(
    [trace.resources[hot.resourceId], hot.line, hot.column > 1],
    [`${origin}/busy.js`, 3, true],
  );
  const times = trace.samples
    .filter(({ stackId }) => framesOf(trace, stackId)[0]?.name === 'hotLoop')
    .map(({ timestamp }) => timestamp);
  assert.ok(times.length > 50 * (1 - idle), found);
  const outside = times.filter((time) => time < before - 1.5 || time > after + 1.5);
  const late = losses?.lateTicks ?? 0;
  const told = `${before} ${times[0]} ${times.at(-1)} ${after}, ${outside.length} outside, ${late} late`;
  assert.ok(outside.length < times.length * 0.02 + late, told);
}

const options = { sampleInterval: 1, maxBufferSize: 10_000 };

for (const [probe, folders] of Object.entries({ flag, shadow })) {
  eachEngine(
    `with ${probe} probes, classic, module, blob and nested workers profile themselves, in Firefox without a worker more`,
    { serve: { folders } },
    async ({ browser, page, server }) => {
      for (const kind of /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS))) {
        if (probe === 'shadow' && browser.name === 'firefox') {
          const { error } = await answerOf(page, kind, { options, ms: 200 });
          assert.match(error, /^NotSupportedError: .*shadow probes need install\(\{ worker: true \}\)/);
          continue;
        }
        const answer = await profileWorker(page, kind, { options, ms: 200 });
        assertProfiled(answer, server.origin);
        const isTicking = answer.isolated && browser.name !== 'firefox';
        assert.equal(answer.mode, isTicking ? probe : 'self-timed', kind);
      }
    },
  );

  if (probe === 'flag') {
    eachEngine(
      'a worker that cannot start others, as shared ones, is sampled by its own clock',
      { serve: { folders } },
      async ({ page, server }) => {
        const answer = await profileWorker(page, 'alone', { options, ms: 200 });
        assertProfiled(answer, server.origin);
        assert.equal(answer.mode, 'self-timed');
      },
    );
  }

  eachEngine(
    `with ${probe} probes a worker profiles itself that calls itself a window, and has something for a document`,
    { serve: { folders } },
    async ({ browser, page, server }) => {
      const worker = probe === 'shadow' && browser.name === 'firefox' ? true : undefined;
      const answer = await profileWorker(page, 'with a window', { options, ms: 200, worker });
      assertProfiled(answer, server.origin);
    },
  );

  eachEngine(
    `with ${probe} probes and { worker: true } a worker is sampled by another one, also in Firefox`,
    { serve: { folders } },
    async ({ page, server }) => {
      const answer = await profileWorker(page, 'classic', { options, ms: 200, worker: true });
      assertProfiled(answer, server.origin);
      assert.equal(answer.mode, probe);
    },
  );
}

eachEngine(
  'a trace of a worker is packed, in Firefox without a worker more',
  { serve: { folders: flag } },
  async ({ page }) => {
    const message = { options, ms: 200, format: 'json-gzip' };
    const { trace, error } = await page.evaluate(
      async (ask) => {
        const { trace, error } = await eval(ask);
        return { error, trace: trace && Array.from(new Uint8Array(trace)) };
      },
      `(${askWorker})(${KINDS.classic}, ${JSON.stringify(message)})`,
    );
    assert.equal(error, undefined);
    checkTrace(JSON.parse(gunzipSync(Uint8Array.from(trace)).toString()));
  },
);

eachEngine(
  'watch() and sendOnHide() say in a worker that they are of a page',
  { serve: { folders: flag } },
  async ({ page }) => {
    for (const asked of [{ watch: { threshold: 1000 } }, { hide: '/traces' }]) {
      const { error } = await answerOf(page, 'classic', { options, ms: 1, ...asked });
      assert.match(error, /^NotSupportedError: .*is of a page/);
    }
  },
);

eachEngine(
  'in a page that is not isolated, workers profile themselves too',
  { serve: { folders: flag, isolated: false } },
  async ({ page, server }) => {
    const answer = await profileWorker(page, 'module', { options: { sampleInterval: 1 }, ms: 200 });
    assertProfiled(answer, server.origin);
    assert.equal(answer.mode, 'self-timed');
  },
);

eachEngine('workers have the constructor too', { serve: { folders: flag } }, async ({ page, server }) => {
  const options = { sampleInterval: 1, maxBufferSize: 100 };
  const answer = await profileWorker(page, 'classic', { options, api: 'constructor' });
  assertProfiled(answer, server.origin);
  assert.equal(answer.isProfiler, true);
});

eachEngine(
  'a worker and its page, and two workers, profile themselves at the same time',
  { path: '/busy.html', serve: { folders: flag } },
  async ({ page, server }) => {
    await page.evaluate(`globalThis.askWorker = ${askWorker}`);
    const { mine, answers } = await onTime(async () => {
      const { mine, answers } = await page.evaluate(async (options) => {
        polyprof.install({ force: true });
        const profiler = await performance.profile(options);
        // With pauses: two cores have to do for all three, and for those that tick.
        const answered = [1, 2].map(() =>
          askWorker(() => new Worker('/classic_worker.js'), { options, ms: 600, pauseMs: 20 }),
        );
        for (let i = 0; i < 20; i++) {
          busy(10);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return { answers: await Promise.all(answered), mine: await profiler.stop() };
      }, options);
      for (const { error } of answers) assert.equal(error, undefined);
      const disturbed = ({ losses, stalledMs }) => losses.lateTicks + stalledMs;
      const [worst] = answers.sort((a, b) => disturbed(b) - disturbed(a));
      return { ...worst, mine, answers };
    });
    for (const answer of answers) assertProfiled(answer, server.origin);
    assert.ok(
      mine.frames.some(({ name }) => name === 'hotLoop'),
      folded(mine),
    );
  },
);
