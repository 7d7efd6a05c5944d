import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumentHtml } from '../../instrumenter/pages/html.js';
import { findScripts } from '../../instrumenter/pages/html_scripts.js';

/** How scripts with these attributes run; null: they do not. @type {[string, 'script' | 'module' | null][]} */
const KINDS = [
  ['', 'script'],
  ['type', 'script'],
  ['type=""', 'script'],
  ['type="" language="vbscript"', 'script'],
  ['type=" "', null],
  ['type="\tText/JavaScript\n"', 'script'],
  ['type="application/x-ecmascript"', 'script'],
  ['type="text/javascript1.5"', 'script'],
  ['type="text/javascript1.8"', null],
  ['type="text/javascript; charset=utf-8"', null],
  ['type="\u00a0text/javascript"', null],
  ['type=" MODULE "', 'module'],
  ['type="importmap"', null],
  ['language=""', 'script'],
  ['language="JavaScript"', 'script'],
  ['language="javascript "', null],
  ['language="module"', null],
  ['type="text/plain" language="javascript"', null],
];

for (const [attributes, kind] of KINDS) {
  test(`<script ${attributes}> is ${kind ?? 'data'}, as the HTML standard prepares it`, () => {
    const [found] = findScripts(`<script ${attributes}>f()</script>`);
    assert.equal(found?.sourceType ?? null, kind);
  });
}

test('a byte order mark stays, and is no column of the page, as browsers drop it', () => {
  const html = '<i></i><script>function f() { g() }</script>';
  const options = { minWeight: 0, replacements: [{ start: 1, end: 2, value: 'b' }] };
  const marked = instrumentHtml(`\ufeff${html}`, {
    ...options,
    replacements: [{ start: 2, end: 3, value: 'b' }],
  });
  const plain = instrumentHtml(html, options);
  assert.equal(marked.code, `\ufeff${plain.code}`);
  assert.match(plain.code, /^<b><\/i><script>var __ppH/);
  assert.deepEqual(marked.table, plain.table);
});
