import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SESSION_FILES } from '../instrumenter/files/dist_files.js';
import { version } from '../polyfill/version.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { profileBusy } from './lib/on_time.js';
import { folded, selfShares } from './lib/trace.js';

const pages = instrumentedPages();
const folders = { '/': pages };
const busy = { path: '/busy.html', serve: { folders } };

/** Profiles `busy` and tells how it went; the page must run on either way. @param {import('./lib/browsers.js').Page} page */
function tryToProfile(page) {
  return page.evaluate(async () => {
    polyprof.install({ force: true });
    let rejection;
    let trace;
    let losses;
    try {
      const profiler = await performance.profile({ sampleInterval: 1 });
      busy(200);
      trace = await profiler.stop();
      losses = profiler.losses;
    } catch (error) {
      rejection = { name: error.name, message: error.message };
    }
    const runsOn = typeof busy(10) === 'number' && globalThis.__polyprof__.f[0] === 0;
    return { rejection, trace, losses, runsOn };
  });
}

eachEngine('options that make no sense give the errors of the specification', busy, async ({ page }) => {
  const names = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const cases = {
      none: undefined,
      empty: {},
      noInterval: { maxBufferSize: 10 },
      noBuffer: { sampleInterval: 10 },
      negative: { sampleInterval: -1, maxBufferSize: 10 },
      nan: { sampleInterval: NaN, maxBufferSize: 10 },
      infinite: { sampleInterval: Infinity, maxBufferSize: 10 },
      word: { sampleInterval: 'soon', maxBufferSize: 10 },
      symbol: { sampleInterval: Symbol('x'), maxBufferSize: 10 },
      zeroInterval: { sampleInterval: 0, maxBufferSize: 10 },
      zeroBuffer: { sampleInterval: 10, maxBufferSize: 0 },
      negativeBuffer: { sampleInterval: 10, maxBufferSize: -1 },
      hugeBuffer: { sampleInterval: 10, maxBufferSize: 1e300 },
      longInterval: { sampleInterval: 1e300, maxBufferSize: 10 },
    };
    const outcome = {};
    for (const [name, options] of Object.entries(cases)) {
      try {
        const profiler = new Profiler(options);
        outcome[name] = [profiler.sampleInterval];
        await profiler.stop();
      } catch (error) {
        outcome[name] = [error.name];
      }
      outcome[name].push(
        await performance.profile(options).then(
          async (profiler) => (await profiler.stop(), 'a profiler'),
          (error) => error.name,
        ),
      );
    }
    return outcome;
  });
  assert.deepEqual(names, {
    none: ['TypeError', 'TypeError'],
    empty: ['TypeError', 'TypeError'],
    noInterval: ['TypeError', 'TypeError'],
    noBuffer: ['TypeError', 'a profiler'],
    negative: ['RangeError', 'RangeError'],
    nan: ['TypeError', 'TypeError'],
    infinite: ['TypeError', 'TypeError'],
    word: ['TypeError', 'TypeError'],
    symbol: ['TypeError', 'TypeError'],
    zeroInterval: [1, 'a profiler'],
    zeroBuffer: [10, 'a profiler'],
    negativeBuffer: [10, 'a profiler'],
    hugeBuffer: [10, 'a profiler'],
    longInterval: [2 ** 30, 'a profiler'],
  });
});

for (const files of [['polyprof.wasm'], ['polyprof-worker.js'], ['polyprof.wasm', 'polyprof-extra.js']]) {
  const [file] = files;
  const missing = Object.fromEntries(files.map((name) => [`/dist/${name}`, { status: 404 }]));
  eachEngine(
    `a missing file is named: ${files.join(', and that without ')}`,
    { ...busy, serve: { folders, overrides: missing } },
    async ({ page, server }) => {
      const { rejection, runsOn } = await tryToProfile(page);
      assert.equal(rejection.name, 'NotSupportedError');
      assert.ok(rejection.message.includes(server.url(`/dist/${file}`)), rejection.message);
      assert.match(rejection.message, /404/);
      assert.ok(runsOn);
      server.override(`/dist/${file}`, undefined);
      const second = await profileBusy(page);
      assert.ok(selfShares(second.trace).hotLoop > 0.5, 'a later try works');
    },
  );
}

/** By an address without the release, a browser may have kept those of an earlier one. @type {Record<string, import('./lib/server.js').Override>} */
const older = {};
for (const name of SESSION_FILES) {
  older[`/dist/${name}`] = {
    body: 'throw new Error("older");',
    headers: { 'Content-Type': 'text/javascript' },
  };
  older[`/dist/${name}?${version}`] = {};
}

for (const isolated of [true, false]) {
  eachEngine(
    `files of an earlier release are not used, ${isolated ? 'isolated' : 'without isolation'}`,
    { ...busy, serve: { folders, isolated, overrides: older } },
    async ({ page }) => {
      const { trace } = await profileBusy(page);
      assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
    },
  );
}

eachEngine(
  'a policy that forbids the core names its directive',
  { ...busy, serve: { folders, csp: "script-src 'self'" } },
  async ({ page }) => {
    const { rejection, runsOn } = await tryToProfile(page);
    assert.equal(rejection.name, 'NotSupportedError');
    assert.match(rejection.message, /polyprof\.wasm.*'wasm-unsafe-eval' in its script-src/);
    assert.ok(runsOn);
  },
);

eachEngine(
  'a policy that forbids the worker names its directive',
  { ...busy, serve: { folders, csp: "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'" } },
  async ({ page }) => {
    const { rejection, runsOn } = await tryToProfile(page);
    assert.equal(rejection.name, 'NotSupportedError');
    assert.match(rejection.message, /polyprof-worker\.js.*worker-src/);
    assert.ok(runsOn);
  },
);

for (const [names, isListed] of [
  ['polyprof', true],
  ['other', false],
]) {
  eachEngine(
    `with Trusted Types and ${isListed ? 'our' : 'no'} policy listed ${isListed ? 'a page is profiled' : 'the directive is named, where the engine has them'}`,
    {
      ...busy,
      serve: {
        folders,
        csp: `script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; require-trusted-types-for 'script'; trusted-types ${names}`,
      },
    },
    async ({ page }) => {
      const { rejection, runsOn } = await tryToProfile(page);
      assert.ok(runsOn);
      if (isListed || (await page.evaluate(() => typeof trustedTypes)) === 'undefined') {
        assert.equal(rejection, undefined);
        const { trace } = await profileBusy(page);
        assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
      } else {
        assert.equal(rejection.name, 'NotSupportedError');
        assert.match(rejection.message, /polyprof-worker\.js.*trusted-types must list polyprof/);
      }
    },
  );
}

eachEngine(
  'a strict policy that allows both is enough',
  {
    ...busy,
    serve: {
      folders,
      csp: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'",
    },
  },
  async ({ page }) => {
    const { trace } = await profileBusy(page);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  },
);

for (const isolated of [true, false]) {
  eachEngine(
    `a policy of nonces and 'strict-dynamic' lets ${isolated ? 'an isolated page' : 'a page that is not isolated'} be profiled`,
    {
      path: '/nonces.html',
      serve: {
        folders,
        isolated,
        csp: "script-src 'nonce-abc' 'strict-dynamic' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'",
        overrides: {
          '/nonces.html': {
            body: '<!doctype html><script nonce="abc" src="/dist/polyprof.js"></script><script nonce="abc" src="/busy.js"></script>',
            headers: { 'Content-Type': 'text/html' },
          },
        },
      },
    },
    async ({ page }) => {
      const { trace, mode } = await profileBusy(page);
      assert.equal(mode, isolated ? 'flag' : 'self-timed');
      assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
    },
  );
}

const table = readFileSync(`${pages}/busy.js.ppft`);
const otherScript = Buffer.from(table);
otherScript[5] ^= 1;
for (const [what, body, counter] of [
  ['corrupt', Buffer.concat([table.subarray(0, 20), Buffer.from([255]), table.subarray(21)]), 'badTables'],
  ['truncated', table.subarray(0, table.length / 2), 'badTables'],
  ["another script's", withChecksum(otherScript), 'mismatchedTables'],
  ['missing', undefined, 'missingTables'],
]) {
  const override = body ? { body } : { status: 404 };
  eachEngine(
    `with a ${what} function table, frames are as the engine says, and ${counter} tells`,
    { ...busy, serve: { folders, overrides: { '/busy.js.ppft': override } } },
    async ({ page }) => {
      const { trace, losses } = await tryToProfile(page);
      assert.equal(losses[counter], 1, JSON.stringify(losses));
      assert.ok(losses.fallbackFrames > 0);
      const names = trace.frames.map(({ name }) => name);
      assert.ok(names.includes('hotLoop') && names.some((name) => /busy$/.test(name)), folded(trace));
    },
  );
}

/** The table's last 4 bytes are the FNV-1a checksum of the rest. @param {Buffer} bytes */
function withChecksum(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes.subarray(0, -4)) hash = Math.imul(hash ^ byte, 0x01000193);
  bytes.writeUInt32LE(hash >>> 0, bytes.length - 4);
  return bytes;
}

eachEngine(
  'without the polyfill instrumented scripts just run',
  { ...busy, path: '/plain.html' },
  async ({ page }) => {
    assert.equal(typeof (await page.evaluate(() => busy(20))), 'number');
  },
);

eachEngine(
  "a page's own prepareStackTrace and stackTraceLimit don't matter, and stay",
  busy,
  async ({ page }) => {
    await page.evaluate(() => {
      polyprof.install({ force: true });
      globalThis.prepare = () => 'mine';
      Error.prepareStackTrace = prepare;
      Error.stackTraceLimit = 0;
    });
    const { trace } = await profileBusy(page);
    assert.ok(trace.samples.length > 100, folded(trace));
    assert.ok(await page.evaluate(() => Error.prepareStackTrace === prepare && Error.stackTraceLimit === 0));
  },
);

eachEngine(
  'a prepareStackTrace that cannot be taken away, and begins lines with a tab, as that of Visual Studio Code, hides no function',
  busy,
  async ({ page }) => {
    await page.evaluate(() => {
      polyprof.install({ force: true });
      const get = () => (error, sites) => [error, ...sites].join('\n\tat ');
      Object.defineProperty(Error, 'prepareStackTrace', { get, set() {} });
    });
    const { trace } = await profileBusy(page);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  },
);

eachEngine('a page that throws garbage into the shared cells runs on', busy, async ({ page }) => {
  const { samples, ran } = await page.evaluate(async () => {
    polyprof.install({ force: true });
    const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 1000 });
    const cells = globalThis.__polyprof__.f;
    let ran = 0;
    for (const garbage of [2 ** 31 - 1, -1, 12345, -(2 ** 31)]) {
      cells[1] = garbage;
      cells[0] = garbage;
      ran += typeof busy(20) === 'number' ? 1 : 0;
    }
    const trace = await profiler.stop();
    return { samples: trace.samples.length, ran };
  });
  assert.equal(ran, 4);
  assert.ok(samples <= 1000);
});
