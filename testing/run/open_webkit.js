import { Recording } from '../recording.js';
import { addressAt } from '../stand_in/address_at.js';
import { startProxy } from '../stand_in/proxy.js';
import { WebdriverPage } from './webdriver_page.js';
import { CAPABILITIES, startWebkit } from './webkit_driver.js';

/** @import { RunSettings } from '../options.js' */

/**
 * WebKitGTK, which lets nobody intercept its requests: a server of ours stands for the page's.
 * @param {string} url of the page
 * @param {RunSettings} settings
 * @param {boolean} headed
 */
export async function openWebkit(url, settings, headed) {
  const { port, release } = await startWebkit({ sharedMemory: true, headed });
  /** @type {{origin: string, close: () => Promise<void>} | undefined} */
  let proxy;
  try {
    const page = await WebdriverPage.open(port, CAPABILITIES);
    const { origin } = new URL(url);
    const recording = new Recording(
      {
        canIsolate: true,
        evaluate: (expression) => page.evaluate(expression),
        async intercept(site, leave) {
          proxy = await startProxy(origin, site, leave);
          return async () => {};
        },
      },
      settings,
    );
    await recording.intercept();
    return {
      page,
      recording,
      version: `WebKitGTK ${page.version}`,
      url: addressAt(url, /** @type {any} */ (proxy).origin),
      async close() {
        await page.close().catch(() => {});
        await proxy?.close();
        release();
      },
    };
  } catch (error) {
    await proxy?.close();
    release();
    throw error;
  }
}
