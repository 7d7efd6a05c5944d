import { answerTo, exposeLeave, reasonOf } from './requests.js';

/** @import { Answer } from '../headers.js' */
/** @import { Kind } from '../kinds.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from './driver.js' */
/** @import { Load, Request } from './requests.js' */

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
    const answer = await answerTo(site, requestOf(request, site), (how) => load(route, how));
    return answer ? fulfill(route, answer) : route.fallback();
  };
  const quiet = (/** @type {any} */ route) =>
    handler(route).catch((error) => {
      // The page has closed, or gave the request up.
      if (!page.isClosed()) site.note(`${route.request().url()} has no probes: ${reasonOf(error)}`);
    });
  const takeBack = () => page.unroute('**/*', quiet);
  await exposeLeave(page, leave);
  await page.route('**/*', quiet);
  return async () => {
    site.isOver = true;
    if (!site.isIsolating && !page.isClosed()) await takeBack();
  };
}

/** @param {any} request of Playwright @param {InstrumentedSite} site @returns {Request} */
function requestOf(request, site) {
  return {
    url: request.url(),
    method: request.method(),
    kind: kindOf(request.resourceType(), site),
    canRedirect: false,
  };
}

/** Workers' scripts are scripts like any other here. @param {string} type @param {InstrumentedSite} site @returns {Kind | null} */
function kindOf(type, { isOver }) {
  if (type === 'document') return type;
  if (type !== 'script') return null;
  return isOver ? 'worker' : 'script';
}

/** @param {any} route @param {Parameters<Load>[0]} how @returns {Promise<Answer>} */
async function load(route, { followRedirects }) {
  const response = await route.fetch(followRedirects ? {} : { maxRedirects: 0 });
  return {
    status: response.status(),
    headers: response
      .headersArray()
      .map((/** @type {{name: string, value: string}} */ { name, value }) => [name, value]),
    body: await response.body(),
  };
}

/** @param {any} route @param {Answer} answer */
function fulfill(route, { status, headers, body }) {
  /** @type {Record<string, string>} */
  const fields = {};
  // Fields that are there more than once are lines of one.
  for (const [name, value] of headers) fields[name] = fields[name] ? `${fields[name]}\n${value}` : value;
  return route.fulfill({ status, headers: fields, body });
}
