import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrument } from '../instrumenter/instrument.js';
import { BUILDS } from './lib/builds.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { FOLDERS } from './lib/folders.js';
import { instrumentedPages } from './lib/instrumented.js';
import { isTrace } from './lib/posted.js';
import { serve } from './lib/server.js';
import { folded, framesOf, selfShares } from './lib/trace.js';

/** Who may profile, and what traces must not show. */

const folders = { '/': instrumentedPages() };
const busy = { path: '/busy.html', serve: { folders, isolated: false } };

/** In a page or a frame: what each call gives. @param {object} options */
async function tryBoth(options) {
  const { polyprof, performance } = /** @type {any} */ (globalThis);
  polyprof.install({ force: true, ...options });
  const outcome = [];
  try {
    const profiler = new /** @type {any} */ (globalThis).Profiler({ sampleInterval: 10, maxBufferSize: 10 });
    outcome.push(typeof (await profiler.stop()).samples);
  } catch (error) {
    outcome.push([error.name, error.message.includes('disabled by Document Policy'), error instanceof Error]);
  }
  outcome.push(
    await performance.profile({ sampleInterval: 10 }).then(
      async (profiler) => typeof (await profiler.stop()).samples,
      (error) => error.name,
    ),
  );
  return outcome;
}

const ALLOWED = ['object', 'object'];
const DENIED = [['NotAllowedError', true, true], 'SecurityError'];

eachEngine("a page may profile unless install({policy: 'deny'})", busy, async ({ page }) => {
  assert.deepEqual(await page.evaluate(tryBoth, {}), ALLOWED);
  assert.deepEqual(await page.evaluate(tryBoth, { policy: 'deny' }), DENIED);
  assert.deepEqual(await page.evaluate(tryBoth, { policy: 'self' }), ALLOWED);
  const error = await page.evaluate(() => {
    try {
      polyprof.install({ policy: 'sometimes' });
    } catch ({ name, message }) {
      return `${name}: ${message}`;
    }
  });
  assert.match(error, /^TypeError: .*policy must be 'self', 'allow' or 'deny'/);
  assert.deepEqual(await page.evaluate(tryBoth, {}), ALLOWED, 'and changed nothing');
});

eachEngine(
  'a frame of the same origin may profile; one of another origin, or in a sandbox, if its build allows it',
  busy,
  async ({ page, server }) => {
    const other = await serve({ folders: { ...FOLDERS, ...folders }, isolated: false });
    try {
      // A script of the frame's own says what it found.
      const body = `<!doctype html><script src="/dist/polyprof.js"></script><script>
        addEventListener('message', async ({ data }) => parent.postMessage(await (${tryBoth})(data), '*'));
        parent.postMessage('there', '*');
      </script>`;
      const html = { body, headers: { 'Content-Type': 'text/html', 'Access-Control-Allow-Origin': '*' } };
      for (const each of [server, other]) each.override('/frame.html', html);
      const outcomes = await page.evaluate(
        async (frames) => {
          const outcomes = [];
          for (const { src, sandbox, options } of frames) {
            const frame = Object.assign(document.createElement('iframe'), { src });
            if (sandbox) frame.setAttribute('sandbox', sandbox);
            const next = () => new Promise((resolve) => addEventListener('message', resolve, { once: true }));
            const there = next();
            document.body.append(frame);
            await there;
            const outcome = next();
            frame.contentWindow.postMessage(options, '*');
            outcomes.push((await outcome).data);
            frame.remove();
          }
          return outcomes;
        },
        [
          { src: server.url('/frame.html'), options: {} },
          { src: other.url('/frame.html'), options: {} },
          { src: other.url('/frame.html'), options: { policy: 'allow' } },
          { src: server.url('/frame.html'), sandbox: 'allow-scripts', options: {} },
        ],
      );
      assert.deepEqual(outcomes, [ALLOWED, DENIED, ALLOWED, DENIED]);
    } finally {
      await other.close();
    }
  },
);

eachEngine(
  'a frame without an address of its own is profiled as the page that made it, and relative addresses are that page’s',
  busy,
  async ({ page }) => {
    const trace = await page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<script src="/dist/polyprof.js"></script><script src="/busy.js"></script>';
      await new Promise((resolve) => {
        frame.onload = resolve;
        document.body.append(frame);
      });
      const inside = /** @type {any} */ (frame.contentWindow);
      inside.polyprof.install({ force: true, baseUrl: '/dist/' });
      const profiler = await inside.performance.profile({ sampleInterval: 1 });
      await inside.polyprof.sendOnHide(profiler, '/closed').ready;
      inside.busy(200);
      return profiler.stop();
    });
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  },
);

for (const jsProfiling of [true, false]) {
  eachEngine(
    `in Chromium ${jsProfiling ? 'with' : 'without'} the header, force: 'denied' ${jsProfiling ? 'leaves the native Profiler' : 'puts ours in its place'}`,
    { path: '/busy.html', only: ['chromium'], serve: { folders, jsProfiling } },
    async ({ page }) => {
      const outcome = await page.evaluate(async () => {
        const native = Profiler;
        let before = 'a profiler';
        try {
          await new Profiler({ sampleInterval: 10, maxBufferSize: 10 }).stop();
        } catch (error) {
          before = error.name;
        }
        polyprof.install({ force: 'denied' });
        const trace = await new Profiler({ sampleInterval: 10, maxBufferSize: 10 }).stop();
        const draft = await performance.profile({ sampleInterval: 10 });
        await draft.stop();
        return { before, stays: Profiler === native, samples: typeof trace.samples, mode: draft.mode };
      });
      assert.deepEqual(
        outcome,
        jsProfiling
          ? { before: 'a profiler', stays: true, samples: 'object', mode: 'native' }
          : { before: 'NotAllowedError', stays: false, samples: 'object', mode: 'flag' },
      );
    },
  );
}

/**
 * @param {string} name of a global function that works for some ms, then calls another one. Its forced sample has it in the trace for certain: on
 *   a crowded machine all of its ticks may be late, and go to what ran before or after it.
 */
const worker = (name) => `globalThis.${name} = function ${name}(ms, inner) {
  const end = performance.now() + ms;
  let heat = 1;
  while (performance.now() < end) heat = (Math.imul(heat, 1664525) + 1) | 0;
  globalThis.polyprof?.forceSample();
  if (inner) heat ^= inner();
  return heat;
};`;

const NAMES = ['own', 'leaf', 'opaque', 'shared', 'module', 'redirected', 'ofFrame', 'inBlob', 'inData'];

/** A script per name. @param {string} probe */
function scriptsWith(probe) {
  const { path } = temporaryFolder();
  for (const name of NAMES) {
    const file = `${name}.js`;
    const { code, table } = instrument(worker(name), { file, probe, minWeight: 0 });
    writeFileSync(join(path, file), code);
    writeFileSync(join(path, `${file}.ppft`), table ?? '');
  }
  writeFileSync(join(path, 'frame.html'), '<!doctype html><script src="ofFrame.js"></script>');
  return path;
}

/** In the page. @param {string} other origin */
async function loadAll(other) {
  const page = /** @type {any} */ (globalThis);
  const load = (/** @type {object} */ attributes) =>
    new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement('script'), attributes);
      Object.assign(script, { onload: resolve, onerror: () => reject(new Error(script.src)) });
      document.head.append(script);
    });
  const textOf = async (/** @type {string} */ file) => (await fetch(file)).text();
  for (const src of ['own.js', 'leaf.js', 'redirect.js', `${other}/opaque.js`]) await load({ src });
  await load({ src: `${other}/shared.js`, crossOrigin: 'anonymous' });
  await load({ src: `${other}/module.js`, type: 'module' });
  await load({
    src: URL.createObjectURL(new Blob([await textOf('inBlob.js')], { type: 'text/javascript' })),
  });
  await load({ src: `data:text/javascript,${encodeURIComponent(await textOf('inData.js'))}` });
  const frame = Object.assign(document.createElement('iframe'), { src: 'frame.html' });
  await new Promise((resolve) => {
    frame.onload = resolve;
    document.body.append(frame);
  });
  page.ofFrame = /** @type {any} */ (frame.contentWindow).ofFrame;
  // As extensions inject theirs.
  const injected = document.createElement('script');
  injected.textContent =
    'globalThis.injected = function injected(ms, inner) { return inner(); }\n//# sourceURL=chrome-extension://abc/injected.js';
  document.head.append(injected);
}

/** In the page. @param {'elide' | 'mark'} unknown */
async function profileAll(unknown) {
  const page = /** @type {any} */ (globalThis);
  page.polyprof.install({ force: true, unknown });
  const profiler = await page.performance.profile({ sampleInterval: 1 });
  const names = ['opaque', 'shared', 'module', 'redirected', 'ofFrame', 'injected', 'inBlob', 'inData'];
  for (const name of names) page.own(10, () => page[name](30, () => page.leaf(30)));
  return profiler.stop();
}

for (const probe of ['flag', 'shadow']) {
  const site = scriptsWith(probe);
  for (const unknown of /** @type {const} */ (['elide', 'mark'])) {
    const instead = unknown === 'mark' ? 'one frame stands for' : 'nothing stands for';
    eachEngine(
      `${probe}: ${instead} what other origins don't share, other realms, and injected scripts`,
      { path: '/harness/blank.html', serve: { folders: { '/': site } } },
      async ({ page, server }) => {
        const shared = { headers: { 'Access-Control-Allow-Origin': '*' } };
        const other = await serve({
          folders: { '/': site },
          headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
          overrides: Object.fromEntries(
            ['shared', 'module'].flatMap((name) => [
              [`/${name}.js`, shared],
              [`/${name}.js.ppft`, shared],
            ]),
          ),
        });
        server.override('/redirect.js', {
          status: 302,
          headers: { Location: other.url('/redirected.js') },
        });
        server.override('/page.html', {
          body: '<!doctype html><body><script src="/dist/polyprof.js"></script>',
          headers: { 'Content-Type': 'text/html' },
        });
        try {
          await page.goto(server.url('/page.html'));
          await page.evaluate(loadAll, other.origin);
          const trace = await page.evaluate(profileAll, unknown);
          // Most are the ticks of those 560 ms, not the 24 that were forced.
          assert.ok(trace.samples.length > 240, folded(trace));
          const names = new Set(trace.frames.map((/** @type {any} */ { name }) => name));
          for (const name of ['own', 'leaf', 'shared', 'module']) {
            assert.ok(names.has(name), `${name}\n${folded(trace)}`);
          }
          // These have no address that a function table could be beside.
          for (const scheme of [/^blob:/, /^data:/]) {
            assert.ok(
              trace.resources.some((/** @type {string} */ resource) => scheme.test(resource)),
              `${scheme}\n${folded(trace)}`,
            );
          }
          for (const name of ['opaque', 'redirected', 'ofFrame', 'injected']) {
            assert.ok(!names.has(name), `${name}\n${folded(trace)}`);
          }
          assert.equal(names.has('unknown'), unknown === 'mark');
          for (const resource of trace.resources) {
            assert.doesNotMatch(resource, /opaque|redirect|ofFrame|extension|pptr/);
          }
          const paths = new Set(
            trace.samples.map(({ stackId }) =>
              framesOf(trace, stackId)
                .map(({ name }) => name)
                .join(),
            ),
          );
          const direct = [...paths].filter(
            (path) => path.startsWith('leaf,') && !/shared|module|in[BD]|,,/.test(path),
          );
          // The shadow stack has nothing of code without its probes, and nothing of other realms.
          const expected = {
            'flag elide': ['leaf,own'],
            'flag mark': ['leaf,unknown,own'],
            'shadow elide': ['leaf,own'],
            'shadow mark': ['leaf,own', 'leaf,unknown,own'],
          }[`${probe} ${unknown}`];
          // With flag probes the test's own code is unknown, too.
          const found = new Set(direct.map((path) => path.replace(/,unknown$/, '')));
          assert.deepEqual([...found].sort(), expected, folded(trace));
        } finally {
          await other.close();
        }
      },
    );
  }
}

/** In the page, which profiles: loads a script that another origin does not share, and calls it. @param {string} src */
async function callOpaque(src) {
  const page = /** @type {any} */ (globalThis);
  page.rejections = [];
  addEventListener('unhandledrejection', ({ reason }) => page.rejections.push(String(reason)));
  page.polyprof.install({ force: true });
  page.profiler = await page.performance.profile({ sampleInterval: 1 });
  await page.polyprof.sendOnHide(page.profiler, '/traces').ready.catch(() => {});
  await new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject });
    document.head.append(script);
  });
  page.busy(50);
  page.opaque(100);
}

for (const { name, probe, serve: serveOptions } of BUILDS) {
  const opaque = {
    folders: { '/': scriptsWith(probe) },
    headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
  };
  const options = { path: '/busy.html', serve: serveOptions };

  eachEngine(
    `with ${name}, a page that is left before anybody knows whether a script is shared sends nothing of it`,
    options,
    async ({ page, server }) => {
      let answerTable = () => {};
      const after = new Promise((resolve) => (answerTable = () => resolve(undefined)));
      const other = await serve({ ...opaque, overrides: { '/opaque.js.ppft': { after } } });
      try {
        await page.evaluate(callOpaque, other.url('/opaque.js'));
        await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
        const { body } = await server.request(isTrace);
        const trace = JSON.parse(body.toString());
        assert.ok(trace.samples.length > 20);
        assert.ok(!/opaque/.test(JSON.stringify([trace.frames, trace.resources])), folded(trace));
      } finally {
        answerTable();
        await other.close();
      }
    },
  );

  eachEngine(
    `with ${name}, there is no trace where nobody can tell what the page may see, and that is said`,
    { ...options, serve: { ...serveOptions, overrides: { '/dist/polyprof-extra.js': { status: 404 } } } },
    async ({ page }) => {
      const other = await serve(opaque);
      try {
        await page.evaluate(callOpaque, other.url('/opaque.js'));
        const { outcome, rejections } = await page.evaluate(async () => ({
          outcome: await profiler.stop().then(JSON.stringify, String),
          rejections,
        }));
        assert.match(
          outcome,
          /^NotSupportedError: .*polyprof-extra\.js did not load: put it beside polyprof\.js/,
        );
        assert.deepEqual(rejections, []);
      } finally {
        await other.close();
      }
    },
  );
}

eachEngine("a page whose policy is 'deny' is not watched either", busy, async ({ page }) => {
  const reason = await page.evaluate(async () => {
    polyprof.install({ force: true, policy: 'deny' });
    return polyprof.watch({ threshold: 100, report() {} }).then(String, String);
  });
  assert.match(reason, /^SecurityError: .*disabled by Document Policy/);
});

eachEngine(
  'reports of watch() show nothing of a script that came from elsewhere while the worker started',
  { path: '/busy.html', serve: { folders: { '/': instrumentedPages('shadow') } } },
  async ({ page, server }) => {
    const other = await serve({
      folders: { '/': scriptsWith('shadow') },
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
    });
    let start = () => {};
    const after = new Promise((resolve) => (start = () => resolve(undefined)));
    server.override('/dist/polyprof-watch.js', { after });
    try {
      await page.evaluate(() => {
        globalThis.watching = polyprof.watch({ threshold: 100, report: '/stalls' });
      });
      await server.request(({ path }) => path === '/dist/polyprof-watch.js');
      await page.evaluate(async (src) => {
        await new Promise((resolve, reject) => {
          document.head.append(
            Object.assign(document.createElement('script'), { src, onload: resolve, onerror: reject }),
          );
        });
        // Refused after the same request of ours was.
        await fetch(`${src}.ppft`).catch(() => {});
      }, other.url('/opaque.js'));
      start();
      await page.evaluate(async () => {
        globalThis.watching = await watching;
        // On a busy machine the worker sleeps through part of one, and part of it is all that it tells.
        globalThis.stalls = setInterval(() => callInside(() => opaque(600)), 700);
      });
      const { body } = await server.request(
        (request) => request.path === '/stalls' && /"ended".*"ms":([5-9]\d\d|\d{4})/.test(`${request.body}`),
      );
      assert.ok(!/opaque/.test(body.toString()), body.toString());
      await page.evaluate(() => {
        clearInterval(stalls);
        return watching.stop();
      });
    } finally {
      start();
      await other.close();
    }
  },
);
