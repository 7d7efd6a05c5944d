import assert from 'node:assert/strict';
import { after } from 'node:test';
import { eachEngine } from './lib/each_engine.js';
import { FOLDERS } from './lib/folders.js';
import { instrumentedPages } from './lib/instrumented.js';
import { serve } from './lib/server.js';
import { selfShares } from './lib/trace.js';

/** Pages whose scripts, and polyprof with them, are on a server that knows nothing of the pages' headers but lets them read its files. */

const PROBES = /** @type {const} */ (['flag', 'shadow']);
const headers = { 'Access-Control-Allow-Origin': '*' };
const cdns = await Promise.all(
  PROBES.map((probe) =>
    serve({ isolated: false, headers, folders: { ...FOLDERS, '/': instrumentedPages(probe) } }),
  ),
);
after(() => Promise.all(cdns.map((cdn) => cdn.close())));

/** @param {import('./lib/server.js').Server} cdn */
function pageOf(cdn) {
  const path = '/page.html';
  const tag = (/** @type {string} */ script) => `<script src="${cdn.url(script)}" crossorigin></script>`;
  const body = `<!doctype html><title>busy</title>${tag('/dist/polyprof.js')}${tag('/busy.js')}`;
  return { path, serve: { overrides: { [path]: { body } } } };
}

PROBES.forEach((probe, index) => {
  eachEngine(
    `with ${probe} probes, a worker samples an isolated page whose scripts are on a CDN`,
    pageOf(cdns[index]),
    async ({ page }) => {
      const { mode, trace } = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const profiler = await performance.profile({ sampleInterval: 1 });
        busy(200);
        const { mode } = profiler;
        const zipped = await profiler.stop({ format: 'json-gzip' });
        const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
        return { mode, trace: await new Response(stream).json() };
      });
      assert.equal(mode, probe);
      assert.ok(selfShares(trace).hotLoop > 0.5, JSON.stringify(trace));
    },
  );
});

eachEngine(
  'a page whose scripts are on a CDN is watched',
  pageOf(cdns[PROBES.indexOf('shadow')]),
  async ({ page }) => {
    const report = await page.evaluate(async () => {
      /** @type {any} */
      let watching;
      const report = await new Promise((resolve, reject) => {
        polyprof.watch({ threshold: 200, report: resolve }).then((started) => {
          watching = started;
          busy(500);
        }, reject);
      });
      await watching.stop();
      return report;
    });
    assert.ok(selfShares(report).hotLoop > 0.5, JSON.stringify(report));
  },
);
