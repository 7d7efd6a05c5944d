import { interceptByDevtools } from './devtools.js';
import { permittingSession } from './local_servers.js';
import { interceptByPlaywright } from './playwright.js';
import { canIsolate, interceptByPuppeteer } from './puppeteer.js';

/** @import { InstrumentedSite } from '../site.js' */

/**
 * A page of Playwright or Puppeteer, as much of it as is used.
 *
 * @typedef {object} AnyPage
 * @property {(...args: any[]) => Promise<any>} evaluate
 * @property {() => string} url
 */

/**
 * @typedef {object} Driver how a page is reached, whoever drives it
 * @property {boolean} canIsolate answers may be isolated
 * @property {boolean} [refusesServiceWorkers] requests of pages that have one cannot be answered
 * @property {boolean} [asks] nobody reaches the page: it asks what to tell
 * @property {(expression: string) => Promise<any>} evaluate in the page's main frame; awaits a promise
 * @property {(site: InstrumentedSite, leave: Leave) => Promise<() => Promise<void>>} intercept resolves when every request of the page
 *   goes through the site, with what ends that
 *
 * @callback Leave what `LEAVE` in the page calls
 * @param {string} json
 * @returns {void}
 */

/** @param {any} page @returns {Promise<Driver>} @throws {TypeError} it is no page */
export async function driverOf(page) {
  if (typeof page?.evaluate !== 'function' || typeof page.url !== 'function') {
    throw new TypeError('polyprof: profile() needs a page of Playwright or Puppeteer as its first argument');
  }
  const isPlaywright = typeof page.route === 'function';
  if (!isPlaywright && typeof page.setRequestInterception !== 'function') {
    throw new TypeError(
      'polyprof: this page has neither route(), as of Playwright, nor setRequestInterception(), as of Puppeteer',
    );
  }
  const evaluate = (/** @type {string} */ expression) => page.evaluate(expression);
  const session = await devtoolsSession(page, isPlaywright);
  if (session) {
    return {
      canIsolate: true,
      evaluate,
      intercept: async (site, leave) => {
        const sessions = {
          session,
          browser: await browserSession(page, isPlaywright),
          permitting: await permittingSessionOf(page, isPlaywright),
        };
        return interceptByDevtools(sessions, site, leave);
      },
    };
  }
  return {
    // WebKit has no `credentialless`.
    canIsolate: isPlaywright ? page.context().browser()?.browserType().name() !== 'webkit' : canIsolate(page),
    // In Firefox such an answer is an error, and a page that was isolated by us before loads for ever.
    refusesServiceWorkers: !isPlaywright,
    evaluate,
    intercept: (site, leave) =>
      (isPlaywright ? interceptByPlaywright : interceptByPuppeteer)(page, site, leave),
  };
}

/** @param {any} page @param {boolean} isPlaywright @returns {Promise<any>} undefined: it is no Chromium */
async function devtoolsSession(page, isPlaywright) {
  try {
    return await (isPlaywright ? page.context().newCDPSession(page) : page.createCDPSession());
  } catch (error) {
    if (page.isClosed?.()) throw error;
    return undefined;
  }
}

/** With the browser, as long as the page is open. @param {any} page @param {boolean} isPlaywright @returns {Promise<any>} undefined: none can be had */
async function browserSession(page, isPlaywright) {
  try {
    const session = await connectTo(browserOf(page, isPlaywright));
    page.once('close', () => session.detach().catch(() => {}));
    return session;
  } catch {
    // Playwright's persistent contexts have no browser, and not every connection reaches it.
    return undefined;
  }
}

/** @param {any} page @param {boolean} isPlaywright @returns {Promise<any>} */
function permittingSessionOf(page, isPlaywright) {
  const browser = browserOf(page, isPlaywright);
  const ofPage = () => permittingSession(page, () => devtoolsSession(page, isPlaywright));
  return browser ? permittingSession(browser, () => connectTo(browser)).catch(ofPage) : ofPage();
}

/** @param {any} page @param {boolean} isPlaywright @returns {any} of Playwright's persistent contexts null */
function browserOf(page, isPlaywright) {
  return isPlaywright ? page.context().browser() : page.browser();
}

/** @param {any} browser of either @returns {Promise<any>} */
async function connectTo(browser) {
  return browser.newBrowserCDPSession?.() ?? browser.target().createCDPSession();
}
