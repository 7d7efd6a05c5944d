import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureInBlocks } from '../lib/blocks.js';
import { ROOT } from '../lib/folders.js';
import { hostLine } from '../lib/host.js';
import { count, readOptions } from '../lib/options.js';
import { mean } from '../lib/statistics.js';
import { row, tableHead } from '../lib/table.js';
import { BASELINE, comparison, CONTROL } from '../overhead/comparison.js';

/**
 * How much longer Vite's production build takes with the plugin. Each build is a process of its
 * own, as `vite build` is; in each block every variant is built twice, mirrored. The plain build without source maps, once more, is the control.
 */

const { pairs: blocks } = readOptions("How much longer Vite's production build takes with the plugin.", {
  pairs: count('blocks of builds; in each every variant is built twice', 5),
});

/** What is there of an earlier build: its results, at least the compiled code of the plugin, or nothing. @typedef {'results' | 'code' | 'nothing'} Kept */

/** @type {Record<string, {sourcemap?: boolean, plugin?: object, kept?: Kept}>} */
const VARIANTS = {
  [BASELINE]: {},
  [CONTROL]: {},
  'plain, source maps': { sourcemap: true },
  plugin: { plugin: {}, kept: 'code' },
  'plugin, shadow': { plugin: { probe: 'shadow' }, kept: 'code' },
  'plugin, nothing has changed': { plugin: {}, kept: 'results' },
  'plugin, first build after npm install': { plugin: {}, kept: 'nothing' },
};
const BUILD = `
const [root, options] = process.argv.slice(1);
const { sourcemap = false, plugin } = JSON.parse(options);
const { build } = await import('vite');
const plugins = plugin ? [(await import('polyprof/vite')).default(plugin)] : [];
await build({ root, configFile: false, logLevel: 'error', build: { outDir: 'dist', emptyOutDir: true, sourcemap }, plugins });`;

const folder = mkdtempSync(join(tmpdir(), 'polyprof-vite-'));
try {
  const apps = { 'examples/vite-app': exampleApp(), 'react-dom and three': largeApp() };
  console.log(`${hostLine()}. Time of a build, relative to the plain one.\n`);
  console.log(tableHead(['app', 'plain, ms', 'variant', 'ratio', 'interval']).join('\n'));
  for (const [app, root] of Object.entries(apps)) {
    const measure = (/** @type {string} */ name) => msOfBuild(root, VARIANTS[name]);
    const times = await measureInBlocks(Object.keys(VARIANTS), blocks, measure);
    const means = new Map([...times].map(([name, series]) => [name, series.map(mean)]));
    const { baselineMs, rows } = comparison('node', process.version, app, means);
    for (const { name, ratio, interval } of rows) {
      const bounds = interval.map((bound) => bound.toFixed(2)).join(' – ');
      console.log(row([app, baselineMs.toFixed(0), name, ratio.toFixed(2), bounds]));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** @returns {string} folder */
function exampleApp() {
  const root = join(folder, 'example');
  cpSync(join(ROOT, 'examples/vite-app'), root, { recursive: true });
  linkPackages(root);
  return root;
}

/** @returns {string} folder of an app that is mostly libraries, as most are */
function largeApp() {
  const root = join(folder, 'large');
  mkdirSync(root);
  writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="./main.js"></script>');
  writeFileSync(
    join(root, 'main.js'),
    `import * as dom from 'react-dom/client';\nimport * as three from 'three';\nglobalThis.libraries = { ...dom, ...three };\n`,
  );
  linkPackages(root);
  return root;
}

/** As after `npm install`. @param {string} root */
function linkPackages(root) {
  const modules = join(root, 'node_modules');
  mkdirSync(modules);
  for (const name of ['vite', 'react', 'react-dom', 'scheduler', 'three'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  symlinkSync(ROOT, join(modules, 'polyprof'));
}

/** @param {string} root @param {(typeof VARIANTS)[string]} variant @returns {number} */
function msOfBuild(root, { kept, ...options }) {
  const cache = join(root, 'node_modules/.cache/polyprof');
  const files = existsSync(cache) ? readdirSync(cache) : [];
  const gone = files.filter((name) => kept === 'nothing' || (kept === 'code' && name.endsWith('.bin')));
  for (const name of gone) rmSync(join(cache, name));
  if (kept === 'results') build(root, options);
  const begin = performance.now();
  build(root, options);
  return performance.now() - begin;
}

/** @param {string} root @param {object} options */
function build(root, options) {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', BUILD, root, JSON.stringify(options)],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the build of ${root} failed:\n${stderr}`);
}
