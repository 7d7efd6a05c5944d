import { answerTo, exposeLeave } from './requests.js';

/** @import { Kind } from '../kinds.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */

/**
 * Playwright's browsers other than Chromium.
 * @param {any} page @param {InstrumentedSite} site @param {Leave} leave
 * @returns {Promise<() => Promise<void>>} ends it, as that of `interceptByDevtools`
 */
export async function interceptByPlaywright(page, site, leave) {
  const handler = async (/** @type {any} */ route) => {
    const request = route.request();
    if (site.isOver && request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      await takeBack();
      return route.fallback();
    }
    const answer = await answerTo(
      site,
      {
        url: request.url(),
        method: request.method(),
        kind: kindOf(request.resourceType(), site),
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
  const takeBack = () => page.unroute('**/*', quiet);
  await exposeLeave(page, leave);
  await page.route('**/*', quiet);
  return async () => {
    site.isOver = true;
    if (!site.isIsolating && !page.isClosed()) await takeBack();
  };
}

/** Workers' scripts are scripts like any other here. @param {string} type @param {InstrumentedSite} site @returns {Kind | null} */
function kindOf(type, { isOver }) {
  if (type === 'document') return type;
  if (type !== 'script') return null;
  return isOver ? 'worker' : 'script';
}
