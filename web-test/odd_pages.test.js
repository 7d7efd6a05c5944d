import assert from 'node:assert/strict';
import { checkTrace } from '../report/reading/check_trace.js';
import { BUILDS } from './lib/builds.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { profileBusy } from './lib/on_time.js';
import { folded, selfShares } from './lib/trace.js';

/** Pages that make something else of what the language and the browser give them, before the polyfill loads or after. */

/** @param {string} script that is the first one of the page @returns {import('./lib/server.js').Override} */
const beginningWith = (script) => ({
  body: `<!doctype html><script>
    globalThis.rejections = [];
    addEventListener('unhandledrejection', ({ reason }) => rejections.push(String(reason)));
    ${script}
  </script><script src="/dist/polyprof.js"></script><script src="busy.js"></script>`,
  headers: { 'Content-Type': 'text/html' },
});

/** What pages do with `Error` before all else, and what then stays true. @type {Record<string, [script: string, stays: string]>} */
const ERRORS = {
  'wants no stacks': ['Error.stackTraceLimit = 0', 'Error.stackTraceLimit === 0'],
  'wants all of each stack': ['Error.stackTraceLimit = Infinity', 'Error.stackTraceLimit === Infinity'],
  'knows no limit of stacks': ['delete Error.stackTraceLimit', 'Error.stackTraceLimit === undefined'],
  'has another form of stacks': [
    'globalThis.form = Error.prepareStackTrace = (error, sites) => sites',
    'Error.prepareStackTrace === form',
  ],
  'has errors that look like those of other browsers': [
    "Error.prototype.line = 0; Object.prototype.fileName = ''",
    'Error.prototype.line === 0',
  ],
};

/** As SES has it in WebKit: what makes an error is on top of its stack. Scripts then seem to be where this page is. */
const OWN_ERROR = `const Plain = Error;
  globalThis.Error = function Tamed(...args) { return Reflect.construct(Plain, args, new.target ?? Tamed); };
  Error.prototype = Plain.prototype;`;

for (const { name, serve } of BUILDS) {
  for (const [what, [script, stays]] of Object.entries(ERRORS)) {
    eachEngine(
      `with ${name}, a page that ${what} is profiled, and keeps that`,
      { path: '/odd.html', serve: { ...serve, overrides: { '/odd.html': beginningWith(script) } } },
      async ({ page }) => {
        await page.evaluate(() => polyprof.install({ force: true }));
        const { trace, losses } = await profileBusy(page);
        assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
        assert.deepEqual([losses.unplacedScripts, losses.truncatedStacks], [0, 0]);
        assert.ok(await page.evaluate(stays));
      },
    );
  }

  eachEngine(
    `with ${name}, a page whose errors have a function of its own on their stacks is profiled, or told what is lost`,
    { path: '/odd.html', serve: { ...serve, overrides: { '/odd.html': beginningWith(OWN_ERROR) } } },
    async ({ page }) => {
      const { trace, losses } = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        busy(200);
        return { trace: await profiler.stop(), losses: profiler.losses };
      });
      const seen = trace.samples.filter(({ stackId }) => stackId !== undefined).length;
      assert.ok(seen + losses.lostTicks > 100, `${seen} samples, ${JSON.stringify(losses)}`);
    },
  );

  eachEngine(
    `with ${name}, a page that froze Error is profiled, again and again`,
    { path: '/busy.html', serve },
    async ({ page }) => {
      await page.evaluate(() => {
        polyprof.install({ force: true });
        Object.freeze(Error);
      });
      for (let i = 0; i < 2; i++) {
        const { trace, losses } = await profileBusy(page);
        assert.ok(trace.samples.length > 100, folded(trace));
        assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
        assert.ok(losses.lostTicks < 20, JSON.stringify(losses));
      }
      assert.equal(await page.evaluate(() => globalThis.__polyprof__.f[0]), 0, 'nobody samples');
    },
  );
}

const folders = { '/': instrumentedPages() };
const busy = { path: '/busy.html', serve: { folders } };

eachEngine('a page that replaced Event hears of full buffers', busy, async ({ page }) => {
  const full = await page.evaluate(async () => {
    polyprof.install({ force: true });
    globalThis.Event = function Event() {};
    const profilers = [1, 2].map(() => new Profiler({ sampleInterval: 1, maxBufferSize: 20 }));
    profilers.push(await performance.profile({ sampleInterval: 1, maxBufferSize: 20 }));
    const events = profilers.map(
      (profiler) => new Promise((resolve) => profiler.addEventListener('samplebufferfull', resolve)),
    );
    busy(100);
    const types = (await Promise.all(events)).map(({ type }) => type);
    return { types, stopped: profilers.map(({ stopped }) => stopped) };
  });
  assert.deepEqual(full, { types: Array(3).fill('samplebufferfull'), stopped: [true, true, true] });
});

eachEngine(
  'a page that has a Profiler of its own keeps it, and is profiled by the other name',
  {
    path: '/odd.html',
    serve: {
      folders,
      overrides: { '/odd.html': beginningWith('globalThis.Profiler = globalThis.own = function () {}') },
    },
  },
  async ({ page }) => {
    const { isOwn, mode, trace, isOurs } = await page.evaluate(async () => {
      const isOwn = Profiler === own;
      const profiler = await performance.profile({ sampleInterval: 1 });
      busy(100);
      const { mode } = profiler;
      const trace = await profiler.stop();
      polyprof.install({ force: true });
      return { isOwn, mode, trace, isOurs: Profiler !== own && 'stop' in Profiler.prototype };
    });
    assert.deepEqual([isOwn, isOurs, mode], [true, true, 'flag']);
    checkTrace(trace);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  },
);

eachEngine(
  'an element that is called polyprof is not taken for the polyfill',
  {
    path: '/odd.html',
    serve: {
      folders,
      jsProfiling: true,
      overrides: {
        '/odd.html': {
          body: '<!doctype html><p id="polyprof"></p><script>globalThis.before = globalThis.Profiler</script><script src="/dist/polyprof.js"></script>',
          headers: { 'Content-Type': 'text/html' },
        },
      },
    },
  },
  async ({ page, browser }) => {
    const { version, stays } = await page.evaluate(() => ({
      version: typeof polyprof.version,
      stays: globalThis.Profiler === before,
    }));
    assert.equal(version, 'string');
    assert.equal(stays, browser.name === 'chromium');
  },
);

eachEngine(
  'without the file for what few pages need, sendOnHide says so to who asks, and to nobody else',
  {
    path: '/odd.html',
    serve: {
      folders,
      overrides: { '/odd.html': beginningWith(''), '/dist/polyprof-extra.js': { status: 404 } },
    },
  },
  async ({ page }) => {
    const { reason, rejections } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      polyprof.sendOnHide(profiler, '/traces')();
      const { ready } = polyprof.sendOnHide(profiler, '/traces');
      const reason = await ready.then(String, String);
      await profiler.stop();
      return { reason, rejections };
    });
    assert.match(reason, /^NotSupportedError: .*polyprof-extra\.js did not load: put it beside polyprof\.js/);
    assert.deepEqual(rejections, []);
  },
);

eachEngine('an interval that no timer could count is one tick that never comes', busy, async ({ page }) => {
  const { samples, losses } = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const profiler = await performance.profile({ sampleInterval: 2 ** 40 });
    busy(100);
    const { samples } = await profiler.stop();
    return { samples, losses: profiler.losses };
  });
  assert.deepEqual(samples, []);
  assert.deepEqual(
    Object.entries(losses).filter(([, count]) => count !== 0),
    [],
  );
});
