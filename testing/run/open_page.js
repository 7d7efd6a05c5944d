import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NO_SPARE_PAGES } from '../../instrumenter/calibrate/chromium.js';
import { UsageError } from '../../instrumenter/command/usage_error.js';
import { findBrowser } from '../../instrumenter/serving/find_browser.js';
import { ownProgram } from './own_program.js';
import { PAGE_ANSWER_MS } from './webdriver_page.js';

/**
 * Browsers for `polyprof run`: by the Playwright or Puppeteer of the project, which polyprof does not depend on.
 *
 * @typedef {object} OpenedPage
 * @property {any} page of Playwright or Puppeteer
 * @property {string} version of the browser, with its name
 * @property {() => Promise<void>} close
 * @property {undefined} [recording]
 * @property {undefined} [url]
 *
 * @typedef {object} OpenOptions
 * @property {'chromium' | 'firefox'} browser
 * @property {boolean} headed
 * @property {boolean} [ignoreHttpsErrors]
 * @property {string} [executable] path of the browser
 */

const MODULES = ['playwright', '@playwright/test', 'puppeteer', 'playwright-core', 'puppeteer-core'];

/** @param {OpenOptions} options @returns {Promise<OpenedPage>} @throws {UsageError} nothing here can drive or be that browser */
export async function openPage(options) {
  const { browser } = options;
  const found = [];
  for (const name of MODULES) {
    const module = await importFromProject(name);
    if (!module) continue;
    found.push(name);
    const own = await ownProgram(module, browser);
    const program = options.executable ?? own ?? findBrowser(browser);
    // Playwright's Firefox is one that it has built itself.
    if (!program || (module.chromium && browser === 'firefox' && !own)) continue;
    const opened = await (module.chromium ? openByPlaywright : openByPuppeteer)(module, program, options);
    // Both give up after 30 s: with probes, thousands of modules of a development server take longer.
    opened.page.setDefaultNavigationTimeout(PAGE_ANSWER_MS);
    return opened;
  }
  throw new UsageError(
    found.length === 0
      ? 'a browser is driven by Playwright or Puppeteer, and this project has neither: npm i -D puppeteer-core'
      : `${found.join(' and ')} ${found.length > 1 ? 'find' : 'finds'} no ${browser}: install it, or say --executable <path>` +
          (browser === 'firefox'
            ? '; one that is installed here needs puppeteer-core: npm i -D puppeteer-core'
            : ''),
  );
}

/** @param {any} playwright @param {string} executablePath @param {OpenOptions} options @returns {Promise<OpenedPage>} */
async function openByPlaywright(playwright, executablePath, { browser, headed, ignoreHttpsErrors }) {
  const running = await playwright[browser].launch({
    executablePath,
    headless: !headed,
    args: argumentsFor(browser),
  });
  return {
    page: await running.newPage({
      ...(headed && { viewport: null }),
      ignoreHTTPSErrors: Boolean(ignoreHttpsErrors),
    }),
    version: `${browser} ${running.version()}`,
    close: () => running.close(),
  };
}

/** @param {any} puppeteer @param {string} executablePath @param {OpenOptions} options @returns {Promise<OpenedPage>} */
export async function openByPuppeteer(puppeteer, executablePath, { browser, headed, ignoreHttpsErrors }) {
  const running = await puppeteer.launch({
    browser: browser === 'chromium' ? 'chrome' : browser,
    executablePath,
    headless: !headed,
    // Puppeteer adds it to a list of its own; Playwright would have that one or this.
    args: [...argumentsFor(browser), ...(browser === 'chromium' ? [NO_SPARE_PAGES] : [])],
    acceptInsecureCerts: Boolean(ignoreHttpsErrors),
    ...(headed && { defaultViewport: null }),
    // A page that is busy for long is no reason for a dialogue.
    ...(browser === 'firefox' && { extraPrefsFirefox: { 'dom.max_script_run_time': 0 } }),
  });
  const [page = await running.newPage()] = await running.pages();
  return { page, version: (await running.version()).replace('/', ' '), close: () => running.close() };
}

/** @param {string} browser */
function argumentsFor(browser) {
  // Chromium's sandbox does not start for root, as in containers.
  return browser === 'chromium' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

/** @param {string} name @returns {Promise<any>} undefined: the project has it not */
async function importFromProject(name) {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      const module = await import(pathToFileURL(createRequire(from).resolve(name)).href);
      return module.default ?? module;
    } catch (error) {
      if (!/_NOT_FOUND$|_NOT_EXPORTED$/.test(/** @type {any} */ (error).code)) throw error;
    }
  }
  return undefined;
}
