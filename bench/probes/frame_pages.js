import { usualScale } from '../../examples/workloads/lib/profile_workload.js';
import { launch } from '../../web-test/lib/browsers.js';
import { serveTurns } from '../overhead/turns.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Variant } from '../overhead/variants.js' */

/**
 * A variant that takes all turns, since there is no other in its page.
 * @param {EngineName} engine
 * @param {string} workload
 * @param {Variant} variant
 * @param {number} pages of one browser, one after the other
 * @param {(usual: number) => string} codeOf what to evaluate in each of them; `usual`: the workload's usual scale in this engine
 * @returns {Promise<any[]>} of each page what the code told
 */
export async function inFramePages(engine, workload, variant, pages, codeOf) {
  const { server, frames } = await serveTurns([variant]);
  const browser = await launch(engine, { quiet: true });
  try {
    const [{ folder, query }] = frames;
    const address = server.url(`/frame.html?folder=${folder}&workload=${workload}&${query}`);
    const outcomes = [];
    for (let i = 0; i < pages; i++) {
      const page = await browser.open(address);
      outcomes.push(await page.evaluate(codeOf(usualScale(engine, workload))));
      await page.close();
    }
    return outcomes;
  } finally {
    await browser.close();
    await server.close();
  }
}
