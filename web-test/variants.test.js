import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BUNDLERS, makeApp } from './lib/bundlers.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { assertHotFunctions } from './lib/hot_functions.js';
import { profileBusy } from './lib/on_time.js';
import { folded, selfShares } from './lib/trace.js';

/** Sites that have every script twice, as it is and with probes. */

const { path: folder, release } = temporaryFolder();
after(release);
const root = makeApp(folder);
const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const polyprof = (/** @type {string[]} */ ...args) =>
  execFileSync(process.execPath, [CLI, ...args], { stdio: 'pipe' });

/** @type {Map<string, string>} folders */
const outputs = new Map();
const MAKERS = ['vite', 'webpack', 'rspack', 'rollup', 'rolldown'];
for (const bundler of MAKERS) {
  const out = join(folder, bundler);
  const options = { minWeight: 5, variants: { sampleRate: 0 } };
  await BUNDLERS[bundler]({ root, out, options, makesPage: true });
  outputs.set(bundler, out);
}
const SITE = fileURLToPath(new URL('fixtures/choosing_site/', import.meta.url));
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
/** @param {string} name @param {string[]} options */
function site(name, options) {
  const out = join(folder, name);
  polyprof('instrument', SITE, '-o', out, '--min-weight', '0', '--no-cache', ...options);
  for (const file of ['polyprof.js', 'polyprof-worker.js', 'polyprof.wasm']) {
    copyFileSync(join(DIST, file), join(out, file));
  }
  return out;
}
const plainSite = join(folder, 'plain');
cpSync(SITE, plainSite, { recursive: true });
copyFileSync(join(DIST, 'polyprof.js'), join(plainSite, 'polyprof.js'));
const never = site('never', ['--variants', '0']);
const always = site('always', ['--variants', '1', '--chooser', 'external', '--parameter', 'probes']);

const isOfProbes = (/** @type {{path: string}} */ { path }) => /\.probed\.|polyprof|\.ppft/.test(path);

for (const bundler of MAKERS) {
  eachEngine(
    `what ${bundler} made runs untouched in sessions that were not chosen, and with probes in those that were`,
    {
      path: '/index.html',
      ownOrigin: true,
      serve: { folders: { '/': outputs.get(bundler) } },
      only: /vite|webpack/.test(bundler) ? undefined : ['chromium'],
    },
    async ({ page, server }) => {
      const isPlain = () =>
        page.evaluate(async () => {
          while (!globalThis.runApp) await new Promise((resolve) => requestAnimationFrame(resolve));
          await runApp(10);
          return [typeof __polyprof__, typeof performance.profile, __polyprofVariant__].join();
        });
      assert.equal(await isPlain(), 'undefined,undefined,plain');
      assert.deepEqual(
        server.requests.filter(isOfProbes).map(({ path }) => path),
        [],
      );
      await page.goto(server.url('/index.html?polyprof=probed'));
      await assertHotFunctions(page);
      await page.goto(server.url('/index.html'));
      assert.equal(await isPlain(), 'object,function,probed', 'the session goes on as it began');
      const seen = server.requests.length;
      await page.goto(server.url('/index.html?polyprof=plain'));
      assert.equal(await isPlain(), 'undefined,undefined,plain');
      const asked = server.requests.slice(seen).filter(isOfProbes);
      assert.deepEqual(
        asked.map(({ path }) => path),
        [],
      );
    },
  );
}

/** @param {import('./lib/browsers.js').Page} page @returns {Promise<{notes: string[], kind: string}>} */
const notesOf = (page) =>
  page.evaluate(async () => {
    while (!globalThis.isLoaded || notes.length < 10) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    // When a module arrives is nobody's order, and WebKit keeps none between deferred scripts and modules.
    const isLoose = (note) => /^(imported|deferred)/.test(note);
    const ordered = notes.filter((note) => !isLoose(note));
    return { notes: [...ordered, ...notes.filter(isLoose).sort()], kind: typeof __polyprof__ };
  });

eachEngine(
  'scripts of all kinds run at the same moments in both variants, also under a strict policy',
  {
    path: '/plain/index.html',
    ownOrigin: true,
    serve: {
      folders: { '/plain/': plainSite, '/never/': never },
      csp: "script-src 'nonce-n0nce' 'self' 'wasm-unsafe-eval'; object-src 'none'",
    },
  },
  async ({ page, server }) => {
    const before = await notesOf(page);
    await page.goto(server.url('/never/index.html'));
    const plain = await notesOf(page);
    assert.deepEqual(plain.notes, before.notes);
    assert.equal(plain.kind, 'undefined');
    await page.goto(server.url('/never/index.html?polyprof=probed'));
    const probed = await notesOf(page);
    assert.deepEqual(probed.notes, before.notes);
    assert.equal(probed.kind, 'object');
    const { trace } = await profileBusy(page, 'hotLoop');
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
    assert.match(trace.resources.join(), /never\/first\.probed\.js/);
  },
);

eachEngine(
  'a chooser in a file needs no inline script, and a parameter may have another name',
  { path: '/index.html', ownOrigin: true, serve: { folders: { '/': always } } },
  async ({ page, server }) => {
    assert.equal((await notesOf(page)).kind, 'object', 'every session is chosen');
    await page.goto(server.url('/index.html?probes=plain'));
    assert.equal((await notesOf(page)).kind, 'undefined');
    await page.goto(server.url('/index.html?probes=nonsense'));
    assert.equal((await notesOf(page)).kind, 'undefined');
    assert.doesNotMatch(readFileSync(join(always, 'index.html'), 'utf8'), /sessionStorage/);
  },
);

eachEngine(
  'where nothing can be stored each page chooses once for all its scripts',
  { path: '/index.html', ownOrigin: true, serve: { folders: { '/': never } }, only: ['chromium'] },
  async ({ page, server }) => {
    const devtools = await page.devtools();
    await devtools.send('Page.enable');
    await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError') } })`,
    });
    await page.goto(server.url('/index.html?polyprof=probed'));
    assert.equal((await notesOf(page)).kind, 'object');
    await page.goto(server.url('/index.html'));
    assert.equal((await notesOf(page)).kind, 'undefined');
  },
);

const routed = join(folder, 'routed');
mkdirSync(join(folder, 'routed-in/assets'), { recursive: true });
writeFileSync(join(folder, 'routed-in/assets/app.js'), 'function app() { return inline() }');
writeFileSync(
  join(folder, 'routed-in/index.html'),
  '<!doctype html><script>function inline() { return 7 }</script><p></p><script src="/assets/app.js"></script>',
);
polyprof(
  'instrument',
  join(folder, 'routed-in'),
  '-o',
  routed,
  '--min-weight',
  '0',
  '--no-cache',
  '--variants',
  '1',
);

eachEngine(
  'an inline script runs with probes in an app whose page comes at any address',
  {
    path: '/orders/5',
    ownOrigin: true,
    serve: {
      folders: { '/': routed },
      overrides: {
        '/orders/5': {
          body: readFileSync(join(routed, 'index.html')),
          headers: { 'Content-Type': 'text/html' },
        },
      },
    },
  },
  async ({ page }) => {
    const [result, code] = await page.evaluate(() => [app(), String(inline)]);
    assert.equal(result, 7);
    assert.match(code, /__ppF/);
  },
);
