import { END } from '../in_page/page_globals.js';
import { Recording } from '../recording.js';
import { addressAt } from './address_at.js';
import { startProxy } from './proxy.js';

/** @import { RunSettings } from '../options.js' */

/**
 * Any browser on this machine, which somebody else opens and drives: a server of ours stands for the page's.
 * @param {string} url of the page
 * @param {RunSettings} settings
 * @returns {Promise<{url: string, recording: Recording, close: () => Promise<void>}>} `url`: to open in place of the page's; `recording` intercepts
 *   what is asked for there
 */
export async function standIn(url, settings) {
  const { origin, hostname } = new URL(url);
  /** @type {Awaited<ReturnType<typeof startProxy>> | undefined} */
  let proxy;
  const recording = new Recording(
    {
      canIsolate: true,
      asks: true,
      // They begin as they load.
      evaluate: async (expression) => (expression === END ? proxy?.visitors.end() : undefined),
      async intercept(site, leave) {
        proxy = await startProxy(origin, site, leave);
        return async () => {};
      },
    },
    settings,
  );
  await recording.intercept();
  const own = new URL(/** @type {any} */ (proxy).origin);
  // Browsers send it the cookies of the other one, then.
  if (hostname === 'localhost') own.hostname = hostname;
  return {
    url: addressAt(url, own.origin),
    recording,
    async close() {
      await proxy?.close();
    },
  };
}
