import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachEngine } from './lib/each_engine.js';
import { FOLDERS } from './lib/folders.js';
import { instrumentedPages } from './lib/instrumented.js';
import { profileBusy } from './lib/on_time.js';
import { folded, selfShares } from './lib/trace.js';

const own = readFileSync(join(FOLDERS['/dist/'], 'polyprof.js'), 'utf8');
const [, version] =
  /"version": "([\d.]+)"/.exec(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) ?? [];
const OTHER = '0.10.0';
const other = own.replaceAll(`"${version}"`, `"${OTHER}"`);
assert.notEqual(other, own, 'the version is in the script');

const page = (/** @type {string[]} */ ...scripts) => ({
  headers: { 'Content-Type': 'text/html' },
  body: `<!doctype html><meta charset="utf-8"><title>two</title><script>
    globalThis.warnings = []; console.warn = (...text) => warnings.push(text.join(' ')); const own = globalThis.Profiler;
  </script>${scripts.map((src) => `<script src="${src}"></script>`).join('')}<script src="/busy.js"></script>`,
});
const serve = {
  folders: { '/': instrumentedPages() },
  overrides: {
    '/dist/other.js': { body: other },
    '/older-first.html': page('/dist/polyprof.js', '/dist/other.js'),
    '/newer-first.html': page('/dist/other.js', '/dist/polyprof.js'),
    '/twice.html': page('/dist/polyprof.js', '/dist/polyprof.js', '/busy.js'),
  },
};

for (const [path, sentence, expected, warnings] of /** @type {[string, string, string, string[]][]} */ ([
  [
    '/older-first.html',
    'an older version steps back for one that loads after it, with one warning',
    OTHER,
    [`polyprof ${version} steps back: the page loads ${OTHER}`],
  ],
  [
    '/newer-first.html',
    'an older version steps back for one that is there, with one warning',
    OTHER,
    [`polyprof ${version} steps back: the page loads ${OTHER}`],
  ],
  ['/twice.html', 'the same version twice, and a script twice, are as one', version ?? '', []],
])) {
  eachEngine(sentence, { path, serve }, async ({ page }) => {
    const outcome = await page.evaluate(async () => {
      const isNative = (globalThis.Profiler === own) === Boolean(own);
      polyprof.install({ force: true });
      return { warnings, version: polyprof.version, isNative };
    });
    assert.deepEqual([outcome.version, outcome.warnings], [expected, warnings]);
    assert.ok(outcome.isNative, "the browser's own Profiler stays where there is one");
    const { trace } = await profileBusy(page);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  });
}
