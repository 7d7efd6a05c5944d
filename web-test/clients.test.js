import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildExample } from '../examples/sdks/build.mjs';
import { checkTrace } from '../report/reading/check_trace.js';
import { traceOfSentry } from '../report/reading/sentry.js';
import { symbolsIn } from '../report/symbols/symbol_files.js';
import { symbolicate } from '../report/symbols/symbolicate.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { folded, IDLE, selfShares } from './lib/trace.js';

/** The example with Sentry's and Datadog's SDKs, as they are on npm: what they upload. */

/** @typedef {import('./lib/server.js').Recorded} Recorded */

const EXAMPLE = fileURLToPath(new URL('../examples/sdks/', import.meta.url));
const { path: folder, release } = temporaryFolder();
after(release);

/** @param {string} name @param {Record<string, string>} [alias] packages in place of others @returns {Promise<string>} folder with the site */
async function buildSite(name, alias) {
  const site = join(folder, name);
  await buildExample(join(site, 'out'), { alias });
  cpSync(join(EXAMPLE, 'index.html'), join(site, 'index.html'));
  return site;
}

/** @param {Recorded} request @returns {any} the profile chunk that Sentry's envelope has: lines of JSON */
function sentryChunk({ path, body }) {
  if (path !== '/api/1/envelope/') return undefined;
  const [, item, chunk] = body.toString().split('\n');
  return JSON.parse(item).type === 'profile_chunk' ? JSON.parse(chunk) : undefined;
}

/** @param {Recorded} request */
function isDatadogProfile({ path, headers }) {
  return path === '/datadog' && String(headers['content-type']).startsWith('multipart/form-data');
}

/** @param {Recorded} request @returns {Promise<{event: any, trace: any}>} */
async function datadogProfile({ headers, body }) {
  const type = /** @type {string} */ (headers['content-type']);
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData();
  const part = async (/** @type {string} */ name) =>
    Buffer.from(await /** @type {Blob} */ (form.get(name)).arrayBuffer());
  return {
    event: JSON.parse((await part('event')).toString()),
    trace: JSON.parse((await part('wall-time.json')).toString()),
  };
}

/**
 * The page worked for 300 ms and was idle for 700 ms, several times.
 * @param {any} trace
 * @param {string} site
 */
function assertHotAndIdle(trace, site) {
  const named = /** @type {any} */ (symbolicate(trace, symbolsIn(site)));
  const shares = selfShares(named);
  const busy = 1 - shares[IDLE];
  const hot = named.frames.find((/** @type {any} */ { name }) => name === 'stepsOf');
  assert.match(named.resources[hot?.resourceId] ?? '', /src\/collatz\.js$/, folded(named));
  assert.ok(shares.stepsOf > 0.6 * busy, folded(named));
  assert.ok(shares[IDLE] > 0.4, folded(named));
}

/** In the page. @param {object} [install] options */
async function work(install) {
  const button = /** @type {HTMLButtonElement} */ (document.querySelector('button'));
  while (button.disabled) await new Promise((resolve) => requestAnimationFrame(resolve));
  if (install) /** @type {any} */ (globalThis).polyprof.install(install);
  button.click();
}

// Mostly they wait.
describe('all at the same time', { concurrency: true }, async () => {
  const site = await buildSite('newest');
  eachEngine(
    "Sentry's and Datadog's SDKs, unchanged, upload profiles that name the hot function and leave idle time to nobody",
    { path: '/index.html', serve: { folders: { '/': site } } },
    async ({ page, server }) => {
      await page.evaluate(work);

      const chunk = sentryChunk(await server.request(sentryChunk));
      assert.equal(chunk.version, '2');
      assert.match(chunk.profiler_id, /^[0-9a-f]{32}$/);
      assertHotAndIdle(checkTrace(traceOfSentry(chunk, 'chunk')), site);

      const { event, trace } = await datadogProfile(await server.request(isDatadogProfile));
      assert.deepEqual(event.attachments, ['wall-time.json']);
      assert.equal(trace.sampleInterval, 10);
      assertHotAndIdle(checkTrace(trace), site);
      const { startClocks, endClocks, samples } = trace;
      assert.ok(samples[0].timestamp > startClocks.relative - 20, 'from their start');
      assert.ok(samples.at(-1).timestamp < endClocks.relative + 20, 'to their end');
    },
  );

  const olderSite = await buildSite('older', { '@sentry/browser': 'sentry-browser-10' });
  eachEngine(
    "Sentry's SDK before version 11, which charges idle time to stack 0, charges it to (idle) with idleFrame",
    { serve: { folders: { '/': olderSite } } },
    async ({ page, server }) => {
      // Another host, since Datadog's SDK ends the session of all pages that share its cookies.
      await page.goto(server.url('/index.html').replace('127.0.0.1', 'localhost'));
      await page.evaluate(work, { force: true, idleFrame: true });
      const chunk = sentryChunk(await server.request(sentryChunk));
      assert.match(chunk.client_sdk.version, /^10\./);
      const trace = checkTrace(traceOfSentry(chunk, 'chunk'));
      assert.ok(trace.samples.every(({ stackId }) => stackId !== undefined));
      assertHotAndIdle(trace, olderSite);
    },
  );
});
