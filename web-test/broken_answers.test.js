import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openOnLoopback } from '../instrumenter/serving/loopback.js';
import { profile } from '../testing/index.js';
import { DRIVERS } from './lib/drivers.js';
import { eachDriver } from './lib/each_driver.js';
import { spin } from './lib/profiled_site.js';

/** Scripts whose connection breaks off in the middle, with `polyprof/testing` between them and their page. */

/** What there is of it is a script, however short. */
const STATEMENTS = Buffer.from(`arrived.push('ran')${';'.repeat(100_000)}`);

const ONE_FUNCTION = Buffer.from(`function f() {${'f();'.repeat(40_000)}}`);

/** By path. @type {Record<string, {headers: Record<string, string | number>, body: Buffer}>} */
const SCRIPTS = {
  '/length.js': { headers: { 'Content-Length': STATEMENTS.length }, body: STATEMENTS },
  '/chunked.js': { headers: {}, body: ONE_FUNCTION },
  '/packed.js': { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(ONE_FUNCTION) },
};

const PAGE = `<!doctype html><title>app</title><script>
  globalThis.arrived = [];
  ${spin('inApp', 20)}inApp();</script>
  ${Object.keys(SCRIPTS)
    .map(
      (path) =>
        `<script src="${path}" onerror="arrived.push('error')" onload="arrived.push('load')"></script>`,
    )
    .join('\n')}`;

const server = createServer((request, response) => {
  const script = SCRIPTS[request.url ?? ''];
  if (!script) return response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
  const { headers, body } = script;
  response.writeHead(200, { 'Content-Type': 'text/javascript', ...headers });
  return response.write(body.subarray(0, body.length / 2), () => response.destroy());
});
const { port, close } = await openOnLoopback(server);
after(close);

const url = `http://127.0.0.1:${port}/`;

eachDriver('a script that breaks off does not run, as without us', async (page) => {
  const visit = async () => {
    await page.goto(url);
    return page.evaluate('arrived');
  };
  const expected = Object.keys(SCRIPTS).map(() => 'error');
  assert.deepEqual(await visit(), expected, 'without us');
  /** @type {string[]} */
  let arrived = [];
  await profile(page, async () => (arrived = await visit()), { onNote() {} });
  assert.deepEqual(arrived, expected);
});

eachDriver(
  'what Node could not fetch is told in one line each',
  async (page) => {
    /** @type {string[]} */
    const notes = [];
    await profile(page, () => page.goto(url), { onNote: (note) => notes.push(note) });
    assert.equal(notes.length, Object.keys(SCRIPTS).length, notes.join());
    for (const note of notes)
      assert.match(note, /\.js has no probes: it could not be fetched by Node \(.+\)$/);
  },
  // Else it is the browser that fetches.
  DRIVERS.filter(({ engine, name }) => engine !== 'chromium' || name.includes('without')),
);
