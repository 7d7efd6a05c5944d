import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { site } from './lib/command_line.js';

/** What the command line makes of pages whose scripts are there twice. */

/** What choosers would write. @param {string} html */
const writes = (html) =>
  [...html.matchAll(/data-probed="([^"]*)"/g)].map(([, text]) =>
    decodeURIComponent(text).replaceAll('&quot;', '"'),
  );

/** @param {import('node:test').TestContext} t @param {Record<string, string>} files */
function choosingSite(t, files) {
  const { polyprof, list, read } = site(t, files);
  const options = ['--variants', '0.5', '--chooser', 'external', '--min-weight', '0', '--no-cache'];
  const { status, stderr } = polyprof('instrument', 'in', '-o', 'out', ...options);
  assert.equal(status, 0, stderr);
  /** @param {string} page @returns {string[]} what its two variants may load, as they name it */
  const addresses = (page) => {
    const html = read(`out/${page}`);
    return [...writes(html), html.replace(/data-probed="[^"]*"/g, '')].flatMap((text) =>
      [...text.matchAll(/src=["']?([^\s"'>]+)/g)].map(([, address]) => address),
    );
  };
  return { list, read, addresses, stderr };
}

test('what a page with addresses from the root loads for its variants has such addresses, too', (t) => {
  const inline = '<script>const f = () => 1;\nf()</script>';
  const { addresses, list } = choosingSite(t, {
    'in/assets/app.js': 'function app() {}',
    'in/polyprof-12345678/polyprof.js': '',
    'in/index.html': `<script src=/assets/app.js></script>${inline}`,
    'in/deep/styled #1.html': `<link rel=stylesheet href=/style.css>${inline}`,
    'in/deep/module.html': `<script type=module>import '/assets/app.js'; const f = () => 1;</script>`,
    'in/style.css': '',
  });
  const polyfill = '/polyprof-12345678/polyprof.js';
  assert.deepEqual(addresses('index.html'), [
    polyfill,
    '/assets/app.probed.js',
    '/index.html.1.probed.js',
    '/polyprof-chooser.js',
    '/assets/app.js',
  ]);
  const styled = '/deep/styled%20%231.html.1.probed.js';
  assert.deepEqual(addresses('deep/styled #1.html'), [polyfill, styled, '/polyprof-chooser.js']);
  const module = '/deep/module.html.1.probed.js';
  assert.deepEqual(addresses('deep/module.html'), [polyfill, module, '/polyprof-chooser.js']);
  for (const name of ['index.html', 'deep/styled #1.html', 'deep/module.html'])
    assert.ok(list('out').includes(`${name}.1.probed.js`), name);
});

test("what a page with relative addresses loads is found from its folder, or by the page's base", (t) => {
  const scripts = (/** @type {string} */ src) =>
    `<script src=${src}></script><script>const f = () => 1;</script>`;
  const { addresses, stderr } = choosingSite(t, {
    'in/app.js': 'function app() {}',
    'in/deep/app.js': 'function app() {}',
    'in/other.js': 'function other() {}',
    'in/deep/up.html': scripts('../app.js'),
    'in/deep/beside.html': scripts('./app.js?1'),
    'in/deep/base.html': `<base href="/">${scripts('other.js')}`,
  });
  assert.deepEqual(addresses('deep/up.html').slice(1, 3), [
    '../deep/up.html.1.probed.js',
    '../polyprof-chooser.js',
  ]);
  assert.equal(addresses('deep/beside.html')[1], '../deep/beside.html.1.probed.js');
  assert.deepEqual(addresses('deep/base.html').slice(1, 3), [
    'deep/base.html.1.probed.js',
    'polyprof-chooser.js',
  ]);
  assert.doesNotMatch(stderr, /inline scripts/);
});

test("a script that is named from the root is the root's, also if the page's folder has one that is called the same", (t) => {
  const { addresses, read } = choosingSite(t, {
    'in/main.js': 'function main() {}',
    'in/sub/main.js': 'function other() {}',
    'in/sub/index.html':
      '<script src=/main.js integrity=sha256-pTM3/z9naYbNOCEdXeJ/Ds9mSAEsB/n6pMyoD7WFYdw=></script>',
  });
  assert.deepEqual(addresses('sub/index.html'), ['/main.probed.js', '/polyprof-chooser.js', '/main.js']);
  const digest = createHash('sha256').update(read('out/main.probed.js')).digest('base64');
  assert.ok(writes(read('out/sub/index.html'))[0].includes(`sha256-${digest}`));
});

test('where nobody knows the root, what chooses is looked for there as seen from the page', (t) => {
  const { addresses } = choosingSite(t, {
    'in/sub/main.js': 'function main() {}',
    'in/sub/index.html': '<script src=/main.js></script>',
  });
  assert.equal(addresses('sub/index.html')[1], '../polyprof-chooser.js');
});

test('a base that is relative, and links to pages, leave inline scripts their probes', (t) => {
  const inline = '<script>const f = () => 1;</script>';
  const { addresses, stderr } = choosingSite(t, {
    'in/here.html': `<base href="./">${inline}`,
    'in/deep/here.html': `<base href=".">${inline}`,
    'in/deep/up.html': `<base href="../">${inline}`,
    'in/deep/down.html': `<base href="a%20b/c/d.html#e">${inline}`,
    'in/deep/links.html': `<link rel=canonical href=/deep/links><link rel=alternate href=/feed.xml>${inline}`,
    'in/deep/icon.html': `<link rel="shortcut icon" href=/icon.png>${inline}`,
    'in/icon.png': '',
  });
  const chooserOf = (/** @type {string} */ page) => addresses(page)[1];
  assert.equal(chooserOf('here.html'), 'polyprof-chooser.js');
  assert.equal(chooserOf('deep/here.html'), '../polyprof-chooser.js');
  assert.equal(chooserOf('deep/up.html'), 'polyprof-chooser.js');
  assert.equal(chooserOf('deep/down.html'), '../../../polyprof-chooser.js');
  assert.equal(chooserOf('deep/links.html'), '../polyprof-chooser.js');
  assert.equal(chooserOf('deep/icon.html'), '/polyprof-chooser.js');
  assert.doesNotMatch(stderr, /inline scripts/);
});

test('an inline script stays plain where nobody knows the address that its twin would have, and that is told', (t) => {
  const inline = '<script>const f = () => 1;</script>';
  const { list, read, stderr } = choosingSite(t, {
    'in/base.html': `<base href="/app/">${inline}`,
    'in/outside.html': `<base href="../">${inline}`,
    'in/below.html': `<script src=/app/of_the_server.js></script>${inline}`,
    'in/alone.html': inline,
  });
  for (const name of ['base.html', 'outside.html', 'below.html']) {
    assert.equal(read(`out/${name}`), read(`in/${name}`));
    assert.match(
      stderr,
      new RegExp(`^note: in/${name}: its inline scripts have no probes in either variant`, 'm'),
    );
  }
  assert.doesNotMatch(stderr, /alone\.html: its inline/);
  assert.deepEqual(
    list('out').filter((name) => name.endsWith('.probed.js')),
    ['alone.html.1.probed.js'],
  );
});

test('twins go on importing by the names of the import map, also where files are called the same', (t) => {
  const { read } = choosingSite(t, {
    'in/index.html':
      '<script type=importmap>{"imports": {"chart.js": "./vendor/chart.js"}}</script><script type=module src=vendor/plugin.js></script>',
    'in/vendor/chart.js': 'export const chart = () => 1;',
    'in/vendor/plugin.js':
      'import { chart } from "chart.js"; import("chart.js"); import "./chart.js"; new URL("chart.js", import.meta.url)',
  });
  const code = read('out/vendor/plugin.probed.js');
  assert.match(code, /from "chart\.js"; import\("chart\.js"\); import "\.\/chart\.probed\.js"/);
  assert.match(code, /new URL\("chart\.probed\.js"/);
  assert.match(writes(read('out/index.html'))[0], /\{"chart\.js":"\.\/vendor\/chart\.probed\.js"\}/);
});

test('what chooses is written where a page loads it, and nowhere without one', (t) => {
  const { polyprof, folder, list } = site(t, {
    'pages/deep/a.html': '<script>f()</script>',
    'scripts/a.js': '',
  });
  mkdirSync(join(folder, 'empty'));
  const out = (/** @type {string} */ input) => {
    const options = ['--variants', '0.5', '--chooser', 'external', '--min-weight', '0'];
    const { status, stderr } = polyprof('instrument', input, '-o', `out-${input}`, ...options);
    assert.equal(status, 0, stderr);
    return list(`out-${input}`);
  };
  assert.deepEqual(out('empty'), []);
  assert.deepEqual(out('scripts'), ['a.js', 'a.probed.js']);
  assert.ok(out('pages').includes('polyprof-chooser.js'));
});
