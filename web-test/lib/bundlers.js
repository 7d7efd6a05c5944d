import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rspack } from '@rspack/core';
import esbuild from 'esbuild';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';
import polyprofEsbuild from '../../instrumenter/entries/esbuild.js';
import polyprofRolldown from '../../instrumenter/entries/rolldown.js';
import polyprofRollup from '../../instrumenter/entries/rollup.js';
import polyprofRspack from '../../instrumenter/entries/rspack.js';
import polyprofVite from '../../instrumenter/entries/vite.js';
import polyprofWebpack from '../../instrumenter/entries/webpack.js';

/**
 * One small app, built by every bundler as its users would.
 *
 * @typedef {import('../../instrumenter/plugin/plugin_options.js').PolyprofOptions} PolyprofOptions
 * @typedef {object} Build
 * @property {string} root of the app
 * @property {string} out folder to write to
 * @property {PolyprofOptions} options of our plugin
 * @property {boolean} [sourceMaps] publish them; default true
 * @property {boolean} [makesPage] the page comes from the bundler's own plugins, so that ours can change it
 * @property {string} [base] path that the output is served at; default `/`
 * @property {boolean} [minify] of webpack and Rspack, for whose minifier most of a build's time goes; default true
 * @property {string} [scripts] folder for scripts, of webpack and Rspack; default none
 * @property {string} [chunkFilename] of webpack and Rspack, whose minifiers take letters for names by how often they are in the code, hashes included
 */

const APP = fileURLToPath(new URL('../fixtures/bundled_app/', import.meta.url));
const NODE_MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** @param {string} folder @returns {string} the app in it */
export function makeApp(folder) {
  const root = join(folder, 'app');
  cpSync(APP, root, { recursive: true });
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  cpSync(join(NODE_MODULES, 'marked'), join(root, 'node_modules/marked'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'app', type: 'module' }));
  return root;
}

/** @type {Record<string, (build: Build) => Promise<unknown>>} */
export const BUNDLERS = {
  vite: ({ root, out, options, sourceMaps = true, base = '/' }) =>
    vite.build({
      root,
      base,
      configFile: false,
      logLevel: 'error',
      build: { outDir: out, sourcemap: sourceMaps },
      plugins: [polyprofVite(options)],
    }),

  async rollup({ root, out, options, sourceMaps = true, makesPage = false }) {
    const bundle = await inFolder(root, () =>
      rollup({
        input: join(root, 'src/index.js'),
        plugins: [findMarked(root), makesPage && pageOfEntries, polyprofRollup(options), minifier],
      }),
    );
    await inFolder(root, () =>
      bundle.write({ dir: out, entryFileNames: '[name]-[hash].js', sourcemap: sourceMaps }),
    );
    if (!makesPage) writePage(out, { module: true });
  },

  async rolldown({ root, out, options, sourceMaps = true, makesPage = false }) {
    const bundle = await inFolder(root, () =>
      rolldown({
        input: join(root, 'src/index.js'),
        plugins: [makesPage && pageOfEntries, polyprofRolldown(options)],
      }),
    );
    await inFolder(root, () =>
      bundle.write({ dir: out, entryFileNames: '[name]-[hash].js', sourcemap: sourceMaps, minify: true }),
    );
    if (!makesPage) writePage(out, { module: true });
  },

  async webpack({ out, options, makesPage = false, ...build }) {
    await runCompiler(webpack, {
      ...webpackOptions({ ...build, out }, webpackMinimizer),
      plugins: [makesPage && new HtmlWebpackPlugin(), polyprofWebpack(options)],
    });
    if (!makesPage) writePage(out, {});
  },

  async rspack({ out, options, makesPage = false, ...build }) {
    await runCompiler(rspack, {
      ...webpackOptions({ ...build, out }),
      plugins: [makesPage && new rspack.HtmlRspackPlugin(), polyprofRspack(options)],
    });
    if (!makesPage) writePage(out, {});
  },

  async esbuild({ root, out, options, sourceMaps = true }) {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/index.js'],
      entryNames: '[name]-[hash]',
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      outdir: out,
      sourcemap: sourceMaps,
      logLevel: 'silent',
      plugins: [polyprofEsbuild(options)],
    });
    writePage(out, { module: true });
  },
};

/** Not a dependency of ours. */
const MinimizerPlugin = createRequire(import.meta.resolve('webpack/package.json'))(
  'minimizer-webpack-plugin',
);

/**
 * As webpack has it, but here and not in a thread: each build would start one, which loads and compiles terser anew.
 * @returns {any[]}
 */
export function webpackMinimizer() {
  const minimizerOptions = { compress: { passes: 2 } };
  return [new MinimizerPlugin({ minify: MinimizerPlugin.terserMinify, minimizerOptions, parallel: false })];
}

/** @param {Omit<Build, 'options' | 'makesPage'>} build @param {() => any[]} [minimizer] default: the bundler's own @returns {any} */
function webpackOptions(
  { root, out, sourceMaps = true, base = 'auto', minify = true, scripts = '', chunkFilename },
  minimizer,
) {
  return {
    context: root,
    mode: 'production',
    entry: { index: './src/index.js' },
    output: { path: out, filename: `${scripts}[name]-[contenthash].js`, chunkFilename, publicPath: base },
    devtool: sourceMaps ? 'source-map' : false,
    optimization: { minimize: minify, minimizer: minimizer?.() },
    performance: false,
  };
}

/** @param {any} bundler @param {any} options */
async function runCompiler(bundler, options) {
  const compiler = bundler(options);
  const stats = await new Promise((resolve, reject) =>
    compiler.run((/** @type {Error | null} */ error, /** @type {any} */ stats) =>
      error ? reject(error) : resolve(stats),
    ),
  );
  await new Promise((resolve) => compiler.close(resolve));
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
}

/** Rollup takes its root from where it runs. @template T @param {string} folder @param {() => Promise<T>} work */
async function inFolder(folder, work) {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

/** Rollup finds no packages by itself. @param {string} root */
function findMarked(root) {
  return {
    name: 'find-marked',
    resolveId: (/** @type {string} */ id) =>
      id === 'marked' ? join(root, 'node_modules/marked/lib/marked.esm.js') : null,
  };
}

/** A page for the entries, as @rollup/plugin-html makes. */
const pageOfEntries = {
  name: 'page',
  /** @this {any} @param {unknown} _ @param {Record<string, any>} bundle */
  generateBundle(_, bundle) {
    const entries = Object.values(bundle).filter(({ isEntry }) => isEntry);
    const scripts = entries.map(({ fileName }) => `<script type="module" src="${fileName}"></script>`);
    const source = `<!doctype html><title>app</title>${scripts.join('')}`;
    this.emitFile({ type: 'asset', fileName: 'index.html', source });
  },
};

const minifier = {
  name: 'minifier',
  /** @param {string} code */
  async renderChunk(code) {
    const result = await esbuild.transform(code, { minify: true, sourcemap: 'external', format: 'esm' });
    return { code: result.code, map: result.map };
  },
};

/** For the entry in a folder. @param {string} out @param {{module?: boolean}} script */
export function writePage(out, { module = false }) {
  const name = readdirSync(out).find((file) => /^index-.*\.js$/.test(file));
  const type = module ? ' type="module"' : '';
  writeFileSync(
    join(out, 'index.html'),
    `<!doctype html><title>app</title><script${type} src="${name}"></script>`,
  );
}
