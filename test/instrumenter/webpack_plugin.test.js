import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rspack } from '@rspack/core';
import webpack from 'webpack';
import polyprofRspack from '../../instrumenter/entries/rspack.js';
import polyprofWebpack from '../../instrumenter/entries/webpack.js';
import { site } from './lib/command_line.js';

const SOURCE = `export function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.sqrt(i);
  return sum;
}
console.log(work(10));
`;

/**
 * @param {import('node:test').TestContext} context
 * @param {any} bundler
 * @param {any[]} plugins
 * @param {object} [options]
 */
async function built(context, bundler, plugins, options) {
  const { folder, read } = site(context, { 'app.js': SOURCE });
  const compiler = bundler({
    context: folder,
    mode: 'production',
    entry: './app.js',
    output: { path: join(folder, 'out') },
    devtool: false,
    plugins,
    ...options,
  });
  const stats = await new Promise((resolve, reject) =>
    compiler.run((/** @type {Error | null} */ error, /** @type {any} */ done) =>
      error ? reject(error) : resolve(done),
    ),
  );
  await new Promise((resolve) => compiler.close(resolve));
  /** @type {{message: string}[]} */
  const warnings = stats.toJson({ all: false, warnings: true }).warnings;
  return {
    files: readdirSync(join(folder, 'out')).sort(),
    read: (/** @type {string} */ name) => read(`out/${name}`),
    warnings: warnings.map(({ message }) => message),
  };
}

for (const [name, bundler, polyprof] of /** @type {[string, any, (options: any) => any][]} */ ([
  ['webpack', webpack, polyprofWebpack],
  ['rspack', rspack, polyprofRspack],
])) {
  const ours = () => polyprof({ minWeight: 0, runtime: 'external' });

  test(`${name}: maps by a plugin of the user's own are written and named, wherever it is in the list`, async (t) => {
    const theirs = () => new bundler.SourceMapDevToolPlugin({ filename: '[file].map' });
    for (const plugins of [
      [theirs(), ours()],
      [ours(), theirs()],
    ]) {
      const { files, read } = await built(t, bundler, plugins);
      assert.deepEqual(files, ['main.js', 'main.js.map', 'main.js.ppft']);
      assert.match(read('main.js'), /__ppF.*\n\/\/# sourceMappingURL=main\.js\.map$/s);
      assert.match(JSON.parse(read('main.js.map')).sources.join(), /\/app\.js/);
    }
  });

  test(`${name}: in development, where no maps are asked for but by a plugin of the user's own, functions have probes`, async (t) => {
    const plugins = [ours(), new bundler.SourceMapDevToolPlugin({ filename: '[file].map' })];
    const unset = { mode: 'development', devtool: undefined };
    const { files, read, warnings } = await built(t, bundler, plugins, unset);
    assert.deepEqual(files, ['main.js', 'main.js.map', 'main.js.ppft']);
    assert.match(read('main.js'), /function work\(n\) ?\{[^}]*__ppF/);
    assert.equal(read('main.js').match(/sourceMappingURL=main\.js\.map/g)?.length, 1);
    assert.match(JSON.parse(read('main.js.map')).sources.join(), /\/app\.js/);
    assert.deepEqual(warnings, []);
  });

  for (const kind of ['EvalSourceMapDevToolPlugin', 'EvalDevToolModulePlugin']) {
    test(`${name}: that ${kind} hides functions is told, and nothing has probes`, async (t) => {
      const { files, warnings } = await built(t, bundler, [ours(), new bundler[kind]({})]);
      assert.deepEqual(files, ['main.js']);
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0],
        new RegExp(`polyprof: ${kind} hides functions from probes: use SourceMapDevToolPlugin`),
      );
    });
  }
}
