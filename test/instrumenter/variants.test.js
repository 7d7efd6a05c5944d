import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { rollup } from 'rollup';
import polyprofRollup from '../../instrumenter/entries/rollup.js';
import polyprofVite from '../../instrumenter/entries/vite.js';
import { instrument } from '../../instrumenter/instrument.js';
import { withVariants } from '../../instrumenter/variants/html_variants.js';
import { twinName } from '../../instrumenter/variants/twin_name.js';
import { BUNDLERS, makeApp } from '../../web-test/lib/bundlers.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { site } from './lib/command_line.js';

const { path: folder, release } = temporaryFolder();
after(release);
const root = makeApp(folder);
const variants = { sampleRate: 0.25 };
const options = { minWeight: 5, variants };

for (const [value, message] of /** @type {[any, RegExp][]} */ ([
  [0.01, /^polyprof: variants must be an object such as \{ sampleRate: 0\.01 \}, not 0\.01$/],
  [{}, /^polyprof: variants\.sampleRate must be a number from 0 to 1, .* not undefined$/],
  [{ sampleRate: 5 }, /^polyprof: variants\.sampleRate must be a number from 0 to 1, .* not 5$/],
  [{ sampleRate: NaN }, /^polyprof: variants\.sampleRate must be a number from 0 to 1, .* not NaN$/],
  [{ sampleRate: 1, parameter: 'a b' }, /^polyprof: variants\.parameter must be a name .* not 'a b'$/],
  [
    { sampleRate: 1, chooser: 'both' },
    /^polyprof: variants\.chooser must be 'inline' or 'external', not 'both'$/,
  ],
  [{ sampleRate: 1, nonce: 7 }, /^polyprof: variants\.nonce must be a text, not 7$/],
  [{ rate: 1 }, /^polyprof: variants has no option 'rate': there is sampleRate,/],
])) {
  test(`variants: ${JSON.stringify(value)} is refused, and the message says what there is`, () => {
    assert.throws(() => polyprofVite({ variants: value }), { name: 'TypeError', message });
  });
}

/** @param {string} bundler @param {any} options @param {any} [build] @returns {Promise<Map<string, string>>} */
async function built(bundler, options, build) {
  const out = mkdtempSync(join(folder, `${bundler}-`));
  await BUNDLERS[bundler]({ root, out, options, makesPage: true, sourceMaps: false, ...build });
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    names.filter((name) => /\./.test(name)).map((name) => [name, readFileSync(join(out, name), 'utf8')]),
  );
}

/** With names of chunks that do not change with what is in the chunks. @type {Map<string, ReturnType<typeof built>>} */
const withBoth = new Map();
const chunkFilename = '[name].js';

/** The same for all tests. @param {string} bundler */
function builtWithBoth(bundler) {
  const made = withBoth.get(bundler) ?? built(bundler, options, { chunkFilename });
  withBoth.set(bundler, made);
  return made;
}

for (const bundler of Object.keys(BUNDLERS)) {
  test(`${bundler}: the plain variant is what is made without the plugin, but for hashes in names`, async () => {
    const both = await builtWithBoth(bundler);
    const plain = await built(bundler, { enabled: false }, { chunkFilename });
    const scripts = (/** @type {Map<string, string>} */ files) =>
      [...files].filter(([name]) => /(^|\/)[\w-]+\.js$/.test(name) && !/polyprof/.test(name));
    const withoutHashes = (/** @type {[string, string][]} */ files) => {
      let text = JSON.stringify(files.map(([, code]) => code).sort());
      for (const [name] of files) text = text.replaceAll(/-([\w-]+)\.js$/.exec(name)?.[1] ?? '?', 'HASH');
      return text;
    };
    assert.equal(withoutHashes(scripts(both)), withoutHashes(scripts(plain)));
    for (const [name] of scripts(both)) assert.match(both.get(twinName(name)) ?? '', /__ppF/, name);
    assert.deepEqual(
      [...both.keys()].filter((name) => name.endsWith('.map')),
      [],
    );
  });
}

for (const bundler of Object.keys(BUNDLERS)) {
  test(`${bundler}: what chooses is a file only where pages load it as one`, async () => {
    const external = { ...options, variants: { ...variants, chooser: 'external' } };
    const choosers = async (/** @type {ReturnType<typeof built>} */ files) =>
      [...(await files).keys()].filter((name) => name.endsWith('/polyprof-chooser.js')).length;
    assert.equal(await choosers(builtWithBoth(bundler)), 0);
    assert.equal(await choosers(built(bundler, external, { minify: false })), 1);
  });
}

test('how many sessions are chosen changes no file but the page', async () => {
  const [some, more] = await Promise.all(
    [0.25, 0.5].map((sampleRate) => built('vite', { variants: { sampleRate } })),
  );
  assert.deepEqual([...some.keys()], [...more.keys()]);
  for (const [name, content] of some) assert.equal(content === more.get(name), name !== 'index.html', name);
});

test('builds of a calibration have no variants: every session is to count', async (t) => {
  process.env.POLYPROF_CALIBRATE = 'http://127.0.0.1:1/';
  t.after(() => delete process.env.POLYPROF_CALIBRATE);
  for (const bundler of Object.keys(BUNDLERS)) {
    const files = await built(bundler, options, { minify: false });
    assert.doesNotMatch([...files.keys()].join(), /\.probed\./, bundler);
    assert.doesNotMatch(files.get('index.html') ?? '', /data-rate/, bundler);
    assert.match([...files.values()].join(), /__polyprof_calibration__/, bundler);
  }
  const { polyprof, list, read } = site(t, {
    'in/index.html': '<script src=a.js></script>',
    'in/a.js': 'function a() {}',
  });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out', '--variants', '1%');
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(list('out').join(), /\.probed\./);
  assert.match(read('out/a.js'), /__polyprof_calibration__/);
  assert.equal(read('out/index.html'), read('in/index.html'));
});

for (const [build, page] of [
  ['a build without a page', null],
  ['a build whose page has no script, as where a server writes it', '<!doctype html>'],
]) {
  test(`${build} says that nobody chooses`, async () => {
    /** @type {string[]} */
    const notes = [];
    const bundle = await rollup({
      input: 'virtual:a',
      onLog: (level, { message }) => void notes.push(`${level}: ${message}`),
      plugins: [
        {
          name: 'virtual',
          resolveId: (id) => id,
          load: () => 'globalThis.a = 1',
          generateBundle() {
            if (page) this.emitFile({ type: 'asset', fileName: 'index.html', source: page });
          },
        },
        polyprofRollup({ variants }),
      ],
    });
    await bundle.generate({ format: 'es', dir: folder });
    await bundle.close();
    assert.match(
      notes.join('\n'),
      /^info: .*no page of this build chooses a variant, .*polyprof instrument/m,
    );
  });
}

test('several chunks in a format that twins cannot load each other by are refused', async () => {
  const bundle = await rollup({
    input: { a: 'virtual:a', b: 'virtual:b' },
    plugins: [
      {
        name: 'virtual',
        resolveId: (id) => (id.startsWith('virtual:') ? id : null),
        load: (id) => (id.startsWith('virtual:') ? `globalThis.${id.at(-1)} = 1` : null),
      },
      polyprofRollup({ variants }),
    ],
  });
  await assert.rejects(
    bundle.generate({ format: 'system', dir: folder }),
    /output\.format 'es', not 'system'/,
  );
});

const rename = (/** @type {string} */ name) => (name.startsWith('./') ? twinName(name) : null);
const renamed = (/** @type {string} */ code, /** @type {any} */ more = {}) =>
  instrument(code, { references: { rename, ...more }, minWeight: 1e6, sourceMap: false }).code;

test('a twin loads twins, however it names them', () => {
  for (const [before, after] of [
    ['import "./a.js"', 'import "./a.probed.js"'],
    ["export * from './a.mjs';", 'export * from "./a.probed.mjs";'],
    ["export { x } from './a.js?v=1';", 'export { x } from "./a.probed.js?v=1";'],
    ['import(`./a.js`)', 'import("./a.probed.js")'],
    ['new URL("./a.js", import.meta.url)', 'new URL("./a.probed.js", import.meta.url)'],
    [
      'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./a.js","./a.css"])))=>i',
      'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./a.probed.js","./a.css"])))=>i',
    ],
    ['import "other"; f("./a.js")', 'import "other"; f("./a.js")'],
  ]) {
    assert.equal(renamed(before), after);
  }
});

test("webpack's function for names of chunks is told from others, and missed when it is not there", () => {
  const code = 'n.e=a=>a,n.u=e=>e+"-1.js",x.u=e=>e+".js",n.u2=1';
  const output = renamed(code, { namesChunks: true });
  assert.match(output, /^n\.e=a=>a,n\.u=\(n=>i=>.*\)\(e=>e\+"-1\.js"\),x\.u=e=>e\+"\.js",n\.u2=1$/);
  assert.throws(
    () => renamed('n.u=e=>e', { namesChunks: true }),
    /names of chunks was found 0 times: set output\.filename/,
  );
});

const page = (/** @type {string} */ html, /** @type {any} */ more = {}) =>
  withVariants(html, {
    variants: { sampleRate: 0.25, parameter: 'polyprof', chooser: 'external' },
    twinOf: (url) =>
      /^lib/.test(url) ? null : { url: twinName(url), digest: (algorithm) => `${algorithm}==` },
    polyfill: 'p/polyprof.js',
    chooser: 'p/chooser.js',
    ...more,
  });
/** What choosers would write. @param {string} html */
const writes = (html) =>
  [...html.matchAll(/data-probed="([^"]*)"/g)].map(([, text]) =>
    decodeURIComponent(text).replaceAll('&quot;', '"'),
  );

test('scripts beside each other are chosen together, the polyfill first, and others stay', () => {
  const { html, kept } = page(
    '<!doctype html><script src=lib.js></script><script src=a.js defer></script> <link rel=modulepreload href=b.js><p><script type=module src="c.js" integrity="sha384-old"></script><script type=text/plain src=d.js></script>',
  );
  assert.deepEqual(kept, []);
  assert.deepEqual(writes(html), [
    '<script src="p/polyprof.js"></script><script src="a.probed.js" defer></script><link rel="modulepreload" href="b.probed.js">',
    '<script type="module" src="c.probed.js" integrity="sha384-sha384=="></script>',
  ]);
  assert.match(html, /<script src=lib.js><\/script><script src="p\/chooser\.js" data-rate="0\.25"/);
  assert.match(html, /<script src=a\.js defer><\/script> <link rel=modulepreload href=b\.js><!----><p>/);
  assert.match(html, /<script type=text\/plain src=d\.js><\/script>$/);
});

test('a page without scripts that have twins stays as it is', () => {
  for (const html of [
    '<p>text',
    '<script src=lib.js></script>',
    '<template><script src=a.js></script></template>',
  ]) {
    assert.equal(page(html).html, html);
  }
});

test('the polyfill that a page brings is for the variant with probes alone', () => {
  const { html } = page('<script src="/x/polyprof.js"></script><script src=a.js></script>');
  assert.deepEqual(writes(html), [
    '<script src="/x/polyprof.js"></script><script src="a.probed.js"></script>',
  ]);
  assert.doesNotMatch(html.replace(/data-probed="[^"]*"/, ''), /\/x\/polyprof/);
});

test('what would end the comment around the plain scripts is not chosen, and that is told', () => {
  const html = '<script src="a.js?-->"></script><script src=b.js></script>';
  const { html: output, kept } = page(html);
  assert.deepEqual(kept, [0]);
  assert.ok(output.startsWith('<script src="a.js?-->"></script><script src="p/chooser.js"'));
});

test("a page's encoding is still said in its first bytes, and its nonce is not in what others may read", () => {
  const { html } = page('<script nonce=n1 src=a.js></script><meta charset=utf-8>', {
    variants: { sampleRate: 1, parameter: 'polyprof', chooser: 'inline' },
  });
  assert.match(html, /^<meta charset=utf-8><script nonce="n1" data-rate="1"/);
  assert.deepEqual(writes(html), [
    '<script src="p/polyprof.js"></script><script src="a.probed.js"></script>',
  ]);
});

test('on the command line a site is written with both variants, and pages that choose', (t) => {
  const module = "import './b.js'; export const a = () => { for (;;) f() };";
  const { polyprof, list, read } = site(t, {
    'in/index.html':
      '<script type=module src=js/a.js integrity=sha256-x></script><script>const f = () => 1;\nf()</script>',
    'in/js/a.js': `${module}\n//# sourceMappingURL=a.js.map\n`,
    'in/js/a.js.map': JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }),
    'in/js/b.js': 'import(`./${1}.js`)',
    'in/polyprof.js': 'f()',
  });
  const run = polyprof(
    'instrument',
    'in',
    '-o',
    'out',
    '--variants',
    '0.5',
    '--min-weight',
    '0',
    '--chooser',
    'external',
  );
  assert.equal(run.status, 0, run.stderr);
  assert.deepEqual(list('out'), [
    'index.html',
    'index.html.1.probed.js',
    'index.html.1.probed.js.ppft',
    'js/a.js',
    'js/a.js.map',
    'js/a.probed.js',
    'js/a.probed.js.map',
    'js/a.probed.js.ppft',
    'js/b.js',
    'js/b.probed.js',
    'js/b.probed.js.ppft',
    'polyprof-chooser.js',
    'polyprof.js',
  ]);
  assert.equal(read('out/js/a.js'), read('in/js/a.js'));
  assert.equal(read('out/js/a.js.map'), read('in/js/a.js.map'));
  assert.match(read('out/js/a.probed.js'), /import "\.\/b\.probed\.js"/);
  assert.match(run.stderr, /note: in\/js\/b\.js:1:8: what this imports is known only at run time/);
  const digest = createHash('sha256').update(read('out/js/a.probed.js')).digest('base64');
  assert.deepEqual(writes(read('out/index.html')), [
    `<script type="module" src="js/a.probed.js" integrity="sha256-${digest}"></script><script src="index.html.1.probed.js"></script>`,
  ]);
  const again = polyprof('instrument', 'in', '-o', 'out2', '--variants', '2');
  assert.deepEqual([again.status, list('out2')], [2, []]);
  assert.match(again.stderr, /error: --variants must be a number from 0 to 1/);
  assert.match(
    polyprof('instrument', 'in', '-o', 'out2', '--nonce', 'x').stderr,
    /--nonce is for --variants <rate>/,
  );
});

test('the command line lets a page choose between what a bundler has made', async (t) => {
  const files = await built('esbuild', { variants });
  const inputs = Object.fromEntries([...files].map(([name, content]) => [`in/${name}`, content]));
  const { polyprof, read, list } = site(t, inputs);
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out', '--variants', '1', '--no-cache');
  assert.equal(status, 0, stderr);
  const twins = list('out').filter((name) => name.endsWith('.probed.js'));
  assert.equal(twins.length, 2);
  for (const name of twins) assert.equal(read(`out/${name}`), files.get(name));
  const [written] = writes(read('out/index.html'));
  assert.match(written, /src="index-\w+\.probed\.js"/);
  // The bundler has left the polyfill beside them.
  const [polyfill] = list('out').filter((name) => /polyprof-\w{8}\/polyprof\.js$/.test(name));
  assert.ok(written.startsWith(`<script src="${polyfill}"></script>`), written);
});

test('a page that nobody brings the polyfill to is told', (t) => {
  const { polyprof } = site(t, {
    'in/a.js': 'function a() { for (;;) b(c(d(e(f(g()))))) }',
    'in/with.html': '<script src="polyprof.js"></script><script src="a.js"></script>',
    'in/without.html': '<script src="a.js"></script>',
    'in/no_scripts.html': '<p>',
  });
  const { status, stdout, stderr } = polyprof('instrument', 'in', '-o', 'out', '--variants', '1');
  assert.equal(status, 0);
  const notes = (stdout + stderr).split('\n').filter((line) => /has no tag for polyprof\.js/.test(line));
  assert.equal(notes.length, 1);
  assert.match(notes[0], /in\/without\.html: /);
});

test('an error in an inline script is at its place in the page, with variants, too', (t) => {
  const { polyprof } = site(t, { 'in/index.html': '<p>\n<script>let a =\n  ;</script>' });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out', '--variants', '0.5');
  assert.equal(status, 1);
  assert.match(stderr, /^error: in\/index\.html:3:3: Unexpected token/);
});
