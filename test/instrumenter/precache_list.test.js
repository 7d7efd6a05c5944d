import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { site } from './lib/command_line.js';

const GOOD =
  'function work(list) { for (const x of list) { a(x); b(x); c(x); d(x); e(x); f(x) } return list.map(g) }\n';
const LIGHT = 'function light() { return 1 }\n';
const PAGE = `<script>${GOOD}</script>`;
const md5 = (/** @type {string} */ text) => createHash('md5').update(text).digest('hex');

/** As Workbox writes it, minified and as JSON. @type {Record<string, (url: string, revision: string | null) => string>} */
const ENTRIES = {
  'of scripts': (url, revision) => `{url:"${url}",revision:${JSON.stringify(revision)}}`,
  'of JSON': (url, revision) => JSON.stringify({ revision, url }),
};

for (const [title, entry] of Object.entries(ENTRIES)) {
  test(`a service worker loads what has changed anew, also what has a digest in its name: entries ${title}`, (t) => {
    const list = (/** @type {Record<string, string | null>} */ revisions) =>
      `self.addEventListener("install", () => {});precacheAndRoute([${Object.entries(revisions).map(([url, revision]) => entry(url, revision))}]);${GOOD}`;
    const { polyprof, read } = site(t, {
      'in/index.html': PAGE,
      'in/assets/a-D6Wr.js': GOOD,
      'in/assets/light-E7.js': LIGHT,
      'in/light.js': LIGHT,
      'in/sw.js': list({
        'index.html': md5(PAGE),
        'assets/a-D6Wr.js': null,
        '/assets/light-E7.js': null,
        'light.js': md5(LIGHT),
        'elsewhere.js': md5('elsewhere'),
      }),
    });
    const { status, stderr, stdout } = polyprof('instrument', 'in', '-o', 'out');
    assert.equal(status, 0, stderr);
    assert.match(stdout, /2 files instrumented, 1 changed to fit them, 2 copied/);
    assert.equal(
      read('out/sw.js'),
      list({
        'index.html': md5(read('out/index.html')),
        'assets/a-D6Wr.js': md5(read('out/assets/a-D6Wr.js')),
        '/assets/light-E7.js': null,
        'light.js': md5(LIGHT),
        'elsewhere.js': md5('elsewhere'),
      }),
    );
  });
}
