import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { instrument } from '../instrumenter/instrument.js';
import { PROBE_KINDS } from '../instrumenter/options.js';
import { ROOT, run } from './lib/run.js';
import { overBudget, sizeOf, sizeTable } from './lib/sizes.js';

/**
 * Makes dist/: the core, by CMake and emscripten, then made smaller by Binaryen; the polyfill and its worker, by esbuild.
 * Fails when a size is over the budget in size_budget.json.
 */

const DIST = join(ROOT, 'dist');

/** Where the preset `wasm` leaves the module. */
const LINKED_WASM = join(ROOT, 'build/wasm/wasm/polyprof.wasm');

/** What the module uses beyond WebAssembly 1.0; each browser of TARGET has it. */
const FEATURES = ['threads', 'bulk-memory', 'mutable-globals', 'sign-ext', 'nontrapping-float-to-int'].map(
  (feature) => `--enable-${feature}`,
);

/** What each supported browser can run; lower than the syntax the sources use costs bytes. */
const TARGET = ['chrome92', 'firefox95', 'safari15.4'];

/** For `require`. It has no address of its own: the worker and the core are looked for beside the script that it ends up in. */
const COMMONJS = `import { setUp } from './polyfill/api.js';
const address = globalThis.document?.currentScript?.src || globalThis.location?.href;
const api = setUp(address ? new URL(address) : undefined);
export const { install, version } = api;`;

/** @type {import('esbuild').BuildOptions[]} */
const BUNDLES = [
  { entryPoints: ['polyfill/index.js'], outfile: 'dist/polyprof.js', format: 'iife' },
  { entryPoints: ['polyfill/module.js'], outfile: 'dist/polyprof.mjs', format: 'esm' },
  { stdin: { contents: COMMONJS, resolveDir: ROOT }, outfile: 'dist/polyprof.cjs', format: 'cjs' },
  // For bundlers: exports `setUp`, and has no address of its own. Without a map: by its name the plugin knows what not to instrument.
  {
    entryPoints: ['polyfill/api.js'],
    outfile: 'dist/polyprof-runtime.mjs',
    format: 'esm',
    sourcemap: false,
  },
  { entryPoints: ['polyfill/worker/main.js'], outfile: 'dist/polyprof-worker.js', format: 'iife' },
  { entryPoints: ['polyfill/extra/index.js'], outfile: 'dist/polyprof-extra.mjs', format: 'esm' },
  { entryPoints: ['polyfill/worker/watch.js'], outfile: 'dist/polyprof-watch.js', format: 'iife' },
  {
    entryPoints: ['report/page/main.js'],
    outfile: 'dist/polyprof-report.js',
    format: 'iife',
    sourcemap: false,
  },
];

async function buildCore() {
  // Debian's emscripten looks for its JavaScript modules there and does not say so itself.
  const env = { NODE_PATH: '/usr/share/nodejs' };
  await run('cmake', ['--preset', 'wasm'], { env, quiet: true });
  await run('cmake', ['--build', '--preset', 'wasm'], { env, quiet: true });
  // What emcc exports for JavaScript of its own goes first, and with it what only that called.
  await run('wasm-metadce', [LINKED_WASM, ...FEATURES, '-f', writeRoots(), '-o', `${LINKED_WASM}.roots`], {
    quiet: true,
  });
  await run('wasm-opt', [
    `${LINKED_WASM}.roots`,
    '-Oz',
    ...FEATURES,
    '--strip-debug',
    '--strip-producers',
    '--strip-target-features',
    '-o',
    join(DIST, 'polyprof.wasm'),
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
      sourcemap: 'linked',
      legalComments: 'none',
      target: TARGET,
      ...bundle,
    });
    if (bundle.format !== 'iife') leaveImportsAlone(join(ROOT, /** @type {string} */ (bundle.outfile)));
  }
}

/** Bundlers are not to look for what the page fetches by an address of its own. esbuild drops their comments when it minifies. @param {string} file */
function leaveImportsAlone(file) {
  const code = readFileSync(file, 'utf8');
  const marked = code.replaceAll(
    'import(new URL(',
    'import(/* webpackIgnore: true *//* @vite-ignore */new URL(',
  );
  if (marked !== code) writeFileSync(file, marked);
}

/** What the instrumenter puts on top of a script that bundlers name as usual. @param {string} probe */
function preludeOf(probe) {
  const { code } = instrument('work()', { file: 'index-B5Qt9EMX.js', probe, minWeight: 0 });
  return code.slice(0, code.indexOf('work()'));
}

mkdirSync(DIST, { recursive: true });
await Promise.all([buildCore(), buildScripts()]);

const sizes = [
  ...[
    'polyprof.js',
    'polyprof.mjs',
    'polyprof-worker.js',
    'polyprof.wasm',
    'polyprof-extra.mjs',
    'polyprof-watch.js',
  ].map((name) => sizeOf(name, readFileSync(join(DIST, name)))),
  ...PROBE_KINDS.map((probe) => sizeOf(`${probe} prelude`, Buffer.from(preludeOf(probe)))),
];
console.log(sizeTable(sizes));
for (const sentence of overBudget(sizes)) {
  console.error(`over budget: ${sentence}`);
  process.exitCode = 1;
}
