import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rspack } from '@rspack/core';
import { RspackDevServer } from '@rspack/dev-server';
import esbuild from 'esbuild';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import * as vite from 'vite';
import webpack from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import polyprofEsbuild from '../../instrumenter/entries/esbuild.js';
import polyprofRspack from '../../instrumenter/entries/rspack.js';
import polyprofVite from '../../instrumenter/entries/vite.js';
import polyprofWebpack from '../../instrumenter/entries/webpack.js';
import { writePage } from './bundlers.js';
import { serve } from './server.js';

/**
 * One app while it is developed: bundlers that serve it, as their users have them.
 *
 * @typedef {object} Development
 * @property {string} origin
 * @property {(file: string) => Promise<unknown>} changed resolves when the next change of the file is in what is served
 * @property {() => Promise<unknown>} close
 */

/**
 * `reloads`: pages are told of changes, and load them, as users have it.
 * @typedef {(root: string, options: import('../../instrumenter/plugin/plugin_options.js').PolyprofOptions, reloads: boolean) => Promise<Development>} Start
 */

const HOST = '127.0.0.1';
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** A page that Vite does not know, as frameworks whose servers write them have it. */
const WRITTEN = {
  name: 'written',
  configureServer: (/** @type {vite.ViteDevServer} */ { middlewares }) => {
    middlewares.use('/written', (_, response) => {
      response.setHeader('Content-Type', 'text/html');
      for (const [name, value] of Object.entries(ISOLATED)) response.setHeader(name, value);
      response.end('<!doctype html><script type="module" src="/src/index.js"></script>');
    });
  },
};

/** @type {Record<string, Start>} */
export const DEV_SERVERS = {
  async vite(root, options, reloads) {
    const server = await vite.createServer({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [polyprofVite(options), WRITTEN],
      server: { host: HOST, port: 0, headers: ISOLATED, ...(!reloads && { hmr: false }) },
    });
    await server.listen();
    return {
      origin: originOf(server.httpServer),
      changed: () => once(server.watcher, 'change'),
      close: () => server.close(),
    };
  },

  async webpack(root, options, reloads) {
    const plugins = [new HtmlWebpackPlugin(), polyprofWebpack(options)];
    return serveCompiler(webpack({ ...OF_PACKS, context: root, plugins }), WebpackDevServer, reloads);
  },

  async rspack(root, options, reloads) {
    const plugins = [new rspack.HtmlRspackPlugin(), polyprofRspack(options)];
    return serveCompiler(rspack({ ...OF_PACKS, context: root, plugins }), RspackDevServer, reloads);
  },

  // Its own server has what it made before plugins saw it: it writes to a folder that is served by another one, and tells pages nothing.
  async esbuild(root, options) {
    const out = join(root, '../esbuild watch');
    mkdirSync(out, { recursive: true });
    /** @type {() => void} */
    let onEnd = () => {};
    const context = await esbuild.context({
      absWorkingDir: root,
      entryPoints: ['src/index.js'],
      entryNames: '[name]-dev',
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: out,
      sourcemap: true,
      logLevel: 'silent',
      plugins: [polyprofEsbuild(options), { name: 'end', setup: (build) => build.onEnd(() => onEnd()) }],
    });
    const changed = () => new Promise((resolve) => (onEnd = () => resolve(undefined)));
    const first = changed();
    await context.watch();
    await first;
    if (!readdirSync(out).includes('index.html')) writePage(out, { module: true });
    const server = await serve({ folders: { '/': out } });
    return {
      origin: new URL(server.url('/')).origin,
      changed,
      close: () => Promise.all([server.close(), context.dispose()]),
    };
  },
};

/** Options of webpack and Rspack, but for what is not the same in both. */
const OF_PACKS = {
  mode: /** @type {const} */ ('development'),
  entry: { index: './src/index.js' },
  stats: /** @type {const} */ ('none'),
  infrastructureLogging: { level: /** @type {const} */ ('none') },
};

/** @param {any} compiler @param {any} Server @param {boolean} reloads @returns {Promise<Development>} */
async function serveCompiler(compiler, Server, reloads) {
  /** When the compiler has done its work for a file, or at all; fails as the build does. @param {string} [file] */
  const changed = (file) =>
    new Promise((resolve, reject) =>
      compiler.hooks.done.tap('test', (/** @type {any} */ stats) => {
        if (stats.hasErrors() || stats.hasWarnings()) reject(new Error(stats.toString()));
        // Files that were made just before the start may be found to be new by a second build.
        else if (!file || compiler.modifiedFiles?.has(file)) resolve(undefined);
      }),
    );
  const first = changed();
  const options = {
    host: HOST,
    port: 0,
    hot: reloads,
    liveReload: reloads,
    headers: ISOLATED,
    static: false,
  };
  const server = new Server({ ...options, setupExitSignals: false }, compiler);
  await server.start();
  await first;
  return { origin: originOf(server.server), changed, close: () => server.stop() };
}

/** @param {any} server that listens */
function originOf(server) {
  return `http://${HOST}:${server.address().port}`;
}
