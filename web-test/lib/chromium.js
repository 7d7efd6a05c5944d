import { launchWithPuppeteer } from './puppeteer_browser.js';

const ARGUMENTS = [
  '--no-sandbox', // tests run as root in containers, where Chromium's sandbox cannot start
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A process for the next page, and pages for the address bar to unfold: a third of the processor time of a short test.
  '--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
];

/** V8. It has shared memory wherever the page is isolated. @param {Record<string, string>} env @param {boolean} quiet */
export function launchChromium(env, quiet) {
  return launchWithPuppeteer({
    env,
    quiet,
    browser: 'chrome',
    package: 'chromium',
    executablePath: '/usr/bin/chromium',
    // Puppeteer takes what it merges with its own out of the list: the next browser would not have it.
    args: [...ARGUMENTS],
  });
}
