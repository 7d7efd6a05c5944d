import { chromium } from '@playwright/test';
import puppeteer from 'puppeteer-core';
import { groupOf, temporaryFolder } from './children.js';
import { selectedEngines } from './browsers.js';
import { FIREFOX } from './firefox.js';

/**
 * Pages of Playwright and Puppeteer, as tests of their users get them.
 *
 * @typedef {object} Driver
 * @property {string} name
 * @property {import('./browsers.js').EngineName} engine
 * @property {() => Promise<{newPage: () => Promise<any>, close: () => Promise<void>}>} launch
 */

const CHROMIUM = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] };

/** @type {Driver[]} of the selected engines */
export const DRIVERS = [
  {
    name: 'Puppeteer',
    engine: /** @type {const} */ ('chromium'),
    launch: () => puppeteerBrowser('chrome', CHROMIUM),
  },
  { name: 'Playwright', engine: /** @type {const} */ ('chromium'), launch: () => playwrightBrowser(true) },
  {
    // Firefox and WebKit of Playwright are builds of its own; what we do there is done here in Chromium.
    name: 'Playwright without the DevTools protocol',
    engine: /** @type {const} */ ('chromium'),
    launch: () => playwrightBrowser(false),
  },
  {
    name: 'Puppeteer',
    engine: /** @type {const} */ ('firefox'),
    launch: () => puppeteerBrowser('firefox', { executablePath: FIREFOX }),
  },
].filter(({ engine }) => selectedEngines().includes(engine));

/** @param {'chrome' | 'firefox'} browser @param {{executablePath: string, args?: string[]}} options */
async function puppeteerBrowser(browser, options) {
  const home = temporaryFolder();
  const running = await puppeteer.launch({ browser, ...options, env: { ...process.env, HOME: home.path } });
  const release = groupOf(/** @type {import('node:child_process').ChildProcess} */ (running.process()));
  return {
    newPage: () => running.newPage(),
    async close() {
      // What is left of it ends with its process group.
      await running.close().catch(() => {});
      release();
      home.release();
    },
  };
}

/** @param {boolean} hasDevtools */
async function playwrightBrowser(hasDevtools) {
  const running = await chromium.launch(CHROMIUM);
  return {
    async newPage() {
      const page = await running.newPage();
      if (!hasDevtools) {
        page.context().newCDPSession = () =>
          Promise.reject(new Error('CDP session is only available in Chromium'));
      }
      return page;
    },
    close: () => running.close(),
  };
}
