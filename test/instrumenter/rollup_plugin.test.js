import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import polyprofRolldown from '../../instrumenter/entries/rolldown.js';
import polyprofRollup from '../../instrumenter/entries/rollup.js';
import { site } from './lib/command_line.js';

const SOURCE = `export function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.sqrt(i);
  return sum;
}
`;

for (const [name, bundler, polyprof] of /** @type {[string, any, (options: any) => any][]} */ ([
  ['rollup', rollup, polyprofRollup],
  ['rolldown', rolldown, polyprofRolldown],
])) {
  for (const asked of [true, 'hidden', 'inline']) {
    test(`${name}: of outputs in one folder, written at once, those have maps that are to: ${asked}`, async (t) => {
      const { folder, read, list } = site(t, { 'app.js': SOURCE });
      const dir = join(folder, 'out');
      const outputs = [
        { dir, sourcemap: asked },
        { dir, entryFileNames: '[name].min.js' },
      ];
      for (const both of [outputs, outputs.toReversed()]) {
        const plugins = [polyprof({ minWeight: 0, runtime: 'external' })];
        const bundle = await bundler({ input: join(folder, 'app.js'), plugins });
        await Promise.all(both.map((output) => bundle.write(output)));
        await bundle.close();
        assert.deepEqual(
          list('out').filter((file) => file.endsWith('.map')),
          asked === 'inline' ? [] : ['app.js.map'],
        );
        assert.equal(/sourceMappingURL/.test(read('out/app.js')), asked !== 'hidden');
        assert.doesNotMatch(read('out/app.min.js'), /sourceMappingURL/);
        assert.match(read('out/app.min.js'), /__ppF/);
      }
    });
  }

  for (const format of [
    'es',
    'esm',
    'module',
    'cjs',
    'commonjs',
    ...(name === 'rollup' ? ['systemjs'] : []),
  ]) {
    test(`${name}: a hidden map is written if the format is called ${format}`, async (t) => {
      const { folder, list } = site(t, { 'app.js': SOURCE });
      const plugins = [polyprof({ minWeight: 0, runtime: 'external' })];
      const bundle = await bundler({ input: join(folder, 'app.js'), plugins });
      await bundle.write({ dir: join(folder, 'out'), format, sourcemap: 'hidden' });
      await bundle.close();
      assert.ok(list('out').includes('app.js.map'));
    });
  }
}
