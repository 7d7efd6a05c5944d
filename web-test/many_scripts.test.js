import assert from 'node:assert/strict';
import { instrument } from '../instrumenter/instrument.js';
import { eachEngine } from './lib/each_engine.js';

/** A page of many scripts, as a development server gives its modules. */

const SCRIPTS = 300;

/** See polyfill/sampling/tables.js. */
const MOST_AT_ONCE = 64;

/** A page in which `work()` calls a function of each script, each for 3 ms; `mostTables` at a time were on their way. */
function site() {
  /** @type {Record<string, import('./lib/server.js').Override>} */
  const files = {};
  for (let i = 0; i < SCRIPTS; i++) {
    const source = `works.push(function work${i}() { const end = performance.now() + 3; while (performance.now() < end); })`;
    const { code, table } = instrument(source, { file: `${i}.js`, minWeight: 0 });
    files[`/${i}.js`] = { body: code };
    files[`/${i}.js.ppft`] = { body: table ?? undefined };
  }
  const count = `
    var works = [], mostTables = 0, tables = 0;
    const { fetch } = globalThis;
    globalThis.fetch = (url, options) => {
      const answer = fetch(url, options);
      if (!String(url).endsWith('.ppft')) return answer;
      mostTables = Math.max(mostTables, ++tables);
      return answer.finally(() => tables--);
    };
    const work = () => { for (const work of works) work(); };`;
  const scripts = Array.from({ length: SCRIPTS }, (_, i) => `<script src="${i}.js"></script>`);
  files['/'] = {
    body: `<!doctype html><title>many</title><script>${count}</script><script src="/dist/polyprof.js"></script>${scripts.join('')}`,
    headers: { 'Content-Type': 'text/html' },
  };
  return files;
}

eachEngine(
  'of many scripts few tables are on their way at a time, so that the page has its own requests answered; and all come',
  { path: '/', serve: { overrides: site() } },
  async ({ page }) => {
    const { names, losses, most } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      work();
      const { frames } = await profiler.stop();
      return { names: frames.map(({ name }) => name), losses: profiler.losses, most: mostTables };
    });
    assert.ok(most > 1 && most <= MOST_AT_ONCE, `${most} tables at a time`);
    assert.deepEqual([losses.missingTables, losses.badTables, losses.unplacedScripts], [0, 0, 0]);
    const seen = new Set(names.filter((name) => /^work\d+$/.test(name))).size;
    // What ran while the worker slept is told as what ran before or after; that excuses half of them at most.
    const late = Math.min(losses.lateTicks, SCRIPTS / 2);
    assert.ok(seen > 0.9 * SCRIPTS - late, `${seen} of ${SCRIPTS} functions, ${losses.lateTicks} ticks late`);
  },
);
