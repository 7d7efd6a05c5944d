import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as vite from 'vite';
import webpack from 'webpack';
import { checkTrace } from '../report/reading/check_trace.js';
import { symbolsIn } from '../report/symbols/symbol_files.js';
import { symbolicate } from '../report/symbols/symbolicate.js';
import { builtExample } from './lib/built_example.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { isTrace } from './lib/posted.js';
import { folded, framesOf } from './lib/trace.js';

/** The examples, built as their READMEs say. */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const { path: folder, release } = temporaryFolder();
after(release);

const out = Object.fromEntries(['vite', 'webpack', 'script'].map((name) => [name, join(folder, name)]));

await vite.build({ root: join(ROOT, 'examples/vite-app'), logLevel: 'error', build: { outDir: out.vite } });

const config = createRequire(import.meta.url)('../examples/webpack-app/webpack.config.cjs');
await new Promise((resolve, reject) =>
  webpack(
    { ...config, devServer: undefined, output: { ...config.output, path: out.webpack } },
    (error, stats) =>
      error || stats?.hasErrors() || stats?.hasWarnings()
        ? reject(error ?? new Error(String(stats)))
        : resolve(stats),
  ),
);
cpSync(join(ROOT, 'examples/webpack-app/index.html'), join(out.webpack, 'index.html'));

builtExample('script-tag', out.script);

/** @type {{name: string, act: (...args: any[]) => unknown, hot: string, file: RegExp, result: RegExp}[]} */
const EXAMPLES = [
  {
    name: 'vite',
    act: () => /** @type {any} */ (document.querySelector('#profile')).click(),
    hot: '#neighbours',
    file: /src\/life\.ts$/,
    result: /^\d+ samples were sent/,
  },
  {
    name: 'webpack',
    act: () => {
      const input = /** @type {any} */ (document.querySelector('input'));
      input.value = 'karunami';
      input.dispatchEvent(new Event('change'));
    },
    hot: 'editDistance',
    file: /src\/word_index\.js$/,
    result: /^[a-z]+(, [a-z]+){4}$/,
  },
  {
    name: 'script',
    act: () => /** @type {any} */ (document.querySelector('button')).click(),
    hot: 'isSafe',
    file: /queens\.js$/,
    result: /^14200 solutions$/,
  },
];

for (const { name, act, hot, file, result } of EXAMPLES) {
  eachEngine(
    `the ${name} example works, and sends a trace in which ${hot} is hot`,
    { path: '/index.html', serve: { folders: { '/': out[name] } } },
    async ({ page, server }) => {
      // The browser's own profiler would know no original names.
      await page.evaluate(() => /** @type {any} */ (globalThis).polyprof.install({ force: true }));
      await page.evaluate(act);
      const { body } = await server.request(isTrace);
      const trace = /** @type {any} */ (
        symbolicate(checkTrace(JSON.parse(body.toString())), symbolsIn(out[name]))
      );
      const leaves = trace.samples.map((/** @type {any} */ { stackId }) => framesOf(trace, stackId)[0]);
      const mine = leaves.filter(
        (/** @type {any} */ frame) => frame?.name === hot && file.test(trace.resources[frame.resourceId]),
      );
      assert.ok(mine.length > 0.3 * leaves.length, folded(trace));
      const text = await page.evaluate(() => {
        const element = /** @type {any} */ (document.querySelector('#result, output'));
        return element.value ?? element.textContent;
      });
      assert.match(text, result);
    },
  );
}
