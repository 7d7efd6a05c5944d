import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { changeResults } from '../lib/change_results.js';

/** The package as npm would publish it, in a project that has nothing else of this repository. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

// Below the repository, so that dependencies are found without a registry.
mkdirSync(join(ROOT, 'build'), { recursive: true });
const project = mkdtempSync(join(ROOT, 'build/package-'));
after(() => rmSync(project, { recursive: true }));
const installed = join(project, 'node_modules/polyprof');

/** @param {string} program @param {string[]} args @param {string} [cwd] @returns {string} what it wrote; throws with all of it */
function run(program, args, cwd = project) {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = /** @type {any} */ (error);
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

const bin = (/** @type {string} */ name) => join(ROOT, 'node_modules/.bin', name);
// Of a layout before this one.
mkdirSync(join(ROOT, 'dist/types/before'), { recursive: true });
writeFileSync(join(ROOT, 'dist/types/before/gone.d.ts'), 'export {};\n');
run('npm', ['run', 'build:types'], ROOT);
const [{ filename, files }] = JSON.parse(
  run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], ROOT),
);
const tarball = join(project, filename);
mkdirSync(installed, { recursive: true });
run('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']);
writeFileSync(join(project, 'package.json'), '{"name": "project", "private": true, "type": "module"}');

/** @type {string[]} */
const packed = files.map((/** @type {{path: string}} */ { path }) => path);
const ENTRIES = Object.keys(manifest.exports).filter((entry) => !/\*|package\.json/.test(entry));
const nameOf = (/** @type {string} */ entry) => join('polyprof', entry);

test('what pages load names no source maps: there are none', () => {
  const scripts = readdirSync(join(installed, 'dist')).filter((name) => /\.[cm]?js(\.map)?$/.test(name));
  assert.ok(scripts.length > 10);
  for (const name of scripts) {
    const code = readFileSync(join(installed, 'dist', name), 'utf8');
    assert.ok(!/^\/\/# sourceMappingURL=|"mappings":/m.test(code), name);
  }
});

test('the package holds what users need, and nothing of the tests or the sources of dist/', () => {
  const folders = new Set(packed.map((path) => path.split('/')[0]));
  assert.deepEqual(
    [...folders].sort(),
    [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'collect',
      'dist',
      'docs',
      'instrumenter',
      'package.json',
      'report',
      'testing',
      'types',
    ].sort(),
  );
  const strange = packed.filter(
    (path) =>
      !/\.([cm]?js|d\.[cm]?ts|map|wasm|md|json|html|css)$|^LICENSE$|^dist\/plugin\/LICENSES\.txt$|^docs\/flame-graph\.png$/.test(
        path,
      ),
  );
  assert.deepEqual(strange, []);
  assert.deepEqual(
    packed.filter((path) => /\.test\.js$|fixtures|node_modules/.test(path)),
    [],
  );
  for (const name of [
    'polyprof.js',
    'polyprof.mjs',
    'polyprof.cjs',
    'polyprof-runtime.mjs',
    'polyprof-worker.js',
    'polyprof-extra.js',
    'polyprof-gzip.js',
    'polyprof-self-timed.js',
    'polyprof-watch.js',
    'polyprof-chooser.js',
    'polyprof-beacon.js',
    'polyprof-beacon.cjs',
    'polyprof-mozilla.mjs',
    'polyprof-mozilla.cjs',
    'polyprof.wasm',
  ]) {
    assert.ok(packed.includes(`dist/${name}`), name);
  }
});

test('the package has types of no file that is gone', () => {
  const types = packed.filter((path) => path.startsWith('dist/types/'));
  assert.ok(types.length > 10);
  const sourceOf = (/** @type {string} */ path) =>
    path.replace('dist/types/', '').replace(/\.d\.(c?)ts$/, '.$1js');
  assert.deepEqual(
    types.filter((path) => !existsSync(join(ROOT, sourceOf(path)))),
    [],
  );
});

test('what was bundled of other packages comes with their licenses', () => {
  const licenses = readFileSync(join(installed, 'dist/plugin/LICENSES.txt'), 'utf8');
  for (const name of ['@babel/parser', '@jridgewell/trace-mapping', 'magic-string', 'picomatch', 'unplugin'])
    assert.match(licenses, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n.*Copyright`, 'ms'));
});

test('all that the package imports is a dependency of it', () => {
  const dependencies = new Set([...Object.keys(manifest.dependencies), ...builtinModules]);
  const missing = new Set();
  const isProgram = (/** @type {string} */ path) =>
    /^(collect|instrumenter|report|testing|dist\/plugin)\/.*\.[cm]?js$/.test(path) &&
    !path.includes('/runtime/');
  for (const path of packed.filter(isProgram)) {
    const code = readFileSync(join(installed, path), 'utf8').replace(/^ *\*.*$/gm, '');
    for (const [, imported, alone, required] of code.matchAll(
      /^(?:import|export)\b[^'"`;]*?\bfrom ["']([^'".][^'"]*)["']|^import ["']([^'".][^'"]*)["']|\b\w*[rR]equire\w*\(["']([^'".][^'"]*)["']\)/gm,
    )) {
      const name = (imported ?? alone ?? required).replace(/^node:/, '');
      const [packageName] = /^(@[^/]+\/)?[^/]+/.exec(name) ?? [''];
      if (!dependencies.has(packageName)) missing.add(`${packageName} in ${path}`);
    }
  }
  assert.deepEqual([...missing], []);
});

test('publint and attw find nothing wrong with its entries and types', () => {
  run(bin('publint'), ['run', tarball, '--strict'], ROOT);
  // Resolution without `exports`, as before Node 16, is not for us.
  run(bin('attw'), [tarball, '--profile', 'node16', '--no-color'], ROOT);
});

test('every entry can be imported and required, and both give the same', () => {
  const kinds = (/** @type {string} */ load) =>
    run(process.execPath, [
      '--input-type=module',
      '-e',
      `import { createRequire } from 'node:module';
       const require = createRequire(import.meta.resolve('polyprof/package.json'));
       for (const name of ${JSON.stringify(ENTRIES.map(nameOf))}) {
         const all = ${load};
         const names = Object.keys(all).filter((key) => !/^(module.exports|__esModule|default)$/.test(key));
         console.log(name, typeof (all.default ?? all), names.sort().join());
       }`,
    ]);
  const imported = kinds('await import(name)');
  assert.match(imported, /^polyprof object forceSample,install,sendOnHide,version,watch$/m);
  assert.match(imported, /^polyprof\/vite function $/m);
  assert.match(imported, /^polyprof\/instrumenter object SourceError,instrument,instrumentHtml$/m);
  assert.equal(kinds('require(name)'), imported);
});

test('the command line runs', () => {
  writeFileSync(join(project, 'a.js'), 'function f() { return g() }');
  run(process.execPath, [
    join(installed, manifest.bin.polyprof),
    'instrument',
    'a.js',
    '-o',
    'out',
    '--min-weight',
    '0',
  ]);
  assert.deepEqual(readdirSync(join(project, 'out')), ['a.js', 'a.js.ppft']);
});

test('a bundler that is configured in CommonJS builds with it', () => {
  mkdirSync(join(project, 'app'));
  writeFileSync(
    join(project, 'app/index.js'),
    'function work(n) { return n ? work(n - 1) : 0 } globalThis.done = work(3)',
  );
  writeFileSync(
    join(project, 'build.cjs'),
    `const polyprof = require('polyprof/webpack');
     require('webpack')({
       context: __dirname, mode: 'production', entry: './app/index.js', output: { path: __dirname + '/bundle' },
       plugins: [polyprof({ minWeight: 0 })], performance: false,
     }, (error, stats) => { if (error || stats.hasErrors() || stats.hasWarnings()) throw error ?? new Error(stats.toString()); });`,
  );
  const built = () => {
    run(process.execPath, ['build.cjs']);
    return readFileSync(join(project, 'bundle/main.js'), 'utf8');
  };
  const first = built();
  const names = readdirSync(join(project, 'bundle'));
  assert.deepEqual(names.filter((name) => !/^polyprof-/.test(name)).sort(), ['main.js', 'main.js.ppft']);
  // The first build has compiled the instrumenter for those after it, and kept what that has made.
  const cache = join(project, 'node_modules/.cache/polyprof');
  assert.ok(readdirSync(cache).includes('plugin-thread.code'));
  assert.equal(built(), first);
  changeResults(cache, ({ result }) => {
    // Others are of the command line.
    if (result) result.code += '// kept';
  });
  assert.equal(built(), `${first}// kept`);
});

/** @type {Record<string, string>} */
const TYPED = {
  'app.mts': `import polyprof, { watch as watchPage } from 'polyprof';
    import vite, { type PolyprofOptions } from 'polyprof/vite';
    import { instrument, type Instrumented } from 'polyprof/instrumenter';
    import { readTrace, formatTable } from 'polyprof/report';
    import { startBeacon, type Beacon } from 'polyprof/beacon';
    import { Profiler as OlderProfiler } from 'polyprof/mozilla';
    const older = new OlderProfiler();
    older.start(1000, 100);
    Object.assign(older.frame(), { item: 1 });
    const calls: number | undefined = older.results().children[0]?.samples;
    const site: { line: number; column: number } | null = older.results().children[0].site;
    const variant: 'probed' | 'plain' | undefined = __polyprofVariant__;
    const mean: number = new OlderProfiler.Statistics().mean;
    const beacon: Beacon = startBeacon({ url: '/traces', sessionRate: 0.01, start: 'now', tags: { release: '1' } });
    import { profile, prepare, serveProfiled, type ProfileOptions } from 'polyprof/testing';
    import type { Page } from '@playwright/test';
    import type { Page as PuppeteerPage } from 'puppeteer-core';
    const inTest = async (page: Page, other: PuppeteerPage, options: ProfileOptions) => {
      const inPlaywright: ProfilerTrace = await profile(page, async () => void (await page.goto('/')), options);
      const takeBack: () => Promise<void> = await prepare(other, { outDir: 'results', minWeight: 0 });
      await takeBack();
      const served: { url: string; end: () => Promise<ProfilerTrace[]> } = await serveProfiled('http://localhost', options);
      return inPlaywright.samples.length + (await served.end()).length;
    };
    polyprof.install({ force: true });
    const draft = await performance.profile({ sampleInterval: 10 });
    const undo: () => void = polyprof.sendOnHide(draft, '/traces', { gzip: true });
    const watch = await polyprof.watch({ threshold: 500, report: (stall: object) => void stall });
    const native = new Profiler({ sampleInterval: 10, maxBufferSize: 100 });
    native.addEventListener('samplebufferfull', (event: Event) => void event.type);
    const trace: ProfilerTrace = await draft.stop();
    const line: number | undefined = trace.frames[0].line;
    const options: PolyprofOptions = { probe: 'shadow', include: ['src/**', /x/], exclude: 'react-dom', minWeight: 3, budget: 0.01, variants: { sampleRate: 0.01, chooser: 'external' } };
    import type { UserConfig } from 'vite';
    const config: UserConfig = { plugins: [vite(options)] };
    const result: Instrumented = instrument('f()', { minWeight: 0 });
    const table: Uint8Array | null = result.table;
    export { beacon, calls, inTest, site, variant, watchPage, mean, undo, watch, config, line, table, readTrace, formatTable };
    // @ts-expect-error no address
    startBeacon({});
    // @ts-expect-error no such probe
    vite({ probe: 'laser' });
    import babel, { type PolyprofBabelOptions } from 'polyprof/babel';
    const forBabel: PolyprofBabelOptions = { minWeight: 3 };
    babel(null, forBabel);
    // @ts-expect-error for bundlers
    babel(null, { variants: { sampleRate: 0.01 } });
    // @ts-expect-error required
    new Profiler({ sampleInterval: 10 });`,
  'config.cts': `import polyprof = require('polyprof/webpack');
    import instrumenter = require('polyprof/instrumenter');
    import page = require('polyprof');
    import { startBeacon } from 'polyprof/beacon';
    import { Profiler as OlderProfiler } from 'polyprof/mozilla';
    const plugin = polyprof({ probe: 'flag' });
    const code: string = instrumenter.instrument('f()').code;
    page.install();
    const stall = page.watch({ threshold: 500, report: '/stalls' });
    startBeacon({ url: '/traces' }).stop();
    new OlderProfiler().stop();
    export = { plugin, code, stall };`,
};

TYPED['every.mts'] = ENTRIES.map((entry, i) => `export * as entry${i} from '${nameOf(entry)}';`).join('\n');
TYPED['every.cts'] = ENTRIES.map((entry, i) => `import entry${i} = require('${nameOf(entry)}');`).join('\n');

/** How projects resolve modules. @type {Record<string, {flags: string[], files: string[]}>} */
const RESOLUTIONS = {
  'in Node': { flags: ['--module', 'node16'], files: Object.keys(TYPED) },
  'for a bundler': {
    flags: ['--module', 'esnext', '--moduleResolution', 'bundler'],
    files: ['app.mts', 'every.mts'],
  },
};

const STRICT = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom'];

/** What several programs read, as `tsc --build` shares it. @type {Map<string, ts.SourceFile | undefined>} */
const declarations = new Map();

/**
 * What `tsc` would find in a project's files and in the types of the package, all of them; it would also look for errors in the types of every
 * other package, which takes most of its time. Throws with what is wrong.
 * @param {string[]} args of `tsc`
 */
function checkTypes(args) {
  const { options, fileNames, errors } = ts.parseCommandLine(args);
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => project;
  const read = host.getSourceFile;
  host.getSourceFile = (name, how, ...more) => {
    if (!/\.d\.[cm]?ts$/.test(name)) return read(name, how, ...more);
    const key = `${name} ${typeof how === 'object' ? how.impliedNodeFormat : how}`;
    if (!declarations.has(key)) declarations.set(key, read(name, how, ...more));
    return declarations.get(key);
  };
  const program = ts.createProgram({
    rootNames: fileNames.map((name) => join(project, name)),
    options,
    host,
  });
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${project}/`));
  assert.ok(own.some(({ fileName }) => fileName.startsWith(`${installed}/`)));
  const wrong = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
    ...program.getGlobalDiagnostics(),
  ];
  assert.equal(ts.formatDiagnostics(wrong, host), '');
}

for (const [name, code] of Object.entries(TYPED)) writeFileSync(join(project, name), code);

for (const [title, { flags, files: typed }] of Object.entries(RESOLUTIONS)) {
  test(`TypeScript knows the types of everything public ${title}, and finds nothing wrong in them`, () => {
    checkTypes([...STRICT, '--types', 'node', ...flags, ...typed]);
  });
}

test('the types of the page are there for code that imports nothing', () => {
  writeFileSync(
    join(project, 'page.ts'),
    `performance.profile({ sampleInterval: 10 }).then((profiler) => polyprof.sendOnHide(profiler, '/traces'));
     const isProbed: boolean = __polyprofVariant__ === 'probed';`,
  );
  checkTypes([...STRICT, '--types', 'polyprof', ...RESOLUTIONS['for a bundler'].flags, 'page.ts']);
});
