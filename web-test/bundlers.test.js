import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import legacy from '@vitejs/plugin-legacy';
import * as vite from 'vite';
import polyprofVite from '../instrumenter/entries/vite.js';
import { BUNDLERS, makeApp } from './lib/bundlers.js';
import { temporaryFolder } from './lib/children.js';
import { DEV_SERVERS } from './lib/dev_servers.js';
import { eachEngine } from './lib/each_engine.js';
import { assertHotFunctions } from './lib/hot_functions.js';
import { onTime } from './lib/on_time.js';

/** The same small app, built by every bundler. */

const { path: folder, release } = temporaryFolder();
after(release);
const root = makeApp(folder);
const options = { minWeight: 5, install: { policy: /** @type {const} */ ('deny') } };

// Everything is built before the first test: hooks run as soon as no test is left.
/** @param {string} bundler @param {string} name @param {Partial<import('./lib/bundlers.js').Build>} [build] @returns {Promise<string>} folder */
async function built(bundler, name, build = {}) {
  const out = join(folder, name);
  await BUNDLERS[bundler]({ root, out, options, ...build });
  return out;
}

const outputs = new Map();
for (const bundler of Object.keys(BUNDLERS)) outputs.set(bundler, await built(bundler, bundler));
const shadowed = await built('vite', 'shadow', { options: { ...options, probe: 'shadow' } });
const external = await built('vite', 'external', { options: { minWeight: 5, runtime: 'external' } });
const based = [
  { bundler: 'vite', base: '/deep/er/' },
  { bundler: 'vite', base: './' },
  { bundler: 'webpack', base: '/deep/er/' },
  { bundler: 'webpack', base: 'auto' },
  { bundler: 'webpack', base: '' },
];
for (const [index, { bundler, base }] of based.entries()) {
  outputs.set(`${bundler} ${base}`, await built(bundler, `base ${index}`, { base, minify: false }));
}
// As frameworks do, whose servers give out the folder of scripts and nothing beside it.
const apart = { base: '/_site/', scripts: 'static/scripts/', makesPage: true, minify: false };
for (const bundler of ['webpack', 'rspack']) {
  outputs.set(`${bundler} apart`, await built(bundler, `${bundler} apart`, apart));
}
for (const bundler of ['webpack', 'rspack']) outputs.set(`${bundler} moved`, await moved(bundler));
const workerOut = await withWorker();
const lowered = await forOldBrowsers();
const forOlder = await forOlderBrowsers();

const developed = new Map();
for (const [bundler, start] of Object.entries(DEV_SERVERS)) {
  const server = await start(makeApp(join(folder, `developed by ${bundler}`)), options, true);
  after(server.close);
  developed.set(bundler, server);
}

/** An app that says itself where it is, as those of single-spa do. @param {string} bundler @returns {Promise<string>} folder */
async function moved(bundler) {
  const app = makeApp(join(folder, `moved by ${bundler}`));
  const entry = join(app, 'src/index.js');
  writeFileSync(entry, `${readFileSync(entry, 'utf8')}\n__webpack_public_path__ = '/deep/er/';\n`);
  return built(bundler, `${bundler} moved`, { root: app, base: '', minify: false });
}

/** An app with a worker, which Vite builds with plugins of its own. @returns {Promise<string>} folder */
async function withWorker() {
  const app = join(folder, 'with a worker');
  const out = join(folder, 'worker');
  mkdirSync(app);
  writeFileSync(join(app, 'index.html'), '<!doctype html><script type="module" src="./page.js"></script>');
  writeFileSync(
    join(app, 'page.js'),
    "globalThis.worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });",
  );
  writeFileSync(
    join(app, 'worker.js'),
    `import { countPrimes } from '${join(root, 'src/primes.js')}';
    onmessage = async () => {
      const profiler = await performance.profile({ sampleInterval: 1 });
      const end = performance.now() + 300;
      while (performance.now() < end) countPrimes(40_000);
      postMessage(await profiler.stop());
    };`,
  );
  const plugins = () => [polyprofVite({ minWeight: 5, install: { force: true } })];
  const build = { outDir: out, minify: false };
  await vite.build({
    root: app,
    configFile: false,
    logLevel: 'error',
    build,
    plugins: plugins(),
    worker: { plugins },
  });
  return out;
}

/** One classic script, of syntax without private fields: what stands for them are functions that nobody wrote, with probes. @returns {Promise<string>} folder */
async function forOldBrowsers() {
  const outDir = join(folder, 'lowered');
  const output = /** @type {const} */ ({ format: 'iife', inlineDynamicImports: true });
  await vite.build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [polyprofVite({ minWeight: 0, install: { force: true } })],
    build: { outDir, target: 'es2020', rollupOptions: { output } },
  });
  return outDir;
}

/** Chunks twice, as modules and for browsers that have none; the page loads the latter. @returns {Promise<string>} folder */
async function forOlderBrowsers() {
  const outDir = join(folder, 'legacy');
  await vite.build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      legacy({ renderModernChunks: false }),
      polyprofVite({ minWeight: 0, install: { force: true } }),
    ],
    build: { outDir },
  });
  return outDir;
}

/** The build's options of install() are in force, until the test calls it. @param {import('./lib/browsers.js').Page} page */
async function assertDenied(page) {
  const outcome = await page.evaluate(async () => {
    const global = /** @type {any} */ (globalThis);
    while (!global.runApp) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.profile({ sampleInterval: 10 }).catch((error) => error.name);
  });
  assert.equal(outcome, 'SecurityError');
}

eachEngine(
  'an app is profiled also where all functions have probes that stand for private fields, of the polyfill, too',
  { path: '/index.html', serve: { folders: { '/': lowered } } },
  async ({ page }) => {
    await page.evaluate(async () => {
      while (!(/** @type {any} */ (globalThis).runApp))
        await new Promise((done) => requestAnimationFrame(done));
    });
    await assertHotFunctions(page);
  },
);

eachEngine(
  'what @vitejs/plugin-legacy makes for browsers without modules is profiled in those that have them',
  { path: '/index.html', serve: { folders: { '/': forOlder } } },
  async ({ page }) => {
    await page.evaluate(async () => {
      while (!(/** @type {any} */ (globalThis).runApp))
        await new Promise((done) => requestAnimationFrame(done));
    });
    await assertHotFunctions(page);
  },
);

test('the polyfills of @vitejs/plugin-legacy, whose name does not change, have no probes', () => {
  const tables = readdirSync(join(forOlder, 'assets')).filter((name) => name.endsWith('.js.ppft'));
  assert.deepEqual(
    // Hashes of eight characters may have hyphens, too.
    tables.map((name) => name.replace(/-.{8}\.js\.ppft$/, '')),
    ['index-legacy', 'lazy-legacy'],
  );
});

for (const bundler of Object.keys(BUNDLERS)) {
  eachEngine(
    `what ${bundler} made is profiled by its original names and lines`,
    {
      path: '/index.html',
      serve: { folders: { '/': outputs.get(bundler) } },
      only: bundler === 'vite' || bundler === 'webpack' ? undefined : ['chromium'],
    },
    async ({ page }) => {
      await assertDenied(page);
      await assertHotFunctions(page);
    },
  );
}

eachEngine(
  'a build with shadow probes is profiled by its original names and lines',
  { path: '/index.html', serve: { folders: { '/': shadowed } } },
  ({ page }) => assertHotFunctions(page),
);
for (const [bundler, server] of developed) {
  eachEngine(
    `what ${bundler} serves while the app is developed is profiled by its names and lines`,
    { only: bundler === 'vite' || bundler === 'webpack' ? undefined : ['chromium'] },
    async ({ browser }) => {
      const page = await browser.open(`${server.origin}/`);
      await assertDenied(page);
      await assertHotFunctions(page);
      await page.close();
    },
  );

  eachEngine(
    `a module that was edited while ${bundler} serves it is profiled by its new lines`,
    { only: ['chromium'] },
    async ({ browser }) => {
      const edited = makeApp(join(folder, `edited with ${bundler}`));
      // Without the bundler's own reloading of pages.
      const server = await DEV_SERVERS[bundler](edited, options, false);
      try {
        const before = await browser.open(`${server.origin}/`);
        await assertHotFunctions(before);
        await before.close();
        const file = join(edited, 'src/primes.js');
        const changed = server.changed(file);
        writeFileSync(file, `// A new line.\n${readFileSync(file, 'utf8')}`);
        await changed;
        const page = await browser.open(`${server.origin}/`);
        await assertHotFunctions(page, { 'primes.js': 1 });
        await page.close();
      } finally {
        await server.close();
      }
    },
  );
}

eachEngine(
  "a page that a framework's server writes is profiled while it is developed with Vite",
  async ({ browser }) => {
    const page = await browser.open(`${developed.get('vite').origin}/written`);
    await assertDenied(page);
    await assertHotFunctions(page);
    await page.close();
  },
);

eachEngine(
  'a worker that Vite builds, with the plugin among its own, profiles itself',
  { path: '/index.html', serve: { folders: { '/': workerOut } } },
  async ({ page }) => {
    const { frames, samples } = await page.evaluate(async () => {
      const { worker } = /** @type {any} */ (globalThis);
      const answer = new Promise((resolve, reject) => {
        worker.onmessage = (/** @type {MessageEvent} */ { data }) => resolve(data);
        worker.onerror = (/** @type {ErrorEvent} */ { message }) => reject(new Error(message));
      });
      worker.postMessage('');
      return answer;
    });
    const names = frames.map((/** @type {{name: string}} */ { name }) => name);
    assert.ok(names.includes('isPrime') && names.includes('countPrimes'), names.join());
    assert.ok(samples.length > 50, `${samples.length} samples`);
  },
);

/** The app is profiled by what it finds. @param {import('./lib/each_engine.js').Context} context @returns {Promise<string[]>} paths of the polyfill's files */
async function filesOfProfile({ page, server }) {
  const { trace } = await onTime(() =>
    page.evaluate(async () => {
      const global = /** @type {any} */ (globalThis);
      while (!global.runApp) await new Promise((resolve) => requestAnimationFrame(resolve));
      global.polyprof.install({ force: true, policy: 'self' });
      const profiler = await global.performance.profile({ sampleInterval: 1 });
      await global.runApp(100);
      return { trace: await profiler.stop(), losses: profiler.losses };
    }),
  );
  assert.ok(trace.samples.length > 10);
  const asked = server.requests.map(({ path }) => path).filter((path) => /polyprof-/.test(path));
  assert.ok(asked.length >= 2);
  return asked;
}

for (const { bundler, base } of based) {
  eachEngine(
    `what ${bundler} made for the base '${base}' finds the polyfill's files below it`,
    {
      path: '/deep/er/index.html',
      serve: { folders: { '/deep/er/': outputs.get(`${bundler} ${base}`) } },
      only: ['chromium'],
    },
    async (context) => {
      const asked = await filesOfProfile(context);
      assert.ok(
        asked.every((path) => path.startsWith('/deep/er/')),
        asked.join(),
      );
    },
  );
}

for (const bundler of ['webpack', 'rspack']) {
  const out = outputs.get(`${bundler} apart`);
  eachEngine(
    `what ${bundler} made finds the polyfill's files beside its scripts, where no other folder is served`,
    {
      path: '/index.html',
      serve: { folders: { '/': out, '/_site/static/': join(out, 'static') } },
      only: ['chromium'],
    },
    async (context) => {
      for (const path of await filesOfProfile(context))
        assert.match(path, /^\/_site\/static\/scripts\/polyprof-/);
    },
  );
}

for (const bundler of ['webpack', 'rspack']) {
  const out = outputs.get(`${bundler} moved`);
  eachEngine(
    `what ${bundler} made finds the polyfill's files where the app says that its files are, while it runs`,
    { path: '/index.html', serve: { folders: { '/': out, '/deep/er/': out } }, only: ['chromium'] },
    async (context) => {
      for (const path of await filesOfProfile(context)) assert.match(path, /^\/deep\/er\/polyprof-/);
    },
  );
}

eachEngine(
  "with runtime: 'external' the page's own script tag brings the polyfill, and without one the app runs",
  { path: '/index.html', serve: { folders: { '/': external } }, only: ['chromium'] },
  async ({ page }) => {
    assert.equal(await page.evaluate(() => typeof (/** @type {any} */ (globalThis).polyprof)), 'undefined');
    await page.evaluate(async () => {
      const script = document.createElement('script');
      script.src = '/dist/polyprof.js';
      document.head.append(script);
      await new Promise((resolve) => (script.onload = resolve));
    });
    await assertHotFunctions(page);
  },
);
