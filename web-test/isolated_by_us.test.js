import assert from 'node:assert/strict';
import { after } from 'node:test';
import { profile } from '../testing/index.js';
import { eachDriver } from './lib/each_driver.js';
import { serveSiteOfManyParts, PARTS_SAY } from './lib/site_of_many_parts.js';

const site = await serveSiteOfManyParts();
after(() => site.close());

eachDriver(
  'workers of all kinds run, and frames show what they would, of another site, too, also where the page is isolated now',
  async (page, driver) => {
    const seen = { isolated: true, said: whatCanBeHad(driver) };
    const look = async () => ({
      isolated: await page.evaluate('crossOriginIsolated'),
      said: await page.evaluate('parts()'),
    });
    const action = async () => {
      await page.goto(site.url('/'));
      assert.deepEqual(await look(), seen);
    };
    await profile(page, action, { minWeight: 0, onNote: (note) => assert.fail(note) });
    assert.deepEqual(await look(), seen, 'also when that is over');
  },
);

/** @param {import('./lib/drivers.js').Driver} driver */
function whatCanBeHad({ name }) {
  // Chromium lets Playwright's `route` see no worker that a worker starts.
  return name.startsWith('Playwright without') ? { ...PARTS_SAY, nested: 'error' } : PARTS_SAY;
}
