import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { instrument } from '../instrumenter/instrument.js';
import { PROBE_KINDS } from '../instrumenter/options.js';
import { buildPlugins } from './lib/build_plugins.js';
import { ROOT, run } from './lib/run.js';
import { shortProperties, withShortExports } from './lib/short_names.js';
import { overBudget, sizeOf, sizeTable } from './lib/sizes.js';

/**
 * Makes dist/: the core, by CMake and emscripten, then made smaller by Binaryen; the polyfill, its worker and the plugins, by esbuild.
 * Fails when a size is over the budget in size_budget.json.
 */

const DIST = join(ROOT, 'dist');

/** Where the preset `wasm` leaves the modules: the core for pages, and what of it tools use. */
const LINKED_WASM = join(ROOT, 'build/wasm/wasm/polyprof.wasm');
const LINKED_FOLD = join(ROOT, 'build/wasm/wasm/polyprof-fold.wasm');

/** The core as shipped but for the names of its exports, which are those of exports.txt; for tests that need no bundle. */
const NAMED_WASM = join(ROOT, 'build/wasm/polyprof.named.wasm');

/** What the module uses beyond WebAssembly 1.0; each browser of TARGET has it. */
const FEATURES = ['threads', 'bulk-memory', 'mutable-globals', 'sign-ext', 'nontrapping-float-to-int'].map(
  (feature) => `--enable-${feature}`,
);

/** What each supported browser can run; lower than the syntax the sources use costs bytes. */
const TARGET = ['chrome92', 'firefox95', 'safari15.4'];

/** For `require`. It has no address of its own: the worker and the core are looked for beside the script that it ends up in. */
const OWN_ADDRESS = `const address = globalThis.document?.currentScript?.src || globalThis.location?.href;
const url = address ? new URL(address) : undefined;`;
const COMMONJS = `import { setUp } from './polyfill/interface/api.js';
${OWN_ADDRESS}
export const { version, install, forceSample, sendOnHide, watch } = setUp(url);`;
const MOZILLA_COMMONJS = `import { base } from './polyfill/loading/base.js';
export { Profiler } from './polyfill/mozilla/profiler.js';
${OWN_ADDRESS}
base.url = url;`;

/** What is loaded when it is needed is there at once. @type {import('esbuild').Plugin} */
const WHOLE = {
  name: 'whole',
  setup({ onResolve }) {
    onResolve({ filter: /\/load_(extra|self_timed)\.js$/ }, ({ path }) => ({
      path: join(ROOT, 'polyfill/whole', basename(path)),
    }));
  },
};

/** The older API tells where calls came from. @type {import('esbuild').Plugin} */
const WITH_SITES = {
  name: 'with sites',
  setup({ onResolve }) {
    onResolve({ filter: /\/(attribution|place_of)\.js$/ }, ({ importer, path }) =>
      /\/polyfill\/(sampling\/sampler|capture\/stack_text)\.js$/.test(importer)
        ? { path: join(ROOT, 'polyfill/mozilla', basename(path)) }
        : undefined,
    );
  },
};

/** @type {import('esbuild').BuildOptions[]} */
const BUNDLES = [
  { entryPoints: ['polyfill/index.js'], outfile: 'dist/polyprof.js', format: 'iife' },
  // For pages of test runs, which wait for it: while they do, Firefox runs modules seconds after they came.
  {
    entryPoints: ['polyfill/index.js'],
    outfile: 'dist/polyprof-whole.js',
    format: 'iife',
    plugins: [WHOLE],
  },
  { entryPoints: ['polyfill/module.js'], outfile: 'dist/polyprof.mjs', format: 'esm' },
  { stdin: { contents: COMMONJS, resolveDir: ROOT }, outfile: 'dist/polyprof.cjs', format: 'cjs' },
  // For bundlers: exports `setUp`, and has no address of its own. By its name the plugin knows what not to instrument.
  {
    entryPoints: ['polyfill/interface/api.js'],
    outfile: 'dist/polyprof-runtime.mjs',
    format: 'esm',
  },
  {
    entryPoints: ['polyfill/bundled.js'],
    outfile: 'dist/polyprof-bundled.mjs',
    format: 'esm',
  },
  { entryPoints: ['polyfill/worker/main.js'], outfile: 'dist/polyprof-worker.js', format: 'iife' },
  { entryPoints: ['polyfill/extra/index.js'], outfile: 'dist/polyprof-extra.js', format: 'esm' },
  {
    entryPoints: ['polyfill/capture/self_timed_capture.js'],
    outfile: 'dist/polyprof-self-timed.js',
    format: 'esm',
  },
  { entryPoints: ['polyfill/worker/gzip.js'], outfile: 'dist/polyprof-gzip.js', format: 'iife' },
  { entryPoints: ['polyfill/beacon/index.js'], outfile: 'dist/polyprof-beacon.js', format: 'esm' },
  { entryPoints: ['polyfill/beacon/index.js'], outfile: 'dist/polyprof-beacon.cjs', format: 'cjs' },
  {
    entryPoints: ['polyfill/mozilla/index.js'],
    outfile: 'dist/polyprof-mozilla.mjs',
    format: 'esm',
    plugins: [WITH_SITES],
  },
  {
    stdin: { contents: MOZILLA_COMMONJS, resolveDir: ROOT },
    outfile: 'dist/polyprof-mozilla.cjs',
    format: 'cjs',
    plugins: [WITH_SITES],
  },
  { entryPoints: ['polyfill/worker/watch.js'], outfile: 'dist/polyprof-watch.js', format: 'iife' },
  // Goes into pages as it is.
  {
    entryPoints: ['polyfill/chooser.js'],
    outfile: 'dist/polyprof-chooser.js',
    format: 'iife',
  },
  {
    entryPoints: ['report/page/main.js'],
    outfile: 'dist/polyprof-report.js',
    format: 'iife',
  },
];

async function buildCore() {
  // Debian's emscripten looks for its JavaScript modules there and does not say so itself.
  const env = { NODE_PATH: '/usr/share/nodejs' };
  await run('cmake', ['--preset', 'wasm'], { env, quiet: true });
  await run('cmake', ['--build', '--preset', 'wasm'], { env, quiet: true });
  await optimizeFold();
  // What emcc exports for JavaScript of its own goes first, and with it what only that called.
  await run('wasm-metadce', [LINKED_WASM, ...FEATURES, '-f', writeRoots(), '-o', `${LINKED_WASM}.roots`], {
    quiet: true,
  });
  await run('wasm-opt', [
    `${LINKED_WASM}.roots`,
    // What is made fast first, and its control flow anew, becomes smaller than by -Oz alone.
    ...['-O4', '--flatten', '--rereloop', '-Oz'],
    ...FEATURES,
    '--strip-debug',
    '--strip-producers',
    '--strip-target-features',
    '-o',
    NAMED_WASM,
  ]);
  const text = await run('wasm-dis', [NAMED_WASM, ...FEATURES], { quiet: true });
  writeFileSync(`${NAMED_WASM}.wat`, withShortExports(text));
  // Once more, since names have an order; what is called most has the shortest index. What is done beside -Oz is what gzip makes least of.
  await run('wasm-opt', [
    `${NAMED_WASM}.wat`,
    ...['--optimize-instructions', '--untee', '--gufa', '--merge-blocks', '--code-pushing', '--rse'],
    ...['-Oz', '--coalesce-locals-learning', '--local-cse', '--reorder-functions'],
    ...FEATURES,
    '-o',
    join(DIST, 'polyprof.wasm'),
  ]);
}

/** Not for pages: to be fast, not small. */
async function optimizeFold() {
  await run('wasm-opt', [
    ...[LINKED_FOLD, '-O3', ...FEATURES, '--strip-debug', '--strip-producers', '--strip-target-features'],
    ...['-o', join(DIST, 'polyprof-fold.wasm')],
  ]);
}

/** @returns {string} a file that says to Binaryen which exports are to stay */
function writeRoots() {
  const listed = readFileSync(join(ROOT, 'wasm/exports.txt'), 'utf8').trim().split('\n');
  const reaches = ['__stack_pointer', ...listed];
  const graph = [{ name: 'page', root: true, reaches }, ...reaches.map((name) => ({ name, export: name }))];
  const path = join(ROOT, 'build/wasm/roots.json');
  writeFileSync(path, JSON.stringify(graph));
  return path;
}

async function buildScripts() {
  for (const bundle of BUNDLES) {
    await build({
      absWorkingDir: ROOT,
      bundle: true,
      minify: true,
      legalComments: 'none',
      target: TARGET,
      ...shortProperties,
      ...bundle,
    });
    const file = join(ROOT, /** @type {string} */ (bundle.outfile));
    await squeeze(file, bundle.format === 'esm');
    if (bundle.format !== 'iife') leaveImportsAlone(file);
  }
}

/** terser finds what esbuild does not look for. Functions stay functions: captures count the frames that are ours. @param {string} file @param {boolean} module */
async function squeeze(file, module) {
  const { code } = await minify(readFileSync(file, 'utf8'), {
    module,
    compress: {
      passes: 3,
      ecma: 2020,
      inline: false,
      reduce_funcs: false,
      collapse_vars: false,
      hoist_funs: true,
    },
  });
  writeFileSync(file, `${code}\n`);
}

/** Bundlers are not to look for what the page fetches by an address of its own. esbuild drops their comments when it minifies. @param {string} file */
function leaveImportsAlone(file) {
  const code = readFileSync(file, 'utf8');
  writeFileSync(file, code.replaceAll('import(', 'import(/* webpackIgnore: true *//* @vite-ignore */'));
}

/** What the instrumenter puts on top of a script that bundlers name as usual. @param {string} probe */
function preludeOf(probe) {
  const { code } = instrument('work()', { file: 'index-B5Qt9EMX.js', probe, minWeight: 0 });
  return code.slice(0, code.indexOf('work()'));
}

mkdirSync(DIST, { recursive: true });
await Promise.all([buildCore(), buildScripts(), buildPlugins(join(DIST, 'plugin'))]);

const sizes = [
  ...[
    'polyprof.js',
    'polyprof.mjs',
    'polyprof-worker.js',
    'polyprof.wasm',
    'polyprof-extra.js',
    'polyprof-self-timed.js',
    'polyprof-gzip.js',
    'polyprof-watch.js',
    'polyprof-chooser.js',
    'polyprof-beacon.js',
    'polyprof-mozilla.mjs',
  ].map((name) => sizeOf(name, readFileSync(join(DIST, name)))),
  ...PROBE_KINDS.map((probe) => sizeOf(`${probe} prelude`, Buffer.from(preludeOf(probe)))),
];
console.log(sizeTable(sizes));
for (const sentence of overBudget(sizes)) {
  console.error(`over budget: ${sentence}`);
  process.exitCode = 1;
}
