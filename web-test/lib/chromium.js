import { launchWithPuppeteer } from './puppeteer_browser.js';

const ARGUMENTS = [
  '--no-sandbox', // tests run as root in containers, where Chromium's sandbox cannot start
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** V8. It has shared memory wherever the page is isolated. @param {Record<string, string>} env @param {boolean} quiet */
export function launchChromium(env, quiet) {
  return launchWithPuppeteer({
    env,
    quiet,
    browser: 'chrome',
    package: 'chromium',
    executablePath: '/usr/bin/chromium',
    args: ARGUMENTS,
  });
}
