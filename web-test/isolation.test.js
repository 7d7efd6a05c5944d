import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { serve } from './lib/server.js';

/** The headers of docs/headers.md that isolate a page: in which engines, and whether it still shows pictures of servers that know nothing of it. */

const OPENER = { 'Cross-Origin-Opener-Policy': 'same-origin' };
const CASES = [
  {
    name: 'Cross-Origin-Embedder-Policy: require-corp',
    headers: { ...OPENER, 'Cross-Origin-Embedder-Policy': 'require-corp' },
    isolates: ['chromium', 'firefox', 'webkit'],
    others: 'blocked',
  },
  {
    name: 'Cross-Origin-Embedder-Policy: credentialless',
    headers: { ...OPENER, 'Cross-Origin-Embedder-Policy': 'credentialless' },
    isolates: ['chromium', 'firefox'],
    others: 'shown',
  },
  {
    name: 'Document-Isolation-Policy: isolate-and-credentialless',
    headers: { 'Document-Isolation-Policy': 'isolate-and-credentialless' },
    isolates: ['chromium'],
    others: 'shown',
  },
];

const path = '/busy.html';
const PICTURE = '/picture.svg';
const picture = {
  headers: { 'Content-Type': 'image/svg+xml' },
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" />',
};

for (const { name, headers, isolates, others } of CASES) {
  const served = { isolated: false, folders: { '/': instrumentedPages() } };

  eachEngine(
    `${name}: a worker samples where the engine knows that, and elsewhere the page itself does`,
    { path, serve: { ...served, headers } },
    async ({ browser, page }) => {
      const other = await serve({ isolated: false, folders: {}, overrides: { [PICTURE]: picture } });
      try {
        const isIsolated = isolates.includes(browser.name);
        assert.deepEqual(await page.evaluate(seen, other.url(PICTURE)), {
          isIsolated,
          picture: isIsolated ? others : 'shown',
          mode: isIsolated ? 'flag' : 'self-timed',
        });
      } finally {
        await other.close();
      }
    },
  );

  eachEngine(
    `${name}: polyprof's worker needs no header`,
    { path, only: isolates, serve: { ...served, overrides: { [path]: { headers } } } },
    async ({ page }) => assert.equal((await page.evaluate(seen, '')).mode, 'flag'),
  );
}

/** Runs in the page. @param {string} src of a picture, of another origin */
async function seen(src) {
  const picture = await new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve('shown');
    image.onerror = () => resolve('blocked');
    image.src = src;
  });
  polyprof.install({ force: true });
  const mode = await performance.profile({ sampleInterval: 1 }).then(
    async (profiler) => {
      busy(20);
      await profiler.stop();
      return profiler.mode;
    },
    ({ message }) => message,
  );
  return { isIsolated: crossOriginIsolated, picture, mode };
}
