import { answerTo, exposeLeave } from './requests.js';

/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */

/**
 * Playwright's browsers other than Chromium.
 * @param {any} page @param {InstrumentedSite} site @param {Leave} leave
 * @returns {Promise<() => Promise<void>>} ends it
 */
export async function interceptByPlaywright(page, site, leave) {
  const handler = async (/** @type {any} */ route) => {
    const request = route.request();
    const type = request.resourceType();
    const answer = await answerTo(
      site,
      {
        url: request.url(),
        method: request.method(),
        kind: type === 'document' || type === 'script' ? type : null,
        canRedirect: false,
      },
      async ({ followRedirects }) => {
        const response = await route.fetch(followRedirects ? {} : { maxRedirects: 0 });
        const fields = response.headersArray();
        return {
          status: response.status(),
          headers: fields.map((/** @type {{name: string, value: string}} */ { name, value }) => [
            name,
            value,
          ]),
          body: await response.body(),
        };
      },
    );
    if (!answer) return route.fallback();
    /** @type {Record<string, string>} */
    const headers = {};
    // Fields that are there more than once are lines of one.
    for (const [name, value] of answer.headers)
      headers[name] = headers[name] ? `${headers[name]}\n${value}` : value;
    return route.fulfill({ status: answer.status, headers, body: answer.body });
  };
  const quiet = (/** @type {any} */ route) =>
    handler(route).catch((error) => {
      // The page has closed, or gave the request up.
      if (!page.isClosed()) site.note(`${route.request().url()} has no probes: ${error.message}`);
    });
  await exposeLeave(page, leave);
  await page.route('**/*', quiet);
  return async () => {
    if (!page.isClosed()) await page.unroute('**/*', quiet);
  };
}
