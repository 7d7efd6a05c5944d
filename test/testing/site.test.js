import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import webpack from 'webpack';
import { instrument } from '../../instrumenter/instrument.js';
import { serveFolder } from '../../instrumenter/serving/serve_folder.js';
import { completeProfileOptions } from '../../testing/options.js';
import { InstrumentedSite } from '../../testing/site.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

const HTML = /** @type {import('../../testing/headers.js').Headers} */ ([['content-type', 'text/html']]);
const SCRIPT = /** @type {import('../../testing/headers.js').Headers} */ ([
  ['content-type', 'text/javascript; charset=iso-8859-1'],
  ['etag', '"1"'],
  ['content-encoding', 'br'],
  ['content-security-policy', "script-src 'self'"],
  ['set-cookie', 'a=1'],
  ['set-cookie', 'b=2'],
]);

/** @param {import('../../testing/options.js').ProfileOptions} [options] @param {boolean} [isolates] */
function siteFor(options, isolates = true) {
  /** @type {string[]} */
  const notes = [];
  const { settings } = completeProfileOptions({
    minWeight: 0,
    onNote: (note) => notes.push(note),
    ...options,
  });
  return { site: new InstrumentedSite(settings, { isolates }), notes };
}

/** @param {import('../../testing/headers.js').Headers} headers @param {string | Buffer} body */
const answer = (headers, body) => ({ status: 200, headers, body: Buffer.from(body) });

test('a script gets probes, and keeps its encoding and cookies, but no header that was of the old text', async () => {
  const { site } = siteFor();
  const latin = Buffer.from('function f() { return "ä" }', 'latin1');
  const { headers, body } = await site.change('script', 'https://a.test/x/f.js?v=1', answer(SCRIPT, latin));
  assert.match(body.toString('latin1'), /__pp.*function f\(\).*"ä"/s);
  assert.deepEqual(headers, [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-embedder-policy', 'credentialless'],
    ['cross-origin-resource-policy', 'cross-origin'],
    ['content-type', 'text/javascript; charset=windows-1252'],
    ['cache-control', 'no-store'],
  ]);
  assert.match(site.takeSummary() ?? '', /^2 of 2 functions in 1 file have probes/);
});

/** What follows each script, since it may be a worker's. @param {Buffer} body */
const withoutTail = (body) => String(body).replace(/\n;globalThis\.WorkerGlobalScope.*$/, '');

const UNTYPED = /** @type {[string, string][]} */ ([['content-type', 'text/javascript']]);

/** @param {string} text @param {string} encoding a multi-byte one, or windows-1251 */
const bytesOf = (text, encoding) =>
  Buffer.from(
    (encoding === 'windows-1251' ? createSinglebyteEncoder : createMultibyteEncoder)(encoding)(text),
  );

for (const [charset, word] of [
  ['windows-1251', 'При'],
  ['shift_jis', '表示'],
  ['gbk', '中文'],
]) {
  test(`a page in ${charset} stays in it, as what its forms send does, and so do its scripts`, async () => {
    const { site } = siteFor();
    const html = `<!doctype html><meta charset=${charset}><p>${word}</p><script>function a() { return "${word}" }</script>`;
    const page = await site.change('document', 'https://a.test/', answer(HTML, bytesOf(html, charset)));
    assert.deepEqual(page.headers.at(-2), ['content-type', `text/html; charset=${charset}`]);
    assert.ok(page.body.includes(bytesOf(`<p>${word}</p>`, charset)));
    assert.match(page.body.toString('latin1'), /function a\(\) \{__pp/);
    const code = bytesOf(`function f() { return "${word}" }`, charset);
    const script = await site.change('script', 'https://a.test/f.js', answer(UNTYPED, code));
    assert.ok(script.body.includes(bytesOf(`"${word}"`, charset)));
    assert.deepEqual(script.headers.at(-2), UNTYPED[0], 'nobody is to say what its tag may say');
    const utf8 = Buffer.from('function g() { return "ä" }');
    const other = await site.change('script', 'https://a.test/g.js', answer(UNTYPED, utf8));
    assert.match(String(other.body), /__pp.*"ä"/s, 'what is UTF-8 is read as that');
  });
}

test('a script whose tag alone says its encoding, in a page in UTF-8, has the bytes that it had', async () => {
  const { site } = siteFor();
  await site.change('document', 'https://a.test/', answer(HTML, '<meta charset=utf-8><p>ä'));
  const literal = Buffer.from([0x22, ...Array.from({ length: 128 }, (_, index) => 0x80 + index), 0x22]);
  const code = Buffer.concat([Buffer.from('function f() { return '), literal, Buffer.from(' }')]);
  const { body, headers } = await site.change('script', 'https://a.test/f.js', answer(UNTYPED, code));
  assert.ok(body.includes(literal));
  assert.match(body.toString('latin1'), /function f\(\) \{__pp/);
  assert.deepEqual(headers.at(-2), UNTYPED[0]);
});

test('what cannot be written as it was read is UTF-8, and says so', async () => {
  const { site } = siteFor();
  const odd = Buffer.concat([
    Buffer.from('<meta charset=shift_jis><p>'),
    Buffer.from([0x82, 0x3c, 0x62, 0xff]),
  ]);
  const { body, headers } = await site.change('document', 'https://a.test/', answer(HTML, odd));
  assert.ok(isUtf8(body));
  assert.deepEqual(headers.at(-2), ['content-type', 'text/html; charset=utf-8']);
});

test('a page that names an encoding which only browsers have is read all the same', async () => {
  const { site } = siteFor();
  for (const charset of ['x-user-defined', 'iso-2022-kr', 'none-such']) {
    const html = answer(HTML, `<meta charset=${charset}><p>text</p>`);
    assert.match(String((await site.change('document', 'https://a.test/', html)).body), /<p>text</);
  }
});

test('a page that says nothing of its encoding is read as UTF-8 if it can be, else as browsers do', async () => {
  const { site } = siteFor();
  const page = async (/** @type {Buffer} */ sent) => {
    const { headers, body } = await site.change('document', 'https://a.test/', answer(HTML, sent));
    const charset = /charset=(.*)/.exec(headers.at(-2)?.[1] ?? '')?.[1];
    return [charset, new TextDecoder(charset).decode(body).replace(/.*(<p>)/, '$1')];
  };
  assert.deepEqual(await page(Buffer.from('<p>ä</p>')), ['utf-8', '<p>ä</p>']);
  const quoted = Buffer.from('<p>\x80 \x93ä\x94</p>', 'latin1');
  assert.deepEqual(await page(quoted), ['windows-1252', '<p>€ “ä”</p>']);
  assert.deepEqual(await page(Buffer.from('\ufeff<p>ä</p>', 'utf16le')), ['utf-8', '<p>ä</p>']);
});

test('a script without a source map is a source itself: include and exclude choose it by its path', async () => {
  const { site } = siteFor({ exclude: ['./x/block.js', 'vendor/**', './app/@modal/a#1.js'] });
  const code = 'function f() { return 1 }';
  for (const path of ['x/block.js', 'vendor/deep/a.js', 'app/%40modal/a%231.js']) {
    const { body } = await site.change('script', `https://a.test/${path}`, answer(SCRIPT, code));
    assert.equal(withoutTail(body), code, path);
  }
  const { body } = await site.change('script', 'https://a.test/block.js', answer(SCRIPT, code));
  assert.match(String(body), /__pp/);
});

test('sources that the map of a script on a server of the project calls by their files are called by their paths in the project', async () => {
  const { site } = siteFor({ include: ['app/**'] });
  const mapOf = (/** @type {string} */ file) => ({
    version: 3,
    sections: [
      {
        offset: { line: 0, column: 0 },
        map: { version: 3, names: [], sources: [pathToFileURL(file).href], mappings: 'AAAA' },
      },
    ],
  });
  for (const [file, expected] of [
    ['app/page.tsx', /__pp/],
    ['lib/page.tsx', /^f/],
    ['/elsewhere/app/page.tsx', /^f/],
  ]) {
    const map = JSON.stringify(mapOf(resolve(String(file))));
    const comment = `//# sourceMappingURL=data:application/json,${encodeURIComponent(map)}`;
    const code = `function f() { return 1 }\n${comment}`;
    const { body } = await site.change('script', `https://a.test/${file}.js`, answer(SCRIPT, code));
    assert.match(String(body), /** @type {RegExp} */ (expected), String(file));
  }
});

test('minified scripts without a source map are noted once, and scripts that are readable or have one are not', async () => {
  const { site, notes } = siteFor();
  const minified = 'function f(){return 1}'.repeat(20);
  const map = { version: 3, sources: ['f.ts'], names: [], mappings: 'AAAA' };
  const comment = `//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(map))}`;
  await site.change(
    'script',
    'https://a.test/readable.js',
    answer(SCRIPT, 'function f() {\n  return 1;\n}\n'),
  );
  await site.change('script', 'https://a.test/mapped.js', answer(SCRIPT, `${minified}\n${comment}`));
  site.noteRest();
  assert.deepEqual(notes, []);
  for (const name of ['a', 'b', 'c']) {
    await site.change('script', `https://a.test/${name}.js`, answer(SCRIPT, minified));
  }
  site.noteRest();
  assert.equal(notes.length, 1);
  assert.match(
    notes[0],
    /^https:\/\/a\.test\/a\.js and 2 more scripts are minified and have no source map, .*--source-maps/,
  );
});

test('of source maps that cannot be read for one reason the first is noted, and how many more there are at the end', async (t) => {
  const { path: folder, release } = temporaryFolder();
  t.after(release);
  const { origin, close } = await serveFolder(folder);
  t.after(close);
  const { site, notes } = siteFor();
  for (const name of ['a', 'b', 'c']) {
    const code = `function f() { return 1 }\n//# sourceMappingURL=${origin}/${name}.js.map`;
    await site.change('script', `https://a.test/${name}.js`, answer(SCRIPT, code));
  }
  const first = `source map ${origin}/a.js.map cannot be read: 404: names in https://a.test/a.js are those of the script`;
  assert.deepEqual(notes, [first]);
  site.noteRest();
  site.noteRest();
  assert.deepEqual(notes, [first, '2 more source maps cannot be read: 404']);
});

test('the summary counts functions that are too small, and says how to take them', async () => {
  const { site } = siteFor({ minWeight: 5 });
  const code = 'function f() { return 1 }\nfunction g(a) { a(); a(); a(); a(); a(); a(); a(); return a(); }';
  await site.change('script', 'https://a.test/f.js', answer(SCRIPT, code));
  assert.match(
    site.takeSummary() ?? '',
    /^1 of 3 functions in 1 file have probes, .*; 2 left out as too small \(minWeight: 0 takes them\)$/,
  );
});

/** @param {Parameters<typeof siteFor>[0]} options @param {Record<string, string>} files by path */
async function whyNoProbes(options, files, serviceWorker = '') {
  const { site } = siteFor(options);
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith('.js')) await site.change('script', `https://a.test/${path}`, answer(SCRIPT, text));
    else await site.change('document', `https://a.test/${path}`, answer(HTML, text));
  }
  return site.whyNoProbes(serviceWorker);
}

const SMALL = 'function f() { return 1 }';

for (const [
  what,
  options,
  files,
  expected,
] of /** @type {[string, any, Record<string, string>, string][]} */ ([
  [
    'whose functions are too small',
    { minWeight: 9 },
    { 'f.js': SMALL, '': `<script>${SMALL}</script>` },
    'no function of the page has probes: 4 left out as too small (minWeight: 0 takes them)',
  ],
  [
    'whose functions have no probes for several reasons',
    { minWeight: 9 },
    { 'f.js': `${SMALL}\n/* polyprof-ignore */ function g() {}` },
    'no function of the page has probes: 2 left out as too small (minWeight: 0 takes them), 1 as ignored',
  ],
  [
    'without scripts',
    {},
    { '': '<p>' },
    'no script of the page has probes: it has none that runs and can be read (TypeScript and JSX have to be built)',
  ],
  [
    'whose script is excluded',
    { exclude: '*.js' },
    { '': '<script src="f.js"></script>', 'f.js': SMALL },
    'no script of the page has probes: include or exclude leaves its script out',
  ],
  ['whose scripts do not run', {}, { 'f.js': SMALL }, 'none of the scripts with probes has run in the page'],
])) {
  test(`of a page ${what} it is told why it has no probes`, async () => {
    assert.equal(await whyNoProbes(options, files), expected);
  });
}

test('of a page that a service worker answers for it is told that nothing has probes for this', async () => {
  assert.equal(
    await whyNoProbes({}, {}, 'https://a.test/sw.js'),
    'no script of the page has probes: its service worker, https://a.test/sw.js, answers for it',
  );
});

/** With probes, as a build has made it. @param {{inlineTable?: boolean}} [options] */
const builtScript = (options) =>
  instrument('function f() { return 1 }\nf();\n', {
    ...{ file: 'f.js', minWeight: 0, sourceMap: false, ...options },
    inputMap: { version: 3, sources: ['src/f.ts'], names: ['busy'], mappings: 'AAAAA,SAASA' },
  });

/** @param {InstrumentedSite} site @param {string} url @param {string} code of `builtScript` @returns {string | undefined} where its `f` is from */
function sourceOf(site, url, code) {
  const column = code.split('\n')[0].indexOf('(', code.indexOf('function f(')) + 1;
  const { frames, resources } = site.symbolicate({
    resources: [url],
    frames: [{ name: 'f', resourceId: 0, line: 1, column }],
    stacks: [{ frameId: 0 }],
    samples: [{ timestamp: 1, stackId: 0 }],
  });
  return resources[Number(frames[0].resourceId)];
}

test('a script that had its probes before is named by the function table beside it', async (t) => {
  const { path: folder, release } = temporaryFolder();
  t.after(release);
  const { code, table } = builtScript();
  writeFileSync(join(folder, 'f.js.ppft'), /** @type {Uint8Array} */ (table));
  const { origin, close } = await serveFolder(folder);
  t.after(close);
  const { site, notes } = siteFor();
  const url = `${origin}/f.js?v=1`;
  const { body } = await site.change('script', url, answer(SCRIPT, code));
  assert.equal(withoutTail(body), code);
  assert.equal(site.takeSummary(), '1 file had probes before');
  assert.equal(sourceOf(site, url, code), 'src/f.ts');
  await site.change('script', `${origin}/gone.js`, answer(SCRIPT, code.replace('f.js.ppft', 'gone.js.ppft')));
  assert.match(notes.join(), /function table http.*\/gone\.js\.ppft cannot be read: 404/);
});

test('a script that had its probes before is named by the function table in it', async () => {
  const { site } = siteFor();
  const { code } = builtScript({ inlineTable: true });
  const url = 'https://a.test/bundle.js';
  const { body } = await site.change('script', url, answer(SCRIPT, code));
  assert.equal(withoutTail(body), code);
  assert.equal(sourceOf(site, url, code), 'src/f.ts');
});

test('scripts that a program makes are told apart by their queries, also where the browser leaves these out', async () => {
  const { site } = siteFor();
  const names = ['ab', 'cd', 'ef'];
  for (const name of names) {
    const url = `https://a.test/load.php?of=${name}`;
    await site.change('script', url, answer(SCRIPT, `\nfunction ${name}() {}`));
  }
  const places = names.map((name) => ({ name, line: 2, column: 'function ab('.length }));
  const { frames, resources } = site.symbolicate({
    resources: ['https://a.test/load.php', 'https://a.test/load.php?of=ab'],
    frames: [...places.map((place) => ({ ...place, resourceId: 0 })), { ...places[0], resourceId: 1 }],
    stacks: [],
    samples: [],
  });
  assert.deepEqual(
    frames.map(({ name, resourceId }) => [name, resources[Number(resourceId)]]),
    [...names, 'ab'].map((name) => [name, `load.php?of=${name}`]),
  );
});

test('of a file the query says which version it is, which is no part of its name', async () => {
  const { site } = siteFor();
  const url = 'https://a.test/x/f.mjs?v=1';
  const { body } = await site.change('script', url, answer(SCRIPT, 'function f() {}'));
  assert.equal(sourceOf(site, url, String(body)), 'x/f.mjs');
});

for (const [kind, map] of [
  ['whose mappings are no text', '{"version":3,"sources":["a.ts"],"mappings":7}'],
  ['with sections that are none', '{"version":3,"sections":[7]}'],
]) {
  test(`a script with a source map ${kind} has probes all the same, and the map is told once`, async () => {
    const { site, notes } = siteFor();
    const url = `data:application/json,${encodeURIComponent(map)}`;
    for (const visit of [1, 2]) {
      const code = `function f() {}\n//# visit ${visit}\n//# sourceMappingURL=${url}\n`;
      const { body } = await site.change('script', 'https://a.test/f.js', answer(SCRIPT, code));
      assert.match(String(body), /__pp/);
    }
    assert.equal(notes.length, 1);
    assert.match(notes[0], /^the source map of https:\/\/a\.test\/f\.js is no source map: /);
  });
}

test('a script whose functions are in texts for eval, as webpack makes it in development, is told once', async (t) => {
  const { path: folder, release } = temporaryFolder();
  t.after(release);
  writeFileSync(join(folder, 'app.js'), "import { f } from './f.js';\nconsole.log(f());\n");
  writeFileSync(join(folder, 'f.js'), 'export function f() {\n  return 1;\n}\n');
  for (const devtool of [undefined, 'eval-source-map', /** @type {const} */ ('source-map')]) {
    const compiler = webpack({
      mode: 'development',
      ...(devtool && { devtool }),
      context: folder,
      entry: './app.js',
      output: { path: join(folder, 'out'), filename: `${devtool}.js` },
    });
    await promisify(compiler.run.bind(compiler))();
    const code = readFileSync(join(folder, 'out', `${devtool}.js`));
    const { site, notes } = siteFor();
    for (let visit = 0; visit < 2; visit++)
      await site.change('script', 'https://a.test/x.js', answer(SCRIPT, code));
    const told = notes.filter((note) =>
      /^https:\/\/a\.test\/x\.js has its functions in texts for eval/.test(note),
    );
    assert.equal(told.length, devtool === 'source-map' ? 0 : 1, `${devtool}: ${notes.join()}`);
  }
});

test('a script that cannot be read passes as it is, and the place is told', async () => {
  const { site, notes } = siteFor();
  const { body } = await site.change('script', 'https://a.test/f.js', answer(SCRIPT, 'const a = ;'));
  assert.equal(withoutTail(body), 'const a = ;');
  assert.match(notes.join(), /^f\.js:1:11: Unexpected token; it has no probes/);
});

test('a script that is asked for by two pages at once is instrumented once', async () => {
  const { site } = siteFor();
  const ask = () => site.change('script', 'https://a.test/f.js', answer(SCRIPT, 'function f() {}'));
  const [one, two] = await Promise.all([ask(), ask()]);
  assert.deepEqual(one, two);
  assert.match(site.takeSummary() ?? '', /in 1 file have/);
});

test('a page gets our scripts first, loses what forbids them, and its inline scripts get probes', async () => {
  const { site } = siteFor();
  const page = `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="script-src 'none'">
<script src="a.js" integrity="sha256-x"></script><script>function f() {}</script></head></html>`;
  const { body } = await site.change('document', 'https://a.test/', answer(HTML, page));
  const text = String(body);
  assert.match(text, /^<!doctype html><html><head><script/);
  assert.doesNotMatch(text, /Content-Security-Policy|integrity/);
  assert.match(text, /<script src="a\.js" {2,}><\/script><script>[^<]*__pp[^<]*function f\(\)/);
});

test('a page whose inline script cannot be read still gets our scripts, and the place is told', async () => {
  const { site, notes } = siteFor();
  const page = '<!doctype html><p>\n<script>const a = ;</script>';
  const { body } = await site.change('document', 'https://a.test/b', answer(HTML, page));
  assert.match(String(body), /^<!doctype html><script.*<p>\n<script>const a = ;<\/script>$/s);
  assert.match(notes.join(), /^https:\/\/a\.test\/b:2:19: .*inline scripts of the page have no probes$/);
});

test('only pages and scripts that arrived are read', () => {
  const { site } = siteFor();
  const wants = (/** @type {'document' | 'script'} */ kind, /** @type {string} */ type, status = 200) =>
    site.wants(kind, { status, headers: [['content-type', type]] });
  assert.ok(wants('document', 'text/html; charset=utf-8'));
  assert.ok(wants('document', 'text/html', 404), 'a page that says so is a page');
  assert.ok(wants('script', 'application/x-javascript'));
  assert.ok(!wants('document', 'application/pdf'));
  assert.ok(!wants('document', 'text/html', 304));
  assert.ok(!wants('document', 'text/html', 204));
  assert.ok(!wants('script', 'text/javascript', 404));
  assert.ok(!wants('script', 'application/json'));
});

test('what a browser takes for a page since it begins like one is a page, unless its server forbids to guess or it is a file to keep', async () => {
  const { site } = siteFor();
  const wants = (/** @type {import('../../testing/headers.js').Headers} */ headers) =>
    site.wants('document', { status: 200, headers });
  assert.ok(wants([]));
  assert.ok(!wants([['X-Content-Type-Options', 'nosniff']]));
  assert.ok(!wants([...HTML, ['Content-Disposition', 'attachment; filename="x.html"']]));
  for (const page of [' \n<!DOCTYPE html><p>', '<html>', '<script>f()</script>', '<!-- -->']) {
    const { headers, body } = await site.change('document', 'https://a.test/', answer([], page));
    assert.match(String(body), /__polyprof__/, page);
    assert.deepEqual(headers.at(-2), ['content-type', 'text/html; charset=utf-8']);
  }
  for (const text of ['{"a": "<html>"}', '<htmlx>', '']) {
    const { headers, body } = await site.change('document', 'https://a.test/', answer([], text));
    assert.equal(String(body), text);
    assert.deepEqual(headers, [
      ['cross-origin-opener-policy', 'same-origin'],
      ['cross-origin-embedder-policy', 'credentialless'],
      ['cross-origin-resource-policy', 'cross-origin'],
    ]);
  }
});

test('a classic script is what runs as one, whatever it is called, and a worker is what is called a script', () => {
  const { site } = siteFor();
  const wants = (
    /** @type {'script' | 'worker'} */ kind,
    /** @type {import('../../testing/headers.js').Headers} */ headers,
  ) => site.wants(kind, { status: 200, headers });
  for (const type of ['text/plain', 'text/html', 'application/octet-stream', '']) {
    assert.ok(wants('script', [['content-type', type]]), type);
    assert.ok(!wants('worker', [['content-type', type]]), type);
    const nosniff = /** @type {[string, string]} */ (['X-Content-Type-Options', 'nosniff']);
    assert.ok(!wants('script', [['content-type', type], nosniff]), type);
  }
  assert.ok(wants('script', []));
  for (const type of ['text/css', 'text/csv', 'image/png', 'application/manifest+json', 'application/wasm']) {
    assert.ok(!wants('script', [['content-type', type]]), type);
  }
});

test('a script without a type keeps what browsers make of it: it runs, but not as a module', async () => {
  const { site } = siteFor();
  const { headers } = await site.change('script', 'https://a.test/f', answer([], 'function f() {}'));
  assert.deepEqual(headers.at(-2), ['content-type', 'text/plain']);
});

test('when it is over nothing gets probes any more, and pages stay isolated', async () => {
  const { site } = siteFor();
  site.isOver = true;
  assert.ok(!site.wants('script', { status: 200, headers: SCRIPT }));
  assert.ok(site.wants('document', { status: 200, headers: HTML }));
  const { headers, body } = await site.change('document', 'https://a.test/', answer(HTML, '<p>'));
  assert.equal(String(body), '<p>');
  assert.ok(
    headers.some(([name, value]) => name === 'cross-origin-embedder-policy' && value === 'credentialless'),
  );
});

test('pictures and texts that a page shows are isolated as it is, but not what is kept as a file', () => {
  const { site } = siteFor();
  const isShown = (/** @type {string} */ type, disposition = 'inline', status = 200) => {
    const headers = /** @type {import('../../testing/headers.js').Headers} */ ([
      ['Content-Type', type],
      ['Content-Disposition', disposition],
    ]);
    return site.isShown('document', { status, headers }) && site.isShown('frame', { status, headers });
  };
  for (const type of ['image/svg+xml', 'text/plain; charset=utf-8', 'application/pdf', 'application/json']) {
    assert.ok(isShown(type), type);
    assert.ok(!isShown(type, 'attachment; filename=it'), type);
    assert.ok(!isShown(type, 'inline', 302), type);
  }
  for (const type of ['application/zip', 'application/octet-stream', 'video/mp4', '']) {
    assert.ok(!isShown(type), type);
  }
  const picture = { status: 200, headers: answer([['content-type', 'image/png']], '').headers };
  assert.ok(!site.isShown('script', picture));
  assert.ok(!siteFor({}, false).site.isShown('document', picture));
});

test('without isolation a page keeps its own policies of isolation', async () => {
  const { site } = siteFor({}, false);
  const own = [...HTML, ...isolationOf('same-origin-allow-popups')];
  const { headers } = await site.change('document', 'https://a.test/', answer(own, '<p>'));
  assert.deepEqual(
    headers.filter(([name]) => name === 'cross-origin-opener-policy'),
    isolationOf('same-origin-allow-popups'),
  );
});

/** @param {string} value @returns {import('../../testing/headers.js').Headers} */
function isolationOf(value) {
  return [['cross-origin-opener-policy', value]];
}

for (const [options, message] of /** @type {[any, RegExp][]} */ ([
  [{ sampelInterval: 1 }, /there is no option 'sampelInterval': there is sampleInterval, probe,/],
  [{ sampleInterval: 0 }, /sampleInterval must be a number of ms above 0, not 0/],
  [{ isolate: 'no' }, /isolate must be true or false, not no/],
  [{ isolate: false, probe: 'shadow' }, /the probe 'shadow' needs pages that are isolated/],
  [{ serviceWorkers: 'none' }, /serviceWorkers must be 'allow' or 'block', not 'none'/],
  [{ name: '../x' }, /name must be a name of a file, not '\.\.\/x'/],
  [{ sourceMaps: '/nowhere' }, /sourceMaps must be folders; '\/nowhere' is none/],
  [{ testInfo: {} }, /testInfo must be what a test of Playwright gets as its second argument/],
])) {
  test(`the options ${JSON.stringify(options)} of profile() are refused, and the message says what there is`, () => {
    assert.throws(() => completeProfileOptions(options), { name: 'TypeError', message });
  });
}
