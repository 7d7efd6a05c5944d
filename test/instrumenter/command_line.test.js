import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { site } from './lib/command_line.js';

const GOOD =
  'function work(list) { for (const x of list) { a(x); b(x); c(x); d(x); e(x); f(x) } return list.map(g) }\n';
const LIGHT = 'function light() { return 1 }\n';
const BAD = 'const fine = 1;\nfunction broken( {\n  return 2;\n}\n';
/** A manifest with an address that is none. */
const MALFORMED = '{"index":"/index.html","hashTable":{"/a.js":"0","/%E0.js":"1"}}';
const HAS_PROBES = /__ppH\.[el]\(\)/;

test('a folder is written with its scripts instrumented and all else as it was', (t) => {
  const png = Uint8Array.of(0x89, 0x50, 0, 255, 10);
  const { polyprof, read, list } = site(t, {
    'in/index.js': GOOD,
    'in/deep/er/m.mjs': `export ${GOOD}`,
    'in/c.cjs': `return;\n${GOOD}`,
    'in/style.css': 'a { b: c }',
    'in/logo.png': png,
    'in/data.json': '{"a": 1}',
    'in/empty.js': '',
  });
  const { status, stdout, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(list('out'), [
    'c.cjs',
    'c.cjs.ppft',
    'data.json',
    'deep/er/m.mjs',
    'deep/er/m.mjs.ppft',
    'empty.js',
    'index.js',
    'index.js.ppft',
    'logo.png',
    'style.css',
  ]);
  for (const name of ['index.js', 'deep/er/m.mjs', 'c.cjs']) assert.match(read(`out/${name}`), HAS_PROBES);
  for (const name of ['style.css', 'logo.png', 'data.json', 'empty.js']) {
    assert.equal(read(`out/${name}`), read(`in/${name}`));
  }
  assert.match(stdout, /^3 files instrumented, 4 copied as they are, into out\n/);
  assert.match(stdout, /\n\d+ of \d+ functions have probes/);
  assert.match(stdout, /\n\+\d+ bytes, \+\d+ gzipped\n$/);
});

test('a script that does not parse is shown with file, line, column and a frame; it is copied and the others are done', (t) => {
  const { polyprof, read, list } = site(t, { 'in/bad.js': BAD, 'in/good.js': GOOD });
  const { status, stdout, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 1);
  const [message, ...frame] = stderr.split('\n');
  assert.match(message, /^error: in\/bad\.js:3:3: Unexpected keyword 'return'/);
  assert.deepEqual(frame.slice(0, 5), [
    '  1 | const fine = 1;',
    '  2 | function broken( {',
    '> 3 |   return 2;',
    '    |   ^',
    '  4 | }',
  ]);
  assert.match(stderr, /1 file could not be parsed and got no probes\n$/);
  assert.match(stdout, /^1 file instrumented, 1 copied as they are/);
  assert.equal(read('out/bad.js'), BAD);
  assert.match(read('out/good.js'), HAS_PROBES);
  assert.deepEqual(list('out'), ['bad.js', 'good.js', 'good.js.ppft']);
});

test('an inline script that does not parse is shown at its place in the page', (t) => {
  const page = `<p>\n  <script>const x = (;</script>\n<script>${GOOD}</script>\n`;
  const { polyprof, read } = site(t, { 'in/index.html': page });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 1);
  const [first, , frame, caret] = stderr.split('\n');
  assert.match(first, /^error: in\/index\.html:2:22: /);
  assert.equal(frame, '> 2 |   <script>const x = (;</script>');
  assert.equal(caret.indexOf('^'), frame.indexOf(';'));
  assert.equal(read('out/index.html'), page);
});

test('wrong usage is told with exit status 2, and nothing is written', (t) => {
  const { polyprof, list } = site(t, {
    'in/good.js': GOOD,
    'in/sub/other.js': GOOD,
    'file.txt': 'x',
    'more/good.js': GOOD,
  });
  /** @type {[string[], RegExp][]} */
  const wrong = [
    [['in'], /option '-o, --output <folder>' not specified/],
    [['-o', 'out'], /missing required argument 'input'/],
    [['in', '-o', 'out', '--frob'], /unknown option '--frob'/],
    [['in', 'nowhere', '-o', 'out'], /no such file or folder: nowhere/],
    [['in', '-o', 'in/out'], /output folder in\/out is inside the input in/],
    [['in', '-o', 'in'], /output folder in is inside the input in/],
    [['in/good.js', '-o', 'in'], /would overwrite the input in\/good\.js/],
    [['in', 'more', '-o', 'out'], /two inputs would be written to out\/good\.js/],
    [['in', '-o', 'file.txt'], /cannot write to file\.txt/],
    [['in', '-o', 'out', '--min-weight', 'many'], /--min-weight.*'many'.*whole number/],
    [['in', '-o', 'out', '--min-weight', '-1'], /--min-weight.*'-1'.*whole number/],
    [['in', '-o', 'out', '--min-weight', '1.5'], /--min-weight.*'1\.5'.*whole number/],
    [['in', '-o', 'out', '--variants', 'abc'], /--variants.*'abc'.*share of the sessions/],
    [['in', '-o', 'out', '--probe', 'laser'], /--probe.*'laser'.*flag/],
  ];
  const before = list();
  for (const [args, message] of wrong) {
    const { status, stdout, stderr } = polyprof('instrument', ...args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, message);
    assert.match(stderr, /^error: /);
    assert.equal(stdout, '');
    assert.deepEqual(list(), before, args.join(' '));
  }
  const { status, stderr } = polyprof('frobnicate');
  assert.deepEqual([status, stderr.includes("unknown command 'frobnicate'")], [2, true]);
});

test('include and exclude choose by globs, and what is not chosen is copied', (t) => {
  const { polyprof, read } = site(t, {
    'in/a.js': GOOD,
    'in/vendor/b.js': GOOD,
    'in/vendor/deep/c.min.js': GOOD,
    'in/.hidden/d.js': GOOD,
  });
  const instrumented = (/** @type {string[]} */ ...options) => {
    const { status } = polyprof('instrument', 'in', '-o', 'out', ...options);
    assert.equal(status, 0);
    return ['a.js', 'vendor/b.js', 'vendor/deep/c.min.js', '.hidden/d.js'].filter((name) =>
      HAS_PROBES.test(read(`out/${name}`)),
    );
  };
  assert.deepEqual(instrumented('--exclude', 'vendor/**'), ['a.js', '.hidden/d.js']);
  assert.deepEqual(instrumented('--include', '*.js'), ['a.js']);
  assert.deepEqual(
    instrumented('--include', '**/*.js', '--exclude', '**/*.min.js', '--exclude', '.hidden/**'),
    ['a.js', 'vendor/b.js'],
  );
  assert.deepEqual(instrumented('--include', 'vendor/**', '--include', 'a.js'), [
    'a.js',
    'vendor/b.js',
    'vendor/deep/c.min.js',
  ]);
});

test('min-weight says how light a function may be', (t) => {
  const { polyprof, read } = site(t, { 'in/a.js': LIGHT });
  const { stdout: before } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(read('out/a.js'), LIGHT);
  assert.match(
    before,
    /0 of 2 functions have probes; 2 left out as too small \(--min-weight 0 takes them\)\n/,
  );
  const { stdout } = polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0');
  assert.match(read('out/a.js'), HAS_PROBES);
  assert.match(stdout, /2 of 2 functions have probes\n/);
});

test('a budget that nothing was counted for, or of 100 %, is told', (t) => {
  const sources = { 'a.js': [['work', '1', 3, 1]] };
  const calibration = { version: 1, selfTime: 'measured', busyMs: 1, sources };
  const { polyprof } = site(t, { 'in/a.js': GOOD, 'deep/c.json': JSON.stringify(calibration) });
  const notes = (/** @type {string[]} */ ...options) =>
    polyprof('instrument', 'in', '--check', '--no-cache', ...options).stderr;
  const guess =
    'note: no polyprof.calibration.json here: the budget is a guess from the text (npx polyprof calibrate counts)\n';
  assert.equal(notes(), '');
  assert.equal(notes('--budget', '1%'), guess);
  assert.equal(notes('--budget', '1%', '--calibration', 'deep/c.json'), '');
  assert.equal(notes('--budget', '1'), `note: a budget of 1 is 100 %: 1 % is 0.01\n${guess}`);
});

test('a calibration of another program is told, and one that was made in a folder above or below is none', (t) => {
  const of = (/** @type {string} */ source) =>
    JSON.stringify({
      version: 1,
      selfTime: 'measured',
      busyMs: 1,
      sources: { [source]: [['work', '1', 3, 1]] },
    });
  const { polyprof } = site(t, {
    'in/src/a.js': GOOD,
    'above.json': of('shop/src/a.js'),
    'other.json': of('lib/a.js'),
  });
  const notes = (/** @type {string} */ file) =>
    polyprof('instrument', 'in', '--check', '--calibration', file).stderr;
  assert.equal(notes('above.json'), '');
  assert.equal(
    notes('other.json'),
    'note: the calibration knows 0 of 2 functions: is it of this site, and made in this folder? npx polyprof calibrate makes one; its sources are such as lib/a.js\n',
  );
});

test('inline scripts of pages get probes; data, templates and scripts of other types do not', (t) => {
  const kept = [
    `<script type="application/json">{"function": "f(", "a": 1}</script>`,
    `<script type="importmap">{"imports": {}}</script>`,
    `<script type="text/template">${GOOD}</script>`,
    `<template><script>${GOOD}</script></template>`,
    `<svg><script>${GOOD}</script></svg>`,
    `<!-- <script>${GOOD}</script> -->`,
    `<script src="a.js">${GOOD}</script>`,
    `<a onclick="f(1)">`,
  ];
  const scripts = [
    `<script>${GOOD}</script>`,
    `<script type="module">import './a.js'; export ${GOOD}</script>`,
    `<SCRIPT TYPE="Text/JavaScript">${GOOD}</SCRIPT>`,
  ];
  const { polyprof, read, list } = site(t, { 'in/page.html': [...kept, ...scripts].join('\n') });
  assert.equal(polyprof('instrument', 'in', '-o', 'out').status, 0);
  const lines = read('out/page.html').split('\n');
  const input = read('in/page.html').split('\n');
  assert.equal(lines.length, input.length);
  const changed = lines.flatMap((line, index) => (line === input[index] ? [] : [input[index]]));
  assert.deepEqual(
    changed,
    scripts.map((script) => script.split('\n')[0]),
  );
  assert.deepEqual(list('out'), ['page.html', 'page.html.ppft']);
});

test('a site in which nothing loads the polyfill is told what is missing; one whose page or bundle does is not', (t) => {
  const page = '<script src="app.js"></script>';
  const { polyprof } = site(t, {
    'without/app.js': GOOD,
    'without/index.html': page,
    'light/app.js': LIGHT,
    'light/index.html': page,
    'tag/app.js': GOOD,
    'tag/index.html': `<script src="/lib/polyprof.js"></script>${page}`,
    'bundle/app.js': `${GOOD}; const core = new URL('polyprof.wasm', document.baseURI);`,
    'bundle/index.html': page,
    'pageless/app.js': GOOD,
  });
  const notes = (/** @type {string[]} */ ...args) =>
    polyprof('instrument', ...args, '--check', '--no-cache').stderr.match(/^note: .*$/gm);
  assert.deepEqual(notes('without'), [
    'note: no page loads the polyfill, so nothing samples yet: put <script src="polyprof.js"></script> before the scripts of ' +
      'without/index.html (--polyfill copies that file and what it loads into the output)',
  ]);
  assert.deepEqual(['light', 'tag', 'bundle', 'pageless'].map((folder) => notes(folder)), [null, null, null, null]); // prettier-ignore
});

test('digests in pages follow the scripts that they belong to', (t) => {
  const digest = (/** @type {string} */ text) =>
    `sha384-${createHash('sha384').update(text).digest('base64')}`;
  const { polyprof, read } = site(t, {
    'in/js/a.js': GOOD,
    'in/js/light.js': LIGHT,
    'in/index.html': `<script src="js/a.js?v=1" integrity="${digest(GOOD)}"></script>\n<script src="/js/light.js" integrity="${digest(LIGHT)}"></script>`,
  });
  const { status, stdout } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 0);
  assert.match(stdout, /^1 file instrumented, 1 changed to fit them, 1 copied as they are, into out\n/);
  const page = read('out/index.html');
  assert.ok(page.includes(`js/a.js?v=1" integrity="${digest(read('out/js/a.js'))}"`), page);
  assert.ok(page.includes(`integrity="${digest(LIGHT)}"`), page);
});

test('digests in scripts, such as webpack has of what it loads, and in import maps follow what has changed', (t) => {
  const digest = (/** @type {string} */ text, bits = 384) =>
    `sha${bits}-${createHash(`sha${bits}`).update(text).digest('base64')}`;
  const leaf = `export ${GOOD}`;
  const middle = `export const leaf = '${digest(leaf, 512)}';\n${GOOD}`;
  const [light, other] = [digest(LIGHT), digest('another script', 256)];
  const runtime = `const digests = { middle: '${digest(middle)}', light: '${light}', other: '${other}' };\n`;
  const { polyprof, read } = site(t, {
    'in/leaf.js': leaf,
    'in/middle.js': middle,
    'in/light.js': LIGHT,
    'in/runtime.js': runtime,
    'in/vendor/excluded.js': runtime,
    'in/boot.json': JSON.stringify({ resources: { 'leaf.js': digest(leaf, 256) } }),
    'in/index.html': `<script type="importmap">{"integrity": {"./leaf.js": "${digest(leaf, 256)}"}}</script>
<script src="polyprof.js"></script><script src="runtime.js" integrity="${digest(runtime)}"></script>`,
  });
  const { status, stdout, stderr } = polyprof('instrument', 'in', '-o', 'out', '--exclude', 'vendor/**');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^2 files instrumented, 4 changed to fit them, 1 copied as they are, into out\n/);
  const now = (/** @type {string} */ name, bits = 384) => digest(read(`out/${name}`), bits);
  assert.notEqual(now('leaf.js'), digest(leaf));
  assert.ok(read('out/middle.js').includes(`'${now('leaf.js', 512)}'`));
  assert.equal(
    read('out/runtime.js'),
    runtime.replace(digest(middle), now('middle.js')),
    'what has not changed has its digest',
  );
  assert.equal(read('out/vendor/excluded.js'), read('out/runtime.js'));
  assert.deepEqual(JSON.parse(read('out/boot.json')).resources, { 'leaf.js': now('leaf.js', 256) });
  const page = read('out/index.html');
  assert.ok(page.includes(`"./leaf.js": "${now('leaf.js', 256)}"`), page);
  assert.ok(page.includes(`integrity="${now('runtime.js')}"`), page);
});

test('digests follow in pages that get no probes: not selected, with a script that does not parse, in another encoding', (t) => {
  const sha = (/** @type {string | Uint8Array} */ text) =>
    `sha384-${createHash('sha384').update(text).digest('base64')}`;
  const map = `<script type="importmap">{"integrity": {"./é.js": "${sha(GOOD)}"}}</script>`;
  const page = `<p>é</p>${map}<script src="é.js" integrity="${sha(GOOD)}"></script>`;
  const latin1 = `<meta charset="latin1"><p>é</p>${map}<script src="%C3%A9.js" integrity="${sha(GOOD)}"></script>`;
  const { polyprof, folder, read } = site(t, {
    'in/é.js': GOOD,
    'in/plain/index.html': `<base href="..">${page}`,
    'in/index.html': page,
    'in/template.html': `${page}<script>var x = {{ v }}</script>`,
    'in/latin1.html': Buffer.from(latin1, 'latin1'),
    'in/newer.js': `a |> b; const digest = '${sha(GOOD)}';`,
    'in/none.html': '<p>no scripts</p><script src="polyprof.js"></script>',
    'in/hidden.html': `<template><script src="é.js" integrity="${sha(GOOD)}"></script></template><script>{{</script>`,
  });
  const { status, stdout, stderr } = polyprof('instrument', 'in', '-o', 'out', '--exclude', 'plain/**');
  assert.equal(status, 1);
  const now = sha(read('out/é.js'));
  assert.notEqual(now, sha(GOOD));
  for (const name of ['plain/index.html', 'index.html', 'template.html', 'newer.js'])
    assert.equal(read(`out/${name}`), read(`in/${name}`).replaceAll(sha(GOOD), now), name);
  assert.deepEqual(
    readFileSync(join(folder, 'out/latin1.html')),
    Buffer.from(latin1.replaceAll(sha(GOOD), now), 'latin1'),
  );
  assert.deepEqual(stderr.match(/^note: .*$/gm), [
    'note: in/hidden.html: it still has the digest that é.js had: put the new one where a browser compares it',
    'note: in/latin1.html: is not UTF-8, and got no probes',
  ]);
  assert.match(stderr, /3 files could not be parsed and got no probes\n$/);
  assert.match(stdout, /^1 file instrumented, 5 changed to fit them, 2 copied as they are, into out\n/);
});

test('digests in pages with a base follow the scripts that they belong to', (t) => {
  const sha = (/** @type {string} */ text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  const script = `<script src="a.js" integrity="${sha(GOOD)}"></script>`;
  const { polyprof, read } = site(t, {
    'in/a.js': GOOD,
    'in/text/index.html': `<base href="/">${script}`,
    'in/text/up.html': `<base href="../">${script}`,
    'in/index.html': `<base href="/served/here/">${script}`,
    'in/elsewhere.html': `<base href="https://elsewhere.example/">${script}`,
  });
  assert.equal(polyprof('instrument', 'in', '-o', 'out').status, 0);
  for (const page of ['text/index.html', 'text/up.html', 'index.html'])
    assert.ok(read(`out/${page}`).includes(`integrity="${sha(read('out/a.js'))}"`), page);
  assert.ok(read('out/elsewhere.html').includes(`integrity="${sha(GOOD)}"`));
});

test("the manifest of Angular's service worker follows scripts and pages", (t) => {
  const hash = (/** @type {string} */ text) => createHash('sha1').update(text).digest('hex');
  const page = `<script src="a.js" integrity="sha256-x"></script>`;
  const manifest = (/** @type {string} */ base) =>
    JSON.stringify({
      configVersion: 1,
      index: `${base}index.html`,
      hashTable: {
        [`${base}index.html`]: hash(page),
        [`${base}a.js`]: hash(GOOD),
        [`${base}light.js`]: hash(LIGHT),
      },
    });
  const { polyprof, read } = site(t, {
    ...{ 'in/a.js': GOOD, 'in/light.js': LIGHT, 'in/index.html': page, 'in/ngsw.json': manifest('/') },
    ...{ 'deep/a.js': GOOD, 'deep/light.js': LIGHT, 'deep/index.html': page },
    ...{ 'deep/ngsw.json': manifest('/app/'), 'odd/a.js': GOOD, 'odd/ngsw.json': '{"hashTable":' },
    ...{
      'malformed/a.js': GOOD,
      'malformed/ngsw.json': MALFORMED,
      'none/a.js': GOOD,
      'none/ngsw.json': 'null',
    },
  });
  for (const [folder, base] of [
    ['in', '/'],
    ['deep', '/app/'],
  ]) {
    assert.equal(polyprof('instrument', folder, '-o', `${folder}.out`).status, 0);
    const { configVersion, hashTable } = JSON.parse(read(`${folder}.out/ngsw.json`));
    assert.equal(configVersion, 1);
    for (const name of ['index.html', 'a.js', 'light.js'])
      assert.equal(hashTable[base + name], hash(read(`${folder}.out/${name}`)), name);
    assert.notEqual(hashTable[`${base}a.js`], hash(GOOD));
    assert.notEqual(hashTable[`${base}index.html`], hash(page));
  }
  assert.equal(polyprof('instrument', 'malformed', '-o', 'malformed.out').status, 0);
  assert.deepEqual(JSON.parse(read('malformed.out/ngsw.json')).hashTable, {
    '/a.js': hash(read('malformed.out/a.js')),
    '/%E0.js': '1',
  });
  for (const [folder, text] of [
    ['odd', '{"hashTable":'],
    ['none', 'null'],
  ]) {
    assert.equal(polyprof('instrument', folder, '-o', `${folder}.out`).status, 0);
    assert.equal(read(`${folder}.out/ngsw.json`), text);
  }
});

test("the polyfill's own files get no probes, also in twins", (t) => {
  const files = ['polyprof.js', 'polyprof-self-timed.js', 'polyprof-extra.js'];
  const dist = (/** @type {string} */ name) =>
    readFileSync(new URL(`../../dist/${name}`, import.meta.url), 'utf8');
  const { polyprof, read, list } = site(t, {
    'in/a.js': GOOD,
    ...Object.fromEntries(files.map((file) => [`in/${file}`, dist(file)])),
  });
  assert.equal(polyprof('instrument', 'in', '-o', 'out', '--min-weight', '0').status, 0);
  assert.match(read('out/a.js'), HAS_PROBES);
  for (const file of files) assert.equal(read(`out/${file}`), dist(file), file);
  assert.equal(polyprof('instrument', 'in', '-o', 'both', '--variants', '0.5').status, 0);
  assert.deepEqual(
    list('both').filter((name) => /probed/.test(name)),
    ['a.probed.js', 'a.probed.js.ppft'],
  );
});

test('a second run over the output changes nothing and says so', (t) => {
  const { polyprof, read, list } = site(t, { 'in/a.js': GOOD });
  polyprof('instrument', 'in', '-o', 'once');
  const { status, stdout } = polyprof('instrument', 'once', '-o', 'twice');
  assert.equal(status, 0);
  assert.match(stdout, /1 file had probes already/);
  assert.deepEqual(list('twice'), list('once'));
  for (const name of list('once')) assert.equal(read(`twice/${name}`), read(`once/${name}`));
});

test('what cannot be written is told, and no half of it is left', (t) => {
  const { polyprof, folder, list } = site(t, { 'in/a.js': GOOD, 'in/b.js': GOOD });
  mkdirSync(join(folder, 'out/b.js'), { recursive: true });
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 1);
  assert.match(stderr, /^error: .*b\.js'?\n$/);
  assert.deepEqual(
    list('out').filter((name) => !/^[ab]\.js(\.ppft)?$/.test(name)),
    [],
  );
});

test('links are followed wherever they are; those that lead back or nowhere are told, and the others are done', (t) => {
  const { polyprof, folder, read, list } = site(t, { 'in/v1/app.js': GOOD, 'in/v1/deep/a.css': '' });
  for (const [target, link] of [
    ['v1', 'latest'],
    ['app.js', 'v1/same.js'],
    ['..', 'v1/up'],
    ['../..', 'v1/deep/top'],
    ['../..', 'outside'],
    ['itself', 'itself'],
    ['gone', 'dangling'],
  ])
    symlinkSync(target, join(folder, 'in', link));
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out');
  assert.equal(status, 0);
  const version = ['app.js', 'app.js.ppft', 'deep/a.css', 'same.js', 'same.js.ppft'];
  assert.deepEqual(
    list('out'),
    ['latest', 'v1'].flatMap((name) => version.map((file) => `${name}/${file}`)),
  );
  assert.match(read('out/v1/app.js'), HAS_PROBES);
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'note: in/dangling: leads nowhere, and was left out',
    'note: in/itself: leads nowhere, and was left out',
    'note: in/latest/deep/top: leads back to a folder that it is in, and was left out',
    'note: in/latest/up: leads back to a folder that it is in, and was left out',
    'note: in/outside: leads back to a folder that it is in, and was left out',
    'note: in/v1/deep/top: leads back to a folder that it is in, and was left out',
    'note: in/v1/up: leads back to a folder that it is in, and was left out',
  ]);
  assert.match(polyprof('instrument', 'in/itself', '-o', 'out').stderr, /no such file or folder: in\/itself/);
});

test('a script that is not UTF-8 is copied with a note', (t) => {
  const latin1 = Buffer.from(`// caf\xe9\n${GOOD}`, 'latin1');
  const { polyprof, folder, list } = site(t, { 'in/a.js': latin1 });
  const { status, stderr } = polyprof('instrument', join(folder, 'in'), '-o', 'out');
  assert.equal(status, 0);
  assert.match(stderr, /note: .*a\.js: is not UTF-8, and got no probes/);
  assert.deepEqual(list('out'), ['a.js']);
});

test('help tells options, defaults, an example and the exit status', (t) => {
  const { polyprof } = site(t, {});
  const { status, stdout } = polyprof('instrument', '--help');
  assert.equal(status, 0);
  for (const text of [
    '--output',
    '--probe',
    '--min-weight',
    'default: 13',
    '--include',
    '--exclude',
    'Example',
    'Exit status',
  ]) {
    assert.ok(stdout.includes(text), text);
  }
  assert.ok(!stdout.includes('[]'), 'no defaults that say nothing');
});

test('by default shadow probes, which are longer, are for heavier functions than flag probes', (t) => {
  const { polyprof, read } = site(t, { 'in/a.js': GOOD, 'in/p.html': `<script>${GOOD}</script>` });
  polyprof('instrument', 'in', '-o', 'flag');
  polyprof('instrument', 'in', '-o', 'shadow', '--probe', 'shadow');
  for (const name of ['a.js', 'p.html']) {
    assert.match(read(`flag/${name}`), HAS_PROBES);
    assert.equal(read(`shadow/${name}`), read(`in/${name}`));
  }
  assert.match(polyprof('instrument', '--help').stdout, /default: 13, with\s+shadow 29/);
});

test('--probe shadow puts shadow probes into scripts and pages, and leaves alone what has flag probes', (t) => {
  const { polyprof, read } = site(t, { 'in/a.js': GOOD, 'in/p.html': `<script>${GOOD}</script>` });
  for (const [from, to] of [
    ['in', 'out'],
    ['out', 'again'],
  ]) {
    assert.equal(polyprof('instrument', from, '-o', to, '--probe', 'shadow', '--min-weight', '0').status, 0);
  }
  for (const name of ['a.js', 'p.html']) {
    assert.match(read(`out/${name}`), /__ppA\[0\]=__ppD\+1/);
    assert.doesNotMatch(read(`out/${name}`), HAS_PROBES);
    assert.equal(read(`again/${name}`), read(`out/${name}`));
  }
  polyprof('instrument', 'in', '-o', 'flag');
  polyprof('instrument', 'flag', '-o', 'both', '--probe', 'shadow', '--min-weight', '0');
  assert.equal(read('both/a.js'), read('flag/a.js'));
});
