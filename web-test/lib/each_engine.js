import { after, describe, test } from 'node:test';
import { launch, selectedEngines } from './browsers.js';
import { FOLDERS } from './folders.js';
import { serve } from './server.js';
import { TIMEOUT_MS, tellWhenTimeIsUp } from './time_is_up.js';

/** @import { Browser, EngineName, Page } from './browsers.js' */
/** @import { ServeOptions, Server } from './server.js' */

/**
 * @typedef {object} Context what a test gets, fresh for each engine
 * @property {Browser} browser shared by the tests of a process
 * @property {Page} page with a new document, at `options.path`
 * @property {Server} server
 */

/**
 * @typedef {object} Options
 * @property {string} [path] which page to open, BLANK_PATH by default
 * @property {Partial<ServeOptions>} [serve] `folders` are added to the default ones
 * @property {boolean} [sharedMemory] see `launch`
 * @property {readonly EngineName[]} [only] engines that the behaviour is about
 * @property {boolean} [ownOrigin] of which no other test's page has been: it stores something there
 * @property {boolean} [atOnce] in all engines at the same time, since it mostly waits
 */

const BLANK_PATH = '/harness/blank.html';

/** @type {Map<string, Promise<Browser>>} running browsers of this process */
const browsers = new Map();

/** A page that a test left, for the next one: a window of its own takes longer than most tests. @type {Map<Browser, Page>} */
const idlePages = new Map();

/**
 * Of the server of a file's tests, one after the other: for a page of an origin that it knows, a browser starts no process. Another file's tests are strangers.
 * @type {Map<Browser, number>}
 */
const ports = new Map();

/** Another file begins: what its tests' pages store is not known to others. */
export function forgetOrigins() {
  ports.clear();
}

/** Those of tests that run; what a test that timed out left open would keep the process alive. @type {Set<Server>} */
const servers = new Set();

after(async () => {
  await Promise.all([...servers].map((server) => server.close()));
  await Promise.all([...browsers.values()].map(async (browser) => (await browser).close()));
});

/**
 * One test per selected engine, named `<engine>: <sentence>`. A browser is launched for the first test that needs it.
 * @param {string} sentence the behaviour
 * @param {Options | ((context: Context) => unknown)} options
 * @param {(context: Context) => unknown} [body]
 */
export function eachEngine(sentence, options, body) {
  if (typeof options === 'function') return eachEngine(sentence, {}, options);
  if (options.atOnce) {
    return void describe('in all engines at the same time', { concurrency: true }, () =>
      eachEngine(sentence, { ...options, atOnce: false }, body),
    );
  }
  const engines = selectedEngines().filter((engine) => options.only?.includes(engine) ?? true);
  for (const engine of engines) {
    test(`${engine}: ${sentence}`, { timeout: TIMEOUT_MS }, ({ signal }) =>
      inFreshPage(engine, options, signal, /** @type {(context: Context) => unknown} */ (body)),
    );
  }
}

/** @param {EngineName} engine @param {Options} options @param {AbortSignal} signal of its time @param {(context: Context) => unknown} body */
async function inFreshPage(engine, options, signal, body) {
  const browser = await browserOf(engine, options.sharedMemory ?? true);
  const server = await serve({
    ...options.serve,
    folders: { ...FOLDERS, ...options.serve?.folders },
    port: options.ownOrigin ? 0 : ports.get(browser),
  });
  servers.add(server);
  if (!options.ownOrigin) ports.set(browser, server.port);
  try {
    const page = await openPage(browser, server.url(options.path ?? BLANK_PATH));
    const hasEnded = tellWhenTimeIsUp(signal, page);
    const { own, closeOpened } = closingBrowser(browser);
    try {
      await body({ browser: own, page, server });
    } catch (error) {
      await page.close();
      throw error;
    } finally {
      hasEnded();
      await closeOpened();
    }
    await leavePage(browser, page, server);
  } finally {
    servers.delete(server);
    await server.close();
  }
}

/**
 * A window that a test leaves would be the one that the next test's tabs come to.
 * @param {Browser} browser
 * @returns {{own: Browser, closeOpened: () => Promise<unknown>}} `own`: the browser for one test, which closes what that opened
 */
function closingBrowser(browser) {
  /** @type {Page[]} */
  const opened = [];
  const open = async (/** @type {string} */ url) => {
    const page = await browser.open(url);
    opened.push(page);
    return page;
  };
  // It may be closed already.
  const closeOpened = () => Promise.all(opened.map((page) => page.close().catch(() => {})));
  return { own: Object.create(browser, { open: { value: open } }), closeOpened };
}

/** @param {Browser} browser @param {string} url @returns {Promise<Page>} of a new document */
async function openPage(browser, url) {
  const page = idlePages.get(browser);
  if (!page) return browser.open(url);
  idlePages.delete(browser);
  page.console.length = 0;
  await page.goto(url);
  return page;
}

/** Ends what runs in it; a page of the same server can do so without a process of its own. @param {Browser} browser @param {Page} page @param {Server} server */
async function leavePage(browser, page, server) {
  if (idlePages.has(browser) || page.isChanged) return page.close();
  await page.goto(server.url(BLANK_PATH));
  idlePages.set(browser, page);
}

/** @param {EngineName} engine @param {boolean} sharedMemory @returns {Promise<Browser>} */
function browserOf(engine, sharedMemory) {
  const key = `${engine} ${sharedMemory}`;
  const running = browsers.get(key) ?? launch(engine, { sharedMemory });
  browsers.set(key, running);
  return running;
}
