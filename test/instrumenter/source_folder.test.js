import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import polyprofRolldown from '../../instrumenter/entries/rolldown.js';
import polyprofRollup from '../../instrumenter/entries/rollup.js';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { sourceFolder } from '../../instrumenter/plugin/source_folder.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { makeApp } from '../../web-test/lib/bundlers.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

const { path: folder, release } = temporaryFolder();
after(release);
const root = makeApp(folder);

for (const [name, bundle, plugin] of /** @type {[string, any, any][]} */ ([
  ['rollup', rollup, polyprofRollup],
  ['rolldown', rolldown, polyprofRolldown],
])) {
  test(`${name}: sources have their own paths where maps have them relative to another folder than that of the output`, async () => {
    const { generate } = await bundle({
      input: path.join(root, 'src/index.js'),
      external: /^virtual:/,
      plugins: [plugin({ minWeight: 5, include: [path.relative(process.cwd(), root) + '/src/**'] })],
    }).then((/** @type {any} */ build) => ({ generate: build.generate.bind(build) }));
    const { output } = await generate({
      dir: path.join(folder, 'node_modules/.cache/out'),
      sourcemap: true,
      // As if the output lay beside the sources.
      sourcemapPathTransform: (/** @type {string} */ source, /** @type {string} */ map) =>
        path.relative(path.join(root, 'dist/client'), path.resolve(path.dirname(map), source)),
    });
    const probed = output
      .filter((/** @type {any} */ { fileName }) => fileName.endsWith('.ppft'))
      .flatMap((/** @type {any} */ { source }) => readFunctionTable(source).functions)
      .filter((/** @type {any} */ { flags }) => flags & FunctionFlag.PROBED)
      .map((/** @type {any} */ { origin }) => path.resolve(origin?.source ?? ''));
    assert.ok(probed.includes(path.join(root, 'src/primes.js')), probed.join());
  });
}

test('the folder of a chunk stays if its sources are no more modules from elsewhere', () => {
  const modules = ['/app/src/a.js', '/app/src/b.js?query', '\0virtual'];
  assert.equal(sourceFolder(['../src/a.js', '../lib/b.js'], modules, '/app/dist'), '/app/dist');
  assert.equal(sourceFolder(['../../src/a.js', null], modules, '/app/dist'), '/app/x/x');
  assert.equal(sourceFolder(['../../src/b.js'], modules, '/app/dist'), '/app/x/x');
  assert.equal(sourceFolder(['../other/c.js', null], modules, '/app/dist'), '/app/dist');
});
