import { usualScale } from '../../examples/workloads/lib/profile_workload.js';
import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */
/** @import { Variant } from './variants.js' */

/**
 * One measurement: a browser process of its own, one page, closed again. Nothing compiled or cached before helps.
 * @param {EngineName} engine
 * @param {Variant} variant
 * @param {{workload: string, scale: number}} work `scale`: share of the usual work
 * @returns {Promise<{ms: number, digest: string, version: string}>} the page's own measure of its work
 */
export async function visit(engine, { folder, query, jsProfiling, isolated, env }, { workload, scale }) {
  const server = await serve({
    folders: { '/': folder, '/dist/': FOLDERS['/dist/'] },
    jsProfiling,
    isolated,
  });
  try {
    const browser = await launch(engine, { env, quiet: true });
    try {
      // JavaScriptCore takes 50 times as long as V8 for some regular expressions.
      const share = `scale=${scale * usualScale(engine, workload)}`;
      const page = await browser.open(server.url(`/?${share}${query && `&${query}`}`));
      const { ms, digest } = await page.evaluate(`__done.then(({ ms, digest }) => ({ ms, digest }))`);
      return { ms, digest, version: browser.version };
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}
