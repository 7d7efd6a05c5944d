/** @import { Driver } from './drivers/driver.js' */
/** @import { InstrumentedSite } from './site.js' */

const LOADED_BEFORE =
  'the page was loaded before profile() was called, so nothing in it has probes: go to it within the function, or call ' +
  'prepare(page) before';

/** What a browser shows by a viewer of its own is no HTML, but it is a document. */
const TYPE = 'document.contentType';

const ANSWERED_BEFORE =
  'a service worker of an earlier visit, answered for the page, so nothing in it has probes: take a new browser context or, in Chromium, ' +
  "serviceWorkers: 'block' (--block-service-workers)";

const FROM_NO_SERVER =
  'comes from no server, so nothing in it has probes: go to an address, http://… or https://…, within the function';

/** So much of an address is told: others may have all of their page in it. */
const TOLD_CHARACTERS = 80;

const UNVISITED = 'no browser has opened the page by the address that stands for it here';

const ENDED_TOO_SOON =
  'the browser was ended before its page could tell what it saw: close the page first, or end the recording before';

/**
 * Why nothing was recorded, as far as the page and its site can tell.
 * @param {Driver} driver of the page
 * @param {InstrumentedSite} site
 * @returns {Promise<string>} with what to do; rejects when the page cannot be asked
 */
export async function whyNothing(driver, site) {
  const [problem] = site.problems;
  if (problem) return problem.replace(/^polyprof: /, '');
  if (driver.asks) return site.isVisited ? ENDED_TOO_SOON : UNVISITED;
  const serviceWorker = await serviceWorkerOf(driver);
  if (serviceWorker) return `${serviceWorker}, ${ANSWERED_BEFORE}`;
  const url = await driver.evaluate('location.href');
  if (!/^https?:/.test(url)) return `${shortened(url)} ${FROM_NO_SERVER}`;
  const type = await driver.evaluate(TYPE);
  if (type === 'text/html') return LOADED_BEFORE;
  return `${url} is no HTML page: its type is ${type}`;
}

/** @param {Driver} driver @returns {Promise<string | undefined>} address of the service worker that answers for the page */
export function serviceWorkerOf(driver) {
  return driver.evaluate('globalThis.navigator.serviceWorker?.controller?.scriptURL');
}

/** @param {string} url */
function shortened(url) {
  return url.length > TOLD_CHARACTERS ? `${url.slice(0, TOLD_CHARACTERS)}…` : url;
}
