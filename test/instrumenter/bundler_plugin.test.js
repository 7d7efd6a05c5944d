import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import * as vite from 'vite';
import * as vite5 from 'vite5';
import webpack from 'webpack';
import polyprofEsbuild from '../../instrumenter/entries/esbuild.js';
import polyprofRolldown from '../../instrumenter/entries/rolldown.js';
import polyprofRollup from '../../instrumenter/entries/rollup.js';
import polyprofVite from '../../instrumenter/entries/vite.js';
import polyprofWebpack from '../../instrumenter/entries/webpack.js';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { BUNDLERS, makeApp, webpackMinimizer } from '../../web-test/lib/bundlers.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

const { path: folder, release } = temporaryFolder();
after(release);
const root = makeApp(folder);
let outputs = 0;

/** @param {string} bundler @param {Partial<import('../../web-test/lib/bundlers.js').Build>} [build] */
async function built(bundler, build = {}) {
  const out = join(folder, `out ${outputs++}`);
  await BUNDLERS[bundler]({ root, out, options: { minWeight: 5 }, ...build });
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
  return {
    files,
    names: files.map((file) => file.replace(/^.*\//, '')),
    read: (/** @type {string} */ file) => readFileSync(join(out, file)),
    /** Probed functions, as `original name source`. */
    probed: files
      .filter((file) => file.endsWith('.ppft'))
      .flatMap((file) => readFunctionTable(readFileSync(join(out, file))).functions)
      .filter(({ flags }) => flags & FunctionFlag.PROBED)
      .map(({ origin }) => `${origin?.name} ${origin?.source}`),
  };
}

/** The usual build of a bundler, which several tests look at. @type {Map<string, ReturnType<typeof built>>} */
const usualBuilds = new Map();

/** @param {string} bundler */
function usual(bundler) {
  const made = usualBuilds.get(bundler) ?? built(bundler);
  usualBuilds.set(bundler, made);
  return made;
}

for (const name of ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild']) {
  test(`${name}: the plugin does not load the instrumenter where the bundler runs: its thread does`, async () => {
    const entry = `instrumenter/entries/${name}.js`;
    const { metafile } = await esbuild.build({
      ...{ entryPoints: [entry], bundle: true, write: false, metafile: true, outdir: folder },
      ...{ platform: 'node', format: 'esm', packages: 'external' },
    });
    const loaded = new Set([entry]);
    for (const file of loaded) {
      for (const { path, kind, external } of metafile.inputs[file].imports)
        if (kind === 'import-statement' && !external) loaded.add(path);
    }
    assert.ok(loaded.has('instrumenter/plugin/chunk_instrumenter.js'));
    assert.ok(!loaded.has('instrumenter/instrument.js'));
  });
}

for (const [options, message] of /** @type {[any, RegExp][]} */ ([
  [{ prob: 'flag' }, /^polyprof: there is no option 'prob': there is probe, include,/],
  [{ probe: 'laser' }, /^polyprof: probe must be 'flag' or 'shadow', not 'laser'$/],
  [{ runtime: 'none' }, /^polyprof: runtime must be 'inject' or 'external', not 'none'$/],
  [
    { install: { policy: 'some' } },
    /^polyprof: install\.policy must be 'self' or 'allow' or 'deny', not 'some'$/,
  ],
  [{ install: { polcy: 'deny' } }, /^polyprof: install has no option 'polcy': it has force, policy,/],
  [{ install: 'deny' }, /^polyprof: install must be an object, not 'deny'$/],
  [
    { install: { policy: 'deny' }, runtime: 'external' },
    /^polyprof: install is for .* call polyprof\.install\(\) in the page$/,
  ],
  [{ minWeight: '10' }, /^polyprof: minWeight must be a number of at least 0, not '10'$/],
  [{ minWeight: NaN }, /minWeight must be a number of at least 0, not NaN$/],
  [{ enabled: 'yes' }, /^polyprof: enabled must be true or false, not 'yes'$/],
  [{ include: [1] }, /^polyprof: include must hold package names, globs and regular expressions.*not 1$/],
  [{ exclude: '' }, /^polyprof: exclude must hold/],
  ['flag', /^polyprof: options must be an object, not 'flag'$/],
])) {
  test(`the options ${JSON.stringify(options)} are refused, and the message says what there is`, () => {
    for (const plugin of [polyprofVite, polyprofWebpack, polyprofEsbuild]) {
      assert.throws(() => plugin(options), { name: 'TypeError', message });
    }
  });
}

test('rolldown: its own helpers, which it transforms while the entry is on its way, do not import the polyfill', async () => {
  const { names } = await usual('rolldown');
  assert.deepEqual(
    names.filter((name) => /runtime.*\.js$/.test(name)),
    [],
  );
});

for (const bundler of Object.keys(BUNDLERS)) {
  test(`${bundler}: maps that nobody asked for are not written, and the tables have the original names all the same`, async () => {
    const { files, probed, read } = await built(bundler, { sourceMaps: false });
    assert.deepEqual(
      files.filter((file) => file.endsWith('.map')),
      [],
    );
    for (const file of files.filter((file) => file.endsWith('.js'))) {
      assert.doesNotMatch(read(file).toString(), /sourceMappingURL/);
    }
    assert.ok(
      probed.includes('isPrime src/primes.js') && probed.includes('digitSum src/lazy.js'),
      probed.join(),
    );
  });

  test(`${bundler}: names of files change when an option changes what is in them, and only then`, async () => {
    const scripts = (/** @type {{files: string[]}} */ { files }) =>
      files.filter((file) => /\w-[\w-]+\.js$/.test(file));
    const one = scripts(await usual(bundler));
    assert.ok(one.some((file) => /index-/.test(file)));
    assert.deepEqual(scripts(await built(bundler)), one);
    const other = scripts(await built(bundler, { options: { minWeight: 0 } }));
    const index = (/** @type {string[]} */ files) => files.find((file) => /index-/.test(file));
    assert.notEqual(index(other), index(one));
  });

  test(`${bundler}: a dependency is left out by its name, and sources by globs and regular expressions`, async () => {
    const everything = await usual(bundler);
    assert.ok(everything.probed.some((each) => each.includes('node_modules/marked/')));
    const own = await built(bundler, { options: { minWeight: 5, exclude: ['marked', /lazy/] } });
    assert.deepEqual(
      new Set(own.probed.filter((each) => /src|marked/.test(each)).map((each) => each.split(' ')[1])),
      new Set(['src/primes.js', 'src/index.js']),
    );
    const primes = await built(bundler, { options: { minWeight: 5, include: 'src/pri*.js' } });
    const sources = new Set(primes.probed.map((each) => each.split(' ')[1]));
    assert.ok(
      sources.has('src/primes.js') &&
        !sources.has('src/lazy.js') &&
        !sources.has('node_modules/marked/lib/marked.esm.js'),
      [...sources].join(),
    );
  });

  test(`${bundler}: with enabled: false the output is as without the plugin`, async () => {
    const { names } = await built(bundler, { options: { enabled: false } });
    assert.deepEqual(
      names.filter((name) => /ppft|polyprof/.test(name)),
      [],
    );
  });
}

/** What the files of a build had in them when a plugin behind ours computed digests of them, by name. @type {Map<string, string>} */
const digests = new Map();
const digestOf = (/** @type {string | Uint8Array} */ content) =>
  createHash('sha384').update(content).digest('base64');

/** As plugins for `integrity` do, behind ours in the list. @type {Record<string, (out: string) => Promise<unknown>>} */
const WITH_DIGESTS = {
  vite: (out) =>
    vite.build({
      root,
      configFile: false,
      logLevel: 'error',
      build: { outDir: out },
      plugins: [
        polyprofVite({ minWeight: 5 }),
        {
          name: 'digests',
          enforce: 'post',
          generateBundle: {
            order: 'post',
            handler(_, bundle) {
              for (const file of Object.values(bundle))
                digests.set(file.fileName, digestOf(file.type === 'chunk' ? file.code : file.source));
            },
          },
        },
      ],
    }),
  webpack: (out) =>
    compile({
      mode: 'production',
      devtool: false,
      output: { path: out, filename: '[name]-[contenthash].js' },
      plugins: [
        polyprofWebpack({ minWeight: 5 }),
        (/** @type {any} */ compiler) =>
          compiler.hooks.thisCompilation.tap('digests', (/** @type {any} */ compilation) =>
            compilation.hooks.processAssets.tap(
              // Where webpack-subresource-integrity does it: names have their hashes.
              { name: 'digests', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
              (/** @type {Record<string, any>} */ assets) => {
                for (const [name, asset] of Object.entries(assets))
                  digests.set(name, digestOf(asset.buffer()));
              },
            ),
          ),
      ],
    }),
};

for (const [bundler, build] of Object.entries(WITH_DIGESTS)) {
  test(`${bundler}: digests that a plugin behind ours computes, as for integrity, are those of the files`, async () => {
    digests.clear();
    const out = join(folder, `digests of ${bundler}`);
    await build(out);
    const scripts = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.m?js$/.test(name),
    );
    const probed = scripts.filter((name) => /__ppF/.test(readFileSync(join(out, name), 'utf8')));
    assert.ok(probed.length >= 2, scripts.join());
    for (const name of scripts)
      assert.equal(digests.get(name), digestOf(readFileSync(join(out, name))), name);
  });
}

test('webpack: a devtool that hides functions in strings is told', async () => {
  const stats = await compile({ devtool: 'eval-source-map', mode: 'development' });
  const [{ message }] = stats.toJson({ warnings: true }).warnings;
  assert.match(message, /polyprof: devtool 'eval-source-map' hides functions .* set devtool to 'source-map'/);
});

test('webpack: a hash that is made before the chunk also changes with the options', async () => {
  const names = await Promise.all(
    [5, 0].map(async (minWeight) => {
      const stats = await compile({ optimization: { realContentHash: false } }, { minWeight });
      return Object.keys(stats.compilation.assets).find((name) => /^index-.*\.js$/.test(name));
    }),
  );
  assert.equal(new Set(names).size, 2);
});

/** @param {any} more @param {any} [options] */
async function compile({ optimization, ...more }, options) {
  const compiler = webpack({
    context: root,
    mode: 'production',
    entry: { index: './src/index.js' },
    output: { path: join(folder, `out ${outputs++}`), filename: '[name]-[contenthash].js' },
    plugins: [polyprofWebpack(options)],
    optimization: { minimizer: webpackMinimizer(), ...optimization },
    ...more,
  });
  const stats = await new Promise((resolve, reject) =>
    compiler?.run((error, stats) => (error ? reject(error) : resolve(stats))),
  );
  await new Promise((resolve) => compiler?.close(resolve));
  return stats;
}

test('esbuild: maps inside the scripts, beside them, and files that are not written', async () => {
  const bundled = async (/** @type {any} */ more) => {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/primes.js'],
      bundle: true,
      format: 'esm',
      outdir: join(folder, 'not written'),
      write: false,
      plugins: [polyprofEsbuild({ minWeight: 5, runtime: 'external' })],
      ...more,
    });
    return Object.fromEntries((outputFiles ?? []).map(({ path, text }) => [path.replace(/^.*\//, ''), text]));
  };
  const inline = await bundled({ sourcemap: 'inline' });
  assert.deepEqual(Object.keys(inline).sort(), ['primes.js', 'primes.js.ppft']);
  const [, data] = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(inline['primes.js']) ?? [];
  assert.deepEqual(JSON.parse(Buffer.from(data, 'base64').toString()).sources, ['../app/src/primes.js']);
  const linked = await bundled({ sourcemap: true, banner: { js: '/* own */' }, footer: { js: '/* end */' } });
  assert.match(
    linked['primes.js'],
    /\/\* own \*\/[^]*\/\* end \*\/\n\/\/# sourceMappingURL=primes\.js\.map\n$/,
  );
  assert.deepEqual(Object.keys(linked).sort(), ['primes.js', 'primes.js.map', 'primes.js.ppft']);
  assert.deepEqual(Object.keys(await bundled({})).sort(), ['primes.js', 'primes.js.ppft']);
  await assert.rejects(
    esbuild.build({
      entryPoints: [join(root, 'src/primes.js')],
      plugins: [polyprofEsbuild()],
      logLevel: 'silent',
    }),
    /needs bundle: true; or set runtime: 'external'/,
  );
});

test("esbuild: Bun's bundler, which takes the plugin but would not write what it makes, is told so", async () => {
  // As Bun 1.4.5 gives it to plugins.
  const build = { initialOptions: {}, config: {}, onBeforeParse() {}, onEnd() {} };
  await assert.rejects(
    async () => polyprofEsbuild().setup(/** @type {any} */ (build)),
    /Bun\.build .*instrument/,
  );
});

/** @param {number} minWeight @returns {Promise<{warnings: string, output: any[]}>} of a chunk that another plugin changed without a map */
async function changedWithoutMap(minWeight) {
  /** @type {string[]} */
  const warnings = [];
  const bundle = await rollup({
    input: join(root, 'src/primes.js'),
    onwarn: ({ message }) => void warnings.push(message),
    plugins: [
      {
        name: 'banner',
        generateBundle: (_, files) => {
          for (const chunk of Object.values(files))
            if ('code' in chunk) chunk.code = `/* by us */\n${chunk.code}`;
        },
      },
      polyprofRollup({ minWeight, runtime: 'external' }),
    ],
  });
  const { output } = await bundle.generate({ format: 'es', sourcemap: true });
  await bundle.close();
  return { warnings: warnings.join('\n'), output };
}

test('a chunk that another plugin changed without a map is told, and has its own names and lines', async () => {
  const { warnings, output } = await changedWithoutMap(5);
  assert.match(
    warnings,
    /primes\.js: its source map is not of this code: .* may have changed it without a map\./,
  );
  const table = output.find(({ fileName }) => fileName === 'primes.js.ppft');
  const { functions } = readFunctionTable(Buffer.from(/** @type {any} */ (table).source));
  assert.ok(functions.some(({ flags }) => flags & FunctionFlag.PROBED));
  for (const { origin } of functions) assert.equal(origin?.source ?? 'primes.js', 'primes.js');
});

/** Plugins that load an entry while they resolve its name. @type {Record<string, any>} */
const PRELOADING = {
  /** As that for CommonJS. @this {any} @param {string} id @param {string | undefined} importer @param {object} options */
  async 'by asking others'(id, importer, options) {
    const resolved = await this.resolve(id, importer, { ...options, skipSelf: true });
    if (resolved && !importer) await this.load(resolved);
    return resolved;
  },
  /** @this {any} @param {string} id @param {string | undefined} importer */
  async 'by themselves'(id, importer) {
    if (importer) return null;
    await this.load({ id });
    return id;
  },
};

for (const [how, resolveId] of Object.entries(PRELOADING)) {
  test(`rollup: entries that another plugin loads while it resolves their names ${how} import the polyfill`, async () => {
    const input = join(root, 'src/primes.js');
    const plugins = [{ name: 'preloading', resolveId }, polyprofRollup({ minWeight: 5 })];
    const bundle = await rollup({ input, plugins });
    const { output } = await bundle.generate({ format: 'es' });
    await bundle.close();
    assert.ok(output.some(({ fileName }) => /^polyprof-\w{8}\/polyprof\.wasm$/.test(fileName)));
  });
}

test('rollup: entries import the polyfill and nothing else does, whatever is transformed while another entry is being found', async () => {
  const outputOf = async (/** @type {boolean} */ isSlow) => {
    const events = new EventEmitter();
    const transformed = once(events, 'primes.js');
    let isLoading = false;
    /** @type {import('rollup').Plugin} */
    const finding = {
      name: 'finding',
      buildStart: { order: 'post', handler: () => void (isLoading = true) },
      async resolveId(id, importer) {
        if (isSlow && isLoading && !importer && id.endsWith('lazy.js')) await transformed;
      },
      transform: (_, id) => void events.emit(basename(id)),
    };
    const build = await rollup({
      input: ['index', 'lazy'].map((name) => join(root, `src/${name}.js`)),
      external: 'marked',
      plugins: [polyprofRollup({ minWeight: 5 }), finding],
    });
    const { output } = await build.generate({ format: 'es', preserveModules: true });
    await build.close();
    return output.flatMap((file) => ('code' in file ? `${file.fileName}: ${file.imports}` : [])).sort();
  };
  assert.deepEqual(await outputOf(true), await outputOf(false));
});

test('a build whose entries bring no polyfill is told', async () => {
  /** @type {string[]} */
  const warnings = [];
  const bundle = await rollup({
    input: join(root, 'src/primes.js'),
    onwarn: ({ message }) => void warnings.push(message),
    plugins: [{ name: 'taking out', generateBundle: takePolyfillOut }, polyprofRollup({ minWeight: 5 })],
  });
  await bundle.generate({ format: 'es' });
  await bundle.close();
  assert.match(warnings.join('\n'), /no entry of this build brings the polyfill: .* set runtime: 'external'/);
});

/** @param {unknown} _ @param {Record<string, any>} bundle */
function takePolyfillOut(_, bundle) {
  for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.moduleIds = [];
}

test("the summary of a build counts the app's functions, and none of the polyfill's", async () => {
  /** @param {'inject' | 'external'} runtime */
  const countsWith = async (runtime) => {
    /** @type {string[]} */
    const notes = [];
    const bundle = await rollup({
      input: join(root, 'src/primes.js'),
      onLog: (_, { message }) => void notes.push(message),
      plugins: [polyprofRollup({ minWeight: 0, runtime })],
    });
    await bundle.generate({ format: 'es' });
    await bundle.close();
    return /\d+ of \d+ functions/.exec(notes.join())?.[0];
  };
  assert.equal(await countsWith('inject'), '3 of 3 functions');
  assert.equal(await countsWith('external'), '3 of 3 functions');
});

test('of a chunk that gets no probes nobody asks for names, and its map is not told', async () => {
  const { warnings, output } = await changedWithoutMap(1000);
  assert.equal(warnings, '');
  assert.ok(output.every(({ fileName }) => !fileName.endsWith('.ppft')));
});

for (const bundler of ['vite', 'webpack', 'rspack', 'esbuild']) {
  test(`${bundler}: a file that is two modules has its functions twice, by one name and line`, async () => {
    const twins = makeApp(join(folder, `twins ${bundler}`));
    writeFileSync(
      join(twins, 'src/twice.js'),
      'export function twice(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++) sum += Math.sqrt(i) * n;\n  console.log(sum);\n}\n',
    );
    writeFileSync(
      join(twins, 'src/index.js'),
      "import { twice as one } from './twice.js?one';\nimport { twice as two } from './twice.js?two';\none(1);\ntwo(2);\none(two === one);\ntwo(3);\n",
    );
    const { probed } = await built(bundler, { root: twins });
    assert.deepEqual(
      probed.filter((each) => /twice/.test(each)),
      ['twice src/twice.js', 'twice src/twice.js'],
    );
  });
}

/**
 * @param {import('vite').BuildOptions} build
 * @param {import('vite').InlineConfig & {options?: import('../../instrumenter/plugin/plugin_options.js').PolyprofOptions}} [config] `options` of the plugin
 * @returns {Promise<any[]>} the files
 */
async function viteFiles(build, { plugins = [], options = { minWeight: 5 }, ...config } = {}) {
  const made = /** @type {any} */ (
    await vite.build({
      root,
      configFile: false,
      logLevel: 'error',
      build: { write: false, ...build },
      plugins: [polyprofVite(options), ...plugins],
      ...config,
    })
  );
  return [made].flat().flatMap(({ output }) => output);
}

const POLYFILL_FILE = /^assets\/polyprof-\w{8}\/polyprof\.js$/;

/** The first module that a script imports. @param {string} code */
const firstImport = (code) => /\bimport\s*(?:[^'"`;]*?\bfrom\s*)?["'`](.*?)["'`]/.exec(code)?.[1];

test('vite: entries import the polyfill first, from a file that stays the same when the app changes', async () => {
  const files = await viteFiles({});
  const entry = files.find(({ facadeModuleId }) => facadeModuleId?.endsWith('index.html'));
  const polyfill = files.find(({ fileName }) => POLYFILL_FILE.test(fileName));
  assert.equal(firstImport(entry.code), `./${polyfill.fileName.replace('assets/', '')}`);
  assert.doesNotMatch(String(polyfill.source), /__ppF|INSTALL_OPTIONS/);
  const change = {
    name: 'change',
    transform: (/** @type {string} */ code, /** @type {string} */ id) =>
      id.endsWith('primes.js') ? `${code}\nconsole.log(1);` : null,
  };
  const names = (await viteFiles({}, { plugins: [change] })).map(({ fileName }) => fileName);
  assert.ok(!names.includes(entry.fileName));
  assert.ok(names.includes(polyfill.fileName));
});

test('vite: entries without probes import the polyfill, too', async () => {
  const files = await viteFiles({ sourcemap: true }, { options: { include: 'no-such-package' } });
  const { code, map } = files.find(({ isEntry }) => isEntry);
  assert.match(firstImport(code) ?? '', /polyprof\.js$/);
  assert.doesNotMatch(code, /__ppF/);
  assert.ok(map.mappings.startsWith(';'));
});

test("vite: the polyfill's file has the options of install() in it, and another name with others", async () => {
  const polyfillWith = async (/** @type {{policy?: 'deny'}} */ install) =>
    (await viteFiles({}, { options: { install } })).find(({ fileName }) => POLYFILL_FILE.test(fileName));
  const denied = await polyfillWith({ policy: 'deny' });
  assert.match(String(denied.source), /\(new URL\(import\.meta\.url\),\{"policy":"deny"\}\)/);
  assert.notEqual(denied.fileName, (await polyfillWith({})).fileName);
});

for (const [base, src] of [
  ['/', '/assets/'],
  ['/deep/', '/deep/assets/'],
  ['./', '../assets/'],
  ['', '../assets/'],
  ['https://files.example/', 'https://files.example/assets/'],
]) {
  test(`vite: pages load the polyfill before their scripts, also those whose entries are gone, with base '${base}'`, async (t) => {
    const site = temporaryFolder();
    t.after(site.release);
    mkdirSync(join(site.path, 'pages'));
    writeFileSync(
      join(site.path, 'shared.js'),
      'export const f = (n) => n ? f(n - 1) : 0; globalThis.result = f(4);',
    );
    // Of two pages that share their one script Vite leaves out the entries.
    const input = ['a', 'b'].map((name) => {
      const file = join(site.path, `pages/${name}.html`);
      const importMap = '<script type="importmap">{"imports": {}}</script>';
      writeFileSync(
        file,
        `<!doctype html><head>${importMap}<script type="module" src="../shared.js"></script></head>`,
      );
      return file;
    });
    const build = { modulePreload: false, rolldownOptions: { input } };
    const files = await viteFiles(build, { root: site.path, base, html: { cspNonce: 'n0' } });
    const polyfill = files.find(({ fileName }) => POLYFILL_FILE.test(fileName));
    const pages = files.filter(({ fileName }) => fileName.endsWith('.html'));
    assert.equal(pages.length, 2);
    assert.equal(files.filter(({ type }) => type === 'chunk').length, 1);
    for (const { source } of pages) {
      const scripts = [...source.matchAll(/<script\b([^>]*)>/g)].map(([, attributes]) => attributes);
      assert.match(scripts[0], /type="importmap"/);
      assert.match(scripts[1], /type="module" crossorigin src="([^"]*)" nonce="n0"/);
      assert.equal(
        /src="([^"]*)"/.exec(scripts[1])?.[1],
        polyfill.fileName.replace('assets/', () => src),
      );
      assert.match(scripts[2], /shared/);
    }
  });
}

test('vite: an entry keeps its hashbang, and its map, when it imports the polyfill', async (t) => {
  const site = temporaryFolder();
  t.after(site.release);
  const source = '#!/usr/bin/env node\nexport function late() {\n  throw new Error(String(1 + 1));\n}\n';
  writeFileSync(join(site.path, 'index.js'), source);
  const build = {
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      input: join(site.path, 'index.js'),
      preserveEntrySignatures: /** @type {const} */ ('strict'),
    },
  };
  const files = await viteFiles(build, { root: site.path });
  const { code, map } = files.find(({ type }) => type === 'chunk');
  const lines = code.split('\n');
  assert.equal(lines[0], '#!/usr/bin/env node');
  assert.match(firstImport(code) ?? '', /polyprof\.js$/);
  const line = lines.findIndex((/** @type {string} */ text) => text.includes('throw new Error'));
  const place = { line: line + 1, column: lines[line].indexOf('throw new Error') };
  const { line: original, column } = originalPositionFor(new TraceMap(map), place);
  assert.deepEqual({ original, column }, { original: 3, column: 2 });
});

for (const [kind, build] of /** @type {[string, import('vite').BuildOptions][]} */ ([
  ['an output without chunks', { rolldownOptions: { output: { codeSplitting: false } } }],
  [
    'a script for pages',
    { rolldownOptions: { input: 'src/primes.js', output: { format: 'iife', name: 'a' } } },
  ],
  ['a library', { lib: { entry: 'src/primes.js', formats: ['es', 'umd'], name: 'a' } }],
])) {
  test(`vite: ${kind} has the polyfill in it`, async () => {
    const files = await viteFiles(build);
    assert.ok(!files.some(({ fileName }) => POLYFILL_FILE.test(fileName)));
    for (const { isEntry, code } of files) if (isEntry) assert.match(code, /samplebufferfull/);
  });
}

for (const format of /** @type {const} */ (['es', 'iife', 'umd', 'cjs', 'amd', 'system'])) {
  test(`rollup: what the polyfill of an output of format ${format} loads is loaded as modules`, async () => {
    const build = await rollup({ input: join(root, 'src/primes.js'), plugins: [polyprofRollup()] });
    const { output } = await build.generate({ format, name: 'a' });
    const [{ code }] = output;
    assert.match(code, /\bimport\([^()]*\w\(\w+\)\)/);
    assert.equal(code.match(/\bimport\(/g)?.length, 1);
    assert.match(code, /"polyprof-extra\.js"/);
  });
}

test("vite: a build for servers makes no maps for us, nor options that a framework takes for the user's", async () => {
  /** @type {unknown[]} */
  const seen = [];
  const see = {
    name: 'see',
    configResolved: (/** @type {any} */ config) => void seen.push(config.build.sourcemap),
  };
  const files = await viteFiles({ ssr: 'src/primes.js', minify: false }, { plugins: [see] });
  assert.deepEqual(
    files.map(({ fileName }) => fileName),
    ['primes.js'],
  );
  assert.doesNotMatch(files[0].code, /__ppF/);
  assert.deepEqual(seen, [false]);
});

test('vite: of the builds for servers and pages that are made in one, only that for pages makes maps for us', async () => {
  const builder = await vite.createBuilder({
    root,
    configFile: false,
    logLevel: 'error',
    build: { write: false },
    environments: { ssr: { build: { rollupOptions: { input: 'src/primes.js' } } } },
    plugins: [polyprofVite({ minWeight: 5 })],
  });
  const { client, ssr } = builder.environments;
  assert.deepEqual(
    [client, ssr].map(({ config }) => config.build.sourcemap),
    ['hidden', false],
  );
  const made = /** @type {any} */ (await builder.build(ssr));
  const files = [made].flat().flatMap(({ output }) => output.map((/** @type {any} */ file) => file.fileName));
  assert.deepEqual(
    files.filter((file) => /\.map$|\.ppft$/.test(file)),
    [],
  );
});

test('vite 5: of builds for pages and for servers at the same time, with one plugin, that for pages has probes and the polyfill', async () => {
  const plugins = /** @type {any[]} */ ([polyprofVite({ minWeight: 5 })]);
  const build = async (/** @type {import('vite5').BuildOptions} */ options) => {
    const how = { root, configFile: /** @type {const} */ (false), logLevel: /** @type {const} */ ('error') };
    const made = await vite5.build({ ...how, plugins, build: { write: false, minify: false, ...options } });
    return [/** @type {any} */ (made)].flat().flatMap(({ output }) => output);
  };
  const [pages, servers] = await Promise.all([build({}), build({ ssr: 'src/primes.js' })]);
  assert.deepEqual(
    servers.map(({ fileName }) => fileName),
    ['primes.js'],
  );
  assert.doesNotMatch(servers[0].code, /__ppF|polyprof/);
  const entry = pages.find(({ facadeModuleId }) => facadeModuleId?.endsWith('index.html'));
  assert.match(entry.code, /__ppF/);
  const polyfill = pages.find(({ fileName }) => POLYFILL_FILE.test(fileName));
  assert.equal(firstImport(entry.code), `./${polyfill.fileName.replace('assets/', '')}`);
});

/** @typedef {(plugins: any[], sourcemap: boolean, onwarn: (log: {code?: string}) => void) => Promise<unknown>} Build */

/** @type {Record<string, Build>} */
const TELLING_OF_MAPS = {
  'vite 5': (plugins, sourcemap, onwarn) =>
    vite5.build({
      root,
      configFile: false,
      logLevel: 'error',
      build: { write: false, sourcemap, rollupOptions: { onwarn } },
      plugins: [polyprofVite({ minWeight: 5 }), ...plugins],
    }),
  rollup: async (plugins, sourcemap, onwarn) => {
    const input = ['src/lazy.js', 'src/primes.js'].map((file) => join(root, file));
    const build = await rollup({ input, onwarn, plugins: [polyprofRollup({ minWeight: 5 }), ...plugins] });
    await build.generate({ format: 'es', sourcemap });
  },
};

for (const [bundler, build] of Object.entries(TELLING_OF_MAPS)) {
  test(`${bundler}: that a plugin breaks maps which nobody but us asked for is told once, and of those that the user wants as ever`, async () => {
    const breaking = { name: 'breaking', transform: (/** @type {string} */ code) => `${code}\n;` };
    const warnings = async (/** @type {boolean} */ sourcemap) => {
      /** @type {(string | undefined)[]} */
      const told = [];
      await build([breaking], sourcemap, ({ code }) => void told.push(code));
      return told.filter((code) => code === 'SOURCEMAP_BROKEN').length;
    };
    assert.equal(await warnings(false), 1);
    assert.ok((await warnings(true)) > 1);
  });
}

test('vite: of a chunk that another plugin took out there is no map left', async () => {
  /** @type {string[]} */
  const taken = [];
  const taking = {
    name: 'taking',
    generateBundle: (/** @type {unknown} */ _, /** @type {Record<string, any>} */ bundle) => {
      for (const file of Object.keys(bundle).filter((name) => /lazy.*\.js$/.test(name))) {
        taken.push(file);
        delete bundle[file];
      }
    },
  };
  const names = (await viteFiles({}, { plugins: [taking] })).map(({ fileName }) => fileName);
  assert.equal(taken.length, 1);
  assert.deepEqual(
    names.filter((name) => name.endsWith('.map')),
    [],
  );
});

test('vite: modules import the polyfill while the app is developed, since pages that a framework writes have no tag for it', async () => {
  const codes = [];
  for (const runtime of /** @type {const} */ (['inject', 'external'])) {
    const server = await vite.createServer({
      root,
      configFile: false,
      logLevel: 'error',
      server: { middlewareMode: true, ws: false },
      plugins: [polyprofVite({ minWeight: 1000, runtime })],
    });
    codes.push((await server.transformRequest('/src/primes.js'))?.code ?? '');
    await server.close();
  }
  assert.match(codes[0], /\nimport "\/@polyprof\/polyprof\.js";/);
  assert.doesNotMatch(codes[1], /@polyprof/);
});

test('vite: while the app is developed, modules of any language have probes, and those of styles and data none', async () => {
  /** @type {Record<string, string>} */
  const files = {
    'page.gjs': 'export const page = (n) => n + 1;',
    'page.css': 'p { margin: 0 }',
    'page.json': '{"page": 1}',
  };
  const pathOf = (/** @type {string} */ name) => join(root, 'src', name);
  const load = (/** @type {string} */ id) => Object.entries(files).find(([name]) => id === pathOf(name))?.[1];
  const server = await vite.createServer({
    root,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false },
    plugins: [
      {
        name: 'files',
        resolveId: (id) => (id.replace('/src/', '') in files ? join(root, id) : undefined),
        load,
      },
      polyprofVite({ minWeight: 0 }),
    ],
  });
  /** @type {Record<string, boolean>} */
  const probed = {};
  for (const name of Object.keys(files)) {
    const { code } = /** @type {{code: string}} */ (await server.transformRequest(`/src/${name}`));
    probed[name] = code.includes('__ppF');
  }
  await server.close();
  assert.deepEqual(probed, { 'page.gjs': true, 'page.css': false, 'page.json': false });
});

test('vite: the dev server has nothing to say about the plugin', async () => {
  /** @type {string[]} */
  const said = [];
  const say = (/** @type {string} */ message) => void said.push(message);
  const server = await vite.createServer({
    root,
    configFile: false,
    customLogger: { ...vite.createLogger('silent'), warn: say, warnOnce: say, error: say },
    server: { middlewareMode: true, ws: false },
    plugins: [polyprofVite({ minWeight: 5 })],
  });
  const made = await server.transformRequest('/src/primes.js');
  await server.close();
  assert.match(made?.code ?? '', /__ppF/);
  assert.deepEqual(said, []);
});

test('a second pass over what a bundler made changes nothing', async () => {
  const once = await built('esbuild', { options: { minWeight: 5, runtime: 'external' } });
  const again = join(folder, 'again');
  mkdirSync(again);
  const name = /** @type {string} */ (once.files.find((file) => /^index-.*\.js$/.test(file)));
  writeFileSync(join(again, 'index.js'), once.read(name));
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(again, 'index.js')],
    outdir: join(again, 'out'),
    write: false,
    plugins: [polyprofEsbuild({ minWeight: 5, runtime: 'external' })],
  });
  assert.deepEqual(
    outputFiles.map(({ path }) => path.replace(/^.*\//, '')),
    ['index.js'],
  );
});

/** @type {Record<string, (entry: string, folder: string, file: string, format: 'cjs' | 'esm') => Promise<unknown>>} */
const FOR_NODE = {
  webpack: (entry, path, filename) =>
    compile({ entry, target: 'node', output: { path, filename } }, { minWeight: 0 }),
  esbuild: (entry, path, filename, format) =>
    esbuild.build({
      entryPoints: [entry],
      bundle: true,
      platform: 'node',
      format,
      outfile: join(path, filename),
      plugins: [polyprofEsbuild({ minWeight: 0 })],
    }),
  async rolldown(entry, dir, entryFileNames, format) {
    const plugins = [polyprofRolldown({ minWeight: 0 })];
    const bundle = await rolldown({ cwd: root, input: entry, platform: 'node', plugins });
    await bundle.write({ dir, format, entryFileNames });
  },
};

for (const [bundler, format] of /** @type {[string, 'cjs' | 'esm'][]} */ ([
  ['webpack', 'cjs'],
  ['esbuild', 'cjs'],
  ['esbuild', 'esm'],
  ['rolldown', 'cjs'],
  ['rolldown', 'esm'],
])) {
  test(`${bundler}: a bundle for Node, as ${format}, runs with the polyfill in it`, async () => {
    const entry = join(root, 'src/in_node.js');
    const code =
      "import { countPrimes } from './primes.js';\nconsole.log(countPrimes(100), typeof __polyprof__);\n";
    writeFileSync(entry, code);
    const [out, file] = [join(folder, `for Node ${outputs++}`), format === 'esm' ? 'index.mjs' : 'index.cjs'];
    await FOR_NODE[bundler](entry, out, file, format);
    assert.equal(execFileSync(process.execPath, [join(out, file)], { encoding: 'utf8' }), '25 object\n');
  });
}
