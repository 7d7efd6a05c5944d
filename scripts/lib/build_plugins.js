import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './run.js';

const PLUGINS = ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild'];

/** Packages that every build with a plugin needs, and needs at once. */
const BUNDLED = /^(?:unplugin|picomatch|magic-string|@jridgewell\/[\w-]+|@babel\/parser)$/;

/**
 * Bundlers' plugins in few files: each that Node has to find and read adds a millisecond or two to every build. They are as deep as
 * instrumenter/plugin/, so that what they look for by a relative path is where it was.
 * @param {string} outdir absolute
 */
export async function buildPlugins(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const common = /** @type {const} @satisfies {import('esbuild').BuildOptions} */ ({
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    platform: 'node',
    external: Object.keys(dependencies).filter((name) => !BUNDLED.test(name)),
    metafile: true,
  });
  /** @type {Set<string>} */
  const packages = new Set();
  const bundle = async (/** @type {import('esbuild').BuildOptions} */ options) => {
    const { metafile } = await build({ ...common, ...options });
    for (const input of Object.keys(metafile?.inputs ?? {})) {
      const folder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (folder) packages.add(folder);
    }
  };

  for (const name of PLUGINS) {
    // For these unplugin loads packages of its own, which it has to look for where it is.
    const external = /pack$/.test(name) ? [...common.external, 'unplugin'] : common.external;
    // Of one entry: only what it imports later has a file of its own.
    await bundle({
      entryPoints: [`instrumenter/entries/${name}.js`],
      external,
      splitting: true,
      format: 'esm',
    });
  }
  // The thread and the process are started by their files.
  await bundle({
    entryPoints: ['instrumenter/plugin/chunk_thread.js'],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [BABEL_PARSER],
  });
  await bundle({ entryPoints: ['instrumenter/plugin/chunk_process.js'], format: 'esm' });

  for (const name of ['runtime', 'start_thread.cjs', 'code_cache.cjs'])
    cpSync(join(ROOT, 'instrumenter/plugin', name), join(outdir, name), { recursive: true });
  writeFileSync(join(outdir, 'LICENSES.txt'), licensesOf([...packages].sort()));
}

/** As a part of the bundle. @type {import('esbuild').Plugin} */
const BABEL_PARSER = {
  name: 'babel parser',
  setup({ onResolve }) {
    const path = createRequire(import.meta.url).resolve('@babel/parser');
    onResolve({ filter: /\/babel_parser\.js$/ }, () => ({ path }));
  },
};

/** @param {string[]} packages folders @returns {string} the licenses of what was bundled, as they ask for */
function licensesOf(packages) {
  const texts = packages.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${folder} has no license to be bundled with`);
    return `${name} ${version}\n\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`;
  });
  return texts.join('\n\n');
}
