import puppeteer from 'puppeteer-core';
import { groupOf, MissingPackageError, temporaryFolder } from './children.js';
import { expressionOf, readOutcome } from './evaluation.js';

/** @import { Browser, Page } from './browsers.js' */

/** How long a page may take to answer, and to load, ms. */
const TIMEOUT_MS = 120_000;
const LOAD_TIMEOUT_MS = 30_000;

/**
 * Chromium over the DevTools protocol, or Firefox over WebDriver BiDi.
 * @param {import('puppeteer-core').LaunchOptions & {package: string, env: Record<string, string>, quiet?: boolean}} options `quiet`: as of
 *   `launch`, in Chromium
 * @returns {Promise<Browser>}
 */
export async function launchWithPuppeteer({ package: packageName, env, quiet = false, ...options }) {
  // Browsers write below HOME beside their profile.
  const home = temporaryFolder();
  let browser;
  try {
    browser = await puppeteer.launch({
      headless: true,
      protocolTimeout: TIMEOUT_MS,
      // To tell of each request takes Firefox's time, and nobody listens.
      networkEnabled: false,
      // At a signal this process ends, and with it what it started. Puppeteer's own handlers leave Firefox behind then.
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      ...options,
      env: { ...process.env, ...env, HOME: home.path },
    });
  } catch (error) {
    home.release();
    throw new MissingPackageError(String(options.executablePath), packageName, error);
  }
  const release = groupOf(/** @type {import('node:child_process').ChildProcess} */ (browser.process()));
  const [firstPage] = await browser.pages();
  return {
    name: options.browser === 'firefox' ? 'firefox' : 'chromium',
    version: (await browser.version()).replace(/^.*\//, ''),
    async open(url) {
      // A window of its own: a tab behind another one is hidden, and hidden pages are throttled.
      const tab = await browser.newPage({ type: 'window' });
      const page = quiet ? await QuietPage.of(tab) : new PuppeteerPage(tab);
      await page.goto(url);
      return page;
    },
    async close() {
      await firstPage?.close().catch(() => {});
      // What is left of it ends with its process group.
      await browser.close().catch(() => {});
      release();
      home.release();
    },
  };
}

/** @implements {Page} */
class PuppeteerPage {
  /** @type {string[]} */
  console = [];
  isChanged = false;
  #page;
  /** The tab in front of it. @type {import('puppeteer-core').Page | undefined} */
  #cover;

  /** @param {import('puppeteer-core').Page} page */
  constructor(page) {
    this.#page = page;
    page.setDefaultNavigationTimeout(LOAD_TIMEOUT_MS);
    page.on('console', (message) => this.console.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) =>
      this.console.push(`exception: ${/** @type {any} */ (error)?.message ?? error}`),
    );
  }

  /** @param {string} url */
  async goto(url) {
    await this.#page.goto(url);
  }

  /** @param {import('./evaluation.js').Code} code @param {unknown[]} args */
  async evaluate(code, ...args) {
    return readOutcome(await this.#page.evaluate(expressionOf(code, args)));
  }

  async hide() {
    this.isChanged = true;
    // In the same window, which is the one that was used last: the page is behind it.
    await this.#page.bringToFront();
    this.#cover = await this.#page.browser().newPage();
    await this.#cover.bringToFront();
  }

  async show() {
    await this.#cover?.close();
    await this.#page.bringToFront();
  }

  devtools() {
    this.isChanged = true;
    return this.#page.createCDPSession();
  }

  /** @param {string} path */
  async screenshot(path) {
    await this.#page.screenshot({ path: /** @type {`${string}.png`} */ (path) });
  }

  async close() {
    await this.#page.close();
  }
}

/** Chromium without the domain of DevTools by which Puppeteer hears of contexts, messages and exceptions, and evaluates. */
class QuietPage extends PuppeteerPage {
  #session;

  /** @param {import('puppeteer-core').Page} page @returns {Promise<QuietPage>} */
  static async of(page) {
    // Puppeteer's own session: that of another one would leave this one listening.
    await /** @type {any} */ (page)._client().send('Runtime.disable');
    return new QuietPage(page, await page.createCDPSession());
  }

  /** @param {import('puppeteer-core').Page} page @param {import('puppeteer-core').CDPSession} session */
  constructor(page, session) {
    super(page);
    this.#session = session;
  }

  /** @override @param {import('./evaluation.js').Code} code @param {unknown[]} args */
  async evaluate(code, ...args) {
    const { result } = await this.#session.send('Runtime.evaluate', {
      expression: expressionOf(code, args),
      awaitPromise: true,
      returnByValue: true,
    });
    return readOutcome(result.value);
  }
}
