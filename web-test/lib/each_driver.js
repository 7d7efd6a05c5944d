import { after, test } from 'node:test';
import { DRIVERS } from './drivers.js';
import { TIMEOUT_MS, tellWhenTimeIsUp } from './time_is_up.js';

/** @import { Driver } from './drivers.js' */

/** @type {Map<Driver, ReturnType<Driver['launch']>>} browsers of this process */
const running = new Map();
after(async () => {
  for (const browser of running.values()) await (await browser).close();
});

/**
 * One test per way to drive a page, named `<engine>, <driver>: <sentence>`, with a new page.
 * @param {string} sentence the behaviour
 * @param {(page: any, driver: Driver) => Promise<void>} body
 * @param {Driver[]} [drivers]
 */
export function eachDriver(sentence, body, drivers = DRIVERS) {
  for (const driver of drivers) {
    test(`${driver.engine}, ${driver.name}: ${sentence}`, { timeout: TIMEOUT_MS }, async ({ signal }) => {
      const browser = running.get(driver) ?? driver.launch();
      running.set(driver, browser);
      const page = await (await browser).newPage();
      const hasEnded = tellWhenTimeIsUp(signal, page);
      try {
        await body(page, driver);
      } finally {
        hasEnded();
        await page.close();
      }
    });
  }
}
