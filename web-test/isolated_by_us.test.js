import assert from 'node:assert/strict';
import { after } from 'node:test';
import { profile } from '../testing/index.js';
import { DRIVERS } from './lib/drivers.js';
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

eachDriver(
  'of a window that an isolated page opens and cannot talk to a note tells, but not of one that it would not talk to',
  async (page) => {
    for (const isolate of [true, false]) {
      const notes = /** @type {string[]} */ ([]);
      const action = async () => {
        await page.goto(site.url('/'));
        for (const features of ['width=300', 'noopener']) {
          const opened = new Promise((resolve) => page.once('popup', resolve));
          await page.evaluate(`void open('/text.txt?${features}', '_blank', '${features}')`);
          await (await opened).close();
        }
      };
      await profile(page, action, { isolate, minWeight: 0, onNote: (note) => notes.push(note) });
      assert.deepEqual(
        notes.filter((note) => note.includes('text.txt')),
        isolate
          ? [
              `the page opened ${site.url('/text.txt?width=300')} and cannot talk to it, since it is isolated here: isolate: false (--no-isolate) leaves that out`,
            ]
          : [],
      );
    }
  },
  DRIVERS.filter(({ engine, name }) => engine === 'chromium' && !name.includes('without')),
);

/** @param {import('./lib/drivers.js').Driver} driver */
function whatCanBeHad({ name }) {
  // Chromium lets Playwright's `route` see no worker that a worker starts.
  return name.startsWith('Playwright without') ? { ...PARTS_SAY, nested: 'error' } : PARTS_SAY;
}
