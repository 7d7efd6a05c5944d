import assert from 'node:assert/strict';
import { after } from 'node:test';
import { callTree } from '../report/traces/call_tree.js';
import { profile } from '../testing/index.js';
import { DRIVERS } from './lib/drivers.js';
import { eachDriver } from './lib/each_driver.js';
import { spin } from './lib/profiled_site.js';
import { serve } from './lib/server.js';
import { until } from './lib/until.js';

/** `polyprof/testing` with pages that have the next one prerendered by speculation rules. */

const RULES = JSON.stringify({ prerender: [{ urls: ['/next'], eagerness: 'immediate' }] });

const html = { 'Content-Type': 'text/html' };
const page = (/** @type {string} */ name, rest = '') =>
  `<!doctype html><title>${name}</title><script>${spin(name, 100)}${name}();</script><a href="/next">next</a>${rest}`;

/** How rules get into a page, by path. */
const PAGES = {
  '/tag': { body: page('first', `<script type="speculationrules">${RULES}</script>`), headers: html },
  '/script': {
    body: page(
      'first',
      `<script>
        const script = document.createElement('script');
        script.type = 'speculationrules';
        script.textContent = ${JSON.stringify(RULES)};
        document.body.append(script);</script>`,
    ),
    headers: html,
  },
  '/header': { body: page('first'), headers: { ...html, 'Speculation-Rules': '"/rules.json"' } },
};

const app = await serve({
  folders: {},
  isolated: false,
  overrides: {
    ...PAGES,
    '/rules.json': { body: RULES, headers: { 'Content-Type': 'application/speculationrules+json' } },
    '/next': { body: page('second'), headers: html },
  },
});
after(() => app.close());

/** Other browsers have no speculation rules, or none by default. */
const DEVTOOLS = DRIVERS.filter(({ engine, name }) => engine === 'chromium' && !name.includes('without'));

/** @param {any} page that has a link */
async function goToNext(page) {
  await page.click('a');
  // Puppeteer's own waiting may break off where a page that is there already takes the frame's place.
  await until(async () => isLost(page) || (await page.title().catch(() => '')) === 'second');
  assert.equal(await page.title(), 'second');
}

/** Puppeteer gives a frame up if 100 ms do not suffice to begin with the page that takes its place. @param {any} page */
const isLost = (page) => page.isClosed() || page.mainFrame().detached === true;

for (const path of Object.keys(PAGES)) {
  eachDriver(
    `a page that would have been prerendered is profiled (rules by ${path.slice(1)})`,
    async (page) => {
      const visit = async () => {
        await page.goto(app.url(path));
        // Time for what rules would start.
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
        await goToNext(page);
      };
      const trace = await profile(page, visit, {
        onNote: (/** @type {string} */ note) => assert.fail(note),
      });
      const names = callTree(trace).functions.map(({ location }) => location.name);
      for (const name of ['first', 'second']) assert.ok(names.includes(name), `${name} in ${names}`);
    },
    DEVTOOLS,
  );
}

/**
 * Profiles the way to a page that was fetched before.
 * @param {any} page
 * @returns {Promise<{error: unknown, notes: string[]} | undefined>} what profile() says, nothing if the page is lost
 */
async function profileFetched(page) {
  app.requests.length = 0;
  await page.goto(app.url('/tag'));
  await app.request(({ path }) => path === '/next');
  /** @type {string[]} */
  const notes = [];
  const onNote = (/** @type {string} */ note) => notes.push(note);
  const error = await profile(page, () => goToNext(page), { onNote }).catch((error) => error);
  return isLost(page) ? undefined : { error, notes };
}

eachDriver(
  'a page that was fetched by speculation rules before profile() is told',
  async (page) => {
    let told = await profileFetched(page);
    while (!told) {
      const another = await page.browser().newPage();
      told = await profileFetched(another);
      await another.close();
    }
    assert.match(String(told.error), /loaded before profile\(\)/);
    assert.deepEqual(told.notes, [
      `${app.url('/next')} has no probes: it was fetched by speculation rules before the page went there`,
    ]);
  },
  DEVTOOLS,
);
