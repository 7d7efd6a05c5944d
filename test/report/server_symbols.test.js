import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { instrument } from '../../instrumenter/instrument.js';
import { locationOf } from '../../report/traces/location.js';
import { SymbolFinder } from '../../report/symbols/symbol_finder.js';
import { symbolicate } from '../../report/symbols/symbolicate.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { serve } from '../../web-test/lib/server.js';
import { bundleSite, instrumentedSite, ORIGINALS, ORIGINALS_OF_TABLES, traceOfSite } from './built_site.js';

/** @import { ServeOptions } from '../../web-test/lib/server.js' */

const { path: folder, release } = temporaryFolder();
const bundle = bundleSite(folder);
const instrumented = instrumentedSite(folder);

/** @type {(() => Promise<void>)[]} */
const servers = [];
after(async () => {
  for (const close of servers) await close();
  release();
});

/** @param {ServeOptions['overrides']} overrides what the server has, by path */
async function serverWith(overrides) {
  const server = await serve({ folders: {}, overrides });
  servers.push(server.close);
  return server;
}

/** @param {SymbolFinder} finder @param {string} code @param {string} url @returns {Promise<string[]>} `name file:line` per frame */
async function told(finder, code, url) {
  const symbols = await finder.find(url);
  const trace = symbolicate(traceOfSite(code, url), () => symbols);
  return trace.frames.map((_, id) => {
    const { name, file, line } = locationOf(trace, id);
    return `${name} ${file.replace(/^(\.\.\/)+/, '')}:${line}`;
  });
}

test('a server that has the scripts has their function tables', async () => {
  const { url, origin, requests } = await serverWith({
    '/static/app.js': { body: instrumented.code },
    '/static/app.js.ppft': { body: instrumented.table },
  });
  const finder = new SymbolFinder([{ folder: origin }]);
  assert.deepEqual(await told(finder, instrumented.code, url('/static/app.js?v=1')), ORIGINALS_OF_TABLES);
  assert.deepEqual(await told(finder, instrumented.code, url('/static/app.js?v=1')), ORIGINALS_OF_TABLES);
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/static/app.js', '/static/app.js.ppft'],
    'each asked for once',
  );
  assert.deepEqual([finder.broken, finder.warnings()], [[], []]);
});

test('a table within the script needs no other request', async () => {
  const { code } = instrument(bundle.code, {
    file: 'app.js',
    minWeight: 0,
    inlineTable: true,
    inputMap: JSON.parse(bundle.map),
  });
  const { url, origin } = await serverWith({ '/app.js': { body: code } });
  assert.deepEqual(
    await told(new SymbolFinder([{ folder: origin }]), code, url('/app.js')),
    ORIGINALS_OF_TABLES,
  );
});

test('scripts without a table have the source map that they or their server name', async () => {
  const map = { body: bundle.map };
  const { url, origin } = await serverWith({
    '/static/a.js': { body: `${bundle.code}//# sourceMappingURL=../a.json\n` },
    '/a.json': map,
    '/b.js': { body: bundle.code, headers: { SourceMap: '/b.json' } },
    '/b.json': map,
  });
  const finder = new SymbolFinder([{ folder: origin }]);
  assert.deepEqual(await told(finder, bundle.code, url('/static/a.js')), ORIGINALS);
  assert.deepEqual(await told(finder, bundle.code, url('/b.js')), ORIGINALS);
});

test('sources that a server has maps of are told by their path there', async () => {
  const map = JSON.stringify({ version: 3, names: [], sources: ['../src/x.ts'], mappings: 'AAAA' });
  const { url, origin } = await serverWith({
    '/static/a.js': { body: 'a\n//# sourceMappingURL=/maps/a.json\n' },
    '/maps/a.json': { body: map },
  });
  const symbols = await new SymbolFinder([{ folder: origin }]).find(url('/static/a.js'));
  assert.equal(symbols?.({ name: '', line: 1, column: 1 })?.file, 'src/x.ts');
});

test('a script does not lead to another server', async () => {
  const other = await serverWith({
    '/app.json': { body: bundle.map },
  });
  const { url, origin } = await serverWith({
    '/named.js': { body: `${bundle.code}//# sourceMappingURL=${other.url('/app.json')}\n` },
    '/told.js': { body: bundle.code, headers: { SourceMap: other.url('/app.json') } },
  });
  const finder = new SymbolFinder([{ folder: origin }]);
  for (const path of ['/named.js', '/told.js']) assert.equal(await finder.find(url(path)), null);
  assert.deepEqual(other.requests, []);
  assert.deepEqual(
    finder.broken,
    ['/named.js', '/told.js'].map(
      () =>
        `source map ${other.url('/app.json')} cannot be read: only what begins with ${origin}/ is asked for`,
    ),
  );
});

test('what a server does not have is missing, and what is broken is an error that names it', async () => {
  const { url, origin } = await serverWith({
    '/static/app.js': { body: instrumented.code },
    '/plain.js': { body: bundle.code },
    '/mapped.js': { body: `/* 1.0.1 */${bundle.code}//# sourceMappingURL=mapped.json` },
    '/mapped.json': { body: bundle.map },
    '/lost.js': { body: '//# sourceMappingURL=lost.json' },
  });
  const finder = new SymbolFinder([{ folder: origin }]);
  for (const path of ['static/app', 'plain', 'mapped', 'lost', 'none'])
    assert.equal(await finder.find(url(`/${path}.js`)), null);
  assert.deepEqual(finder.warnings(), [
    `${origin} has no function table and no source map of 5 scripts: ` +
      ['static/app', 'plain', 'mapped', 'lost', 'none'].map((path) => url(`/${path}.js`)).join(', '),
  ]);
  const [table, misfit, lost, ...others] = finder.broken;
  assert.equal(table, `${url('/static/app.js.ppft')} cannot be read: 404`);
  assert.match(misfit, /mapped\.js: its source map is not of this script: \d+ of its \d+ segments/);
  assert.equal(lost, `source map ${url('/lost.json')} cannot be read: 404`);
  assert.deepEqual(others, []);
});

test('only what begins with the address is asked for, and nobody asks a server twice that is gone', async () => {
  const gone = await serverWith({});
  await gone.close();
  const other = await serverWith({ '/app/x.js': { body: instrumented.code } });
  const finder = new SymbolFinder([{ folder: gone.origin }, { folder: other.url('/application/') }]);
  for (const url of [gone.url('/a.js'), gone.url('/b.js'), other.url('/app/x.js'), 'https://a.example/x.js'])
    assert.equal(await finder.find(url), null);
  assert.deepEqual(other.requests, []);
  assert.equal(finder.broken.length, 1);
  assert.match(finder.broken[0], /^http:\/\/127\.0\.0\.1:\d+\/a\.js cannot be read: .*ECONNREFUSED/);
});

test('where scripts are at another address than the one that is asked, that is told', async () => {
  const { origin, requests } = await serverWith({});
  const name = origin.replace('127.0.0.1', 'localhost');
  const finder = new SymbolFinder([{ folder: name }]);
  assert.equal(await finder.find(`${origin}/a.js`), null);
  assert.deepEqual(requests, []);
  assert.deepEqual(finder.warnings(), [
    `${name} has no function table and no source map of ${origin}/a.js; only what begins with ${name}/ is asked for: give --tables ${origin}`,
  ]);
  const both = new SymbolFinder([{ folder: name }, { folder: origin }]);
  assert.equal(await both.find(`${origin}/a.js`), null);
  assert.equal(requests.length, 1);
  assert.doesNotMatch(both.warnings()[0], /begins with/);
});

test('of a folder and a server the first one that has something wins', async () => {
  const { url, origin, requests } = await serverWith({ '/app.js': { body: bundle.code } });
  const finder = new SymbolFinder([{ folder }, { folder: origin }]);
  assert.equal(await finder.find(url('/app.js')), null);
  assert.equal(requests.length, 1);
});
