import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import esbuild from 'esbuild';
import polyprof from '../../instrumenter/entries/esbuild.js';
import { site } from './lib/command_line.js';

const SOURCE = `export function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.sqrt(i);
  return sum;
}
`;

/** @param {string} root @param {any} [options] of esbuild @param {any} [own] options of the plugin @returns {Promise<any>} */
const build = (root, options, own) =>
  esbuild.build({
    absWorkingDir: root,
    entryPoints: ['app.js'],
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    plugins: [polyprof({ minWeight: 0, runtime: 'external', ...own })],
    ...options,
  });

test('an input file is not overwritten, as without the plugin, unless that is allowed', async (t) => {
  const { folder, read } = site(t, { 'app.js': SOURCE });
  const refused = (/** @type {any} */ { errors }) =>
    errors.length === 1 &&
    errors[0].text === 'Refusing to overwrite input file "app.js" (use "allowOverwrite: true" to allow this)';
  const overwriting = { outfile: 'app.js' };
  await assert.rejects(build(folder, { ...overwriting, plugins: [] }), refused);
  await assert.rejects(build(folder, overwriting), refused);
  assert.equal(read('app.js'), SOURCE);
  assert.equal((await build(folder, { ...overwriting, write: false })).outputFiles.length, 2);
  await build(folder, { ...overwriting, allowOverwrite: true });
  assert.match(read('app.js'), /__ppF/);
});

test('an input file is not overwritten by what the plugin adds', async (t) => {
  const { folder, read } = site(t, {
    'app.js': "import './out/app.js.ppft';\nexport * from './a.js?once';\n",
    'a.js': SOURCE,
    'out/app.js.ppft': 'text',
  });
  const loader = { '.ppft': 'text' };
  await assert.rejects(
    build(folder, { loader, outdir: 'out' }),
    /Refusing to overwrite input file "out\/app\.js\.ppft"/,
  );
  assert.equal(read('out/app.js.ppft'), 'text');
  await assert.rejects(
    build(folder, { loader, outfile: 'a.js' }),
    /Refusing to overwrite input file "a\.js"/,
  );
});

test('a build that fails has the errors of esbuild, and no others', async (t) => {
  const { folder } = site(t, { 'app.js': "import './none.js';" });
  await assert.rejects(
    build(folder, { outdir: 'out' }),
    ({ errors }) => errors.length === 1 && errors[0].text === 'Could not resolve "./none.js"',
  );
});

for (const sourcemap of [undefined, 'inline', true]) {
  test(`the metafile says of the files that are written how long they are, with sourcemap: ${sourcemap}`, async (t) => {
    const { folder, list } = site(t, { 'app.js': SOURCE });
    const own = { runtime: 'inject' };
    const { metafile } = await build(folder, { outdir: 'out', sourcemap, metafile: true }, own);
    const lengths = list('out').map((name) => [`out/${name}`, statSync(join(folder, 'out', name)).size]);
    const told = Object.entries(/** @type {Record<string, {bytes: number}>} */ (metafile.outputs));
    assert.deepEqual(
      Object.fromEntries(told.map(([name, { bytes }]) => [name, bytes])),
      Object.fromEntries(lengths),
    );
    assert.equal(metafile.outputs['out/app.js'].entryPoint, 'app.js');
    assert.deepEqual(metafile.outputs['out/app.js.ppft'].imports, []);
    assert.equal((await build(folder, { outdir: 'out' })).metafile, undefined);
  });
}

for (const js of ['', '// The end.']) {
  test(`what the footer says stands before the comment on licenses, and nothing of ours: '${js}'`, async (t) => {
    const { folder, read } = site(t, { 'app.js': `/*! Of somebody. */\n${SOURCE}` });
    await build(folder, { outfile: 'out/app.js', legalComments: 'linked', footer: { js } });
    const code = read('out/app.js');
    assert.match(code, /__ppF/);
    assert.doesNotMatch(code, /\/\*polyprof/);
    const comment = '/*! For license information please see app.js.LEGAL.txt */\n';
    assert.ok(code.endsWith(js ? `\n${js}\n${comment}` : `\n${comment}`), code);
    assert.ok(!code.endsWith(`\n\n${comment}`), code);
  });
}

test('a build to nowhere is told that tables need a place', async (t) => {
  const { folder } = site(t, { 'app.js': SOURCE });
  for (const write of [true, false])
    await assert.rejects(build(folder, { write }), /polyprof: set outfile or outdir, .* lie beside scripts/);
});
