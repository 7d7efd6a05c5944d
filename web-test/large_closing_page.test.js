import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { isTrace } from './lib/posted.js';
import { folded, selfShares } from './lib/trace.js';

/** What fits into the last request of a page: timestamps of a worker that is late take more room. */

const BLANK = '/harness/blank.html';
const busy = { path: '/busy.html', serve: { folders: { '/': instrumentedPages() } } };

// What a browser holds for pages that close is for all of them together: one test at a time.
eachEngine(
  'with gzip, 10,000 samples leave a closing page in one request',
  { ...busy, atOnce: true },
  async ({ page, server }) => {
    await page.evaluate(async () => {
      polyprof.install({ force: true });
      globalThis.profiler = await performance.profile({ sampleInterval: 1 });
      await polyprof.sendOnHide(profiler, '/traces', { gzip: true }).ready;
      // Not busy(10_000), which does not count stalls: of those there would be samples, too.
      for (const end = performance.now() + 10_000; performance.now() < end;) busy(20);
    });
    await page.goto(server.url(BLANK));
    const { body, headers } = await server.request(isTrace);
    assert.equal(headers['content-type'], 'application/gzip');
    const trace = JSON.parse(gunzipSync(body).toString());
    assert.ok(trace.samples.length > 9_000, `${trace.samples.length} samples in ${body.length} bytes`);
    assert.equal(trace.olderSamples, undefined);
  },
);

eachEngine(
  'of a trace that is too big the newest samples arrive, and what is missing is said',
  { ...busy, atOnce: true },
  async ({ page, server }) => {
    const all = await page.evaluate(async () => {
      polyprof.install({ force: true });
      globalThis.profiler = await performance.profile({ sampleInterval: 1 });
      await polyprof.sendOnHide(profiler, '/traces').ready;
      busy(5000);
      dispatchEvent(new PageTransitionEvent('pagehide'));
      return profiler.stop();
    });
    await page.goto(server.url(BLANK));
    await server.request(isTrace);
    const parts = server.requests
      .filter(isTrace)
      .map(({ body }) => JSON.parse(body.toString()))
      .sort((a, b) => a.olderSamples - b.olderSamples);
    for (const { length } of server.requests.filter(isTrace).map(({ body }) => body))
      assert.ok(length <= 65536);
    const { olderSamples } = parts[0];
    const arrived = parts.flatMap(({ samples }) => samples.map(({ timestamp }) => timestamp));
    assert.deepEqual(
      arrived,
      all.samples.slice(olderSamples).map(({ timestamp }) => timestamp),
    );
    assert.ok(arrived.length > 1000, `${arrived.length} of ${all.samples.length}`);
    const hot = parts.map((part) => part.samples.length * (selfShares(part).hotLoop ?? 0));
    assert.ok(hot.reduce((a, b) => a + b) > arrived.length / 2, parts.map(folded).join('\n'));
  },
);
