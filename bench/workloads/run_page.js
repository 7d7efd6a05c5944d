import { usualScale } from '../../examples/workloads/lib/profile_workload.js';

/** @import { Browser } from '../../web-test/lib/browsers.js' */
/** @import { Server } from '../../web-test/lib/server.js' */

/**
 * Runs a workload in a page of its own.
 * @param {Browser} browser
 * @param {Pick<Server, 'url'>} server of workloads, each in a folder of its name
 * @param {string} workload
 * @param {{scale: number, query?: string, result?: string}} how `scale`: share of the usual work; `query`: more of it, which page.js understands;
 *   `result`: an expression
 * @returns {Promise<any>} the expression's value; by default what the page tells when it is done
 */
export async function runPage(browser, server, workload, { scale, query = '', result = '__done' }) {
  const share = scale * usualScale(browser.name, workload);
  const page = await browser.open(server.url(`/${workload}/index.html?${query}&scale=${share}`));
  try {
    return await page.evaluate(result);
  } finally {
    await page.close();
  }
}
