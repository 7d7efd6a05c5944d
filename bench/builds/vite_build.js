import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../lib/folders.js';
import { positive } from '../lib/options.js';
import { machine } from '../lib/report.js';
import { blockOrder } from '../lib/block_order.js';
import { median, medianInterval } from '../lib/statistics.js';

/**
 * How much longer Vite's production build takes with the plugin: `node bench/builds/vite_build.js [--pairs N]`, 5 by default. Each build is a process of its
 * own, as `vite build` is; in each block every variant is built twice, mirrored. The plain build without source maps, once more, is the control.
 */

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '5' } } });
const blocks = positive('--pairs', values.pairs);

/** @type {Record<string, {sourcemap?: boolean, plugin?: object, isFirst?: boolean}>} */
const VARIANTS = {
  plain: {},
  'plain again': {},
  'plain, source maps': { sourcemap: true },
  plugin: { plugin: {} },
  'plugin, shadow': { plugin: { probe: 'shadow' } },
  'plugin, first build after npm install': { plugin: {}, isFirst: true },
};
const BUILD = `
const [root, options] = process.argv.slice(1);
const { sourcemap = false, plugin } = JSON.parse(options);
const { build } = await import('vite');
const plugins = plugin ? [(await import('polyprof/vite')).default(plugin)] : [];
await build({ root, configFile: false, logLevel: 'error', build: { outDir: 'dist', emptyOutDir: true, sourcemap }, plugins });`;

const folder = mkdtempSync(join(tmpdir(), 'polyprof-vite-'));
const host = machine();
try {
  const apps = { 'examples/vite-app': exampleApp(), 'react-dom and three': largeApp() };
  console.log(
    `${host.cores} × ${host.cpu}, Node ${host.node}, ${host.date}. Time of a build, relative to the plain one.\n`,
  );
  console.log('| app | plain, ms | variant | ratio | interval |\n|---|---|---|---|---|');
  for (const [app, root] of Object.entries(apps)) {
    /** @type {Map<string, number[]>} mean ms per block */
    const means = new Map(Object.keys(VARIANTS).map((name) => [name, []]));
    for (let block = 0; block < blocks; block++) {
      /** @type {Map<string, number>} */
      const sums = new Map();
      for (const name of blockOrder(Object.keys(VARIANTS), block))
        sums.set(name, (sums.get(name) ?? 0) + msOfBuild(root, VARIANTS[name]));
      for (const [name, sum] of sums) means.get(name)?.push(sum / 2);
    }
    const plain = means.get('plain') ?? [];
    for (const [name, series] of means) {
      if (name === 'plain') continue;
      const ratios = series.map((ms, block) => ms / plain[block]);
      const interval = medianInterval(ratios).map((bound) => bound.toFixed(2));
      console.log(
        `| ${app} | ${median(plain).toFixed(0)} | ${name} | ${median(ratios).toFixed(2)} | ${interval.join(' – ')} |`,
      );
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
function msOfBuild(root, { isFirst, ...options }) {
  if (isFirst) rmSync(join(root, 'node_modules/.cache'), { recursive: true, force: true });
  const begin = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', BUILD, root, JSON.stringify(options)],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the build of ${root} failed:\n${stderr}`);
  return performance.now() - begin;
}
