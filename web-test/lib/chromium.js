import { ALONE } from '../../instrumenter/calibrate/chromium.js';
import { launchWithPuppeteer } from './puppeteer_browser.js';

/** V8. It has shared memory wherever the page is isolated. @param {Record<string, string>} env @param {boolean} quiet */
export function launchChromium(env, quiet) {
  return launchWithPuppeteer({
    env,
    quiet,
    browser: 'chrome',
    package: 'chromium',
    executablePath: '/usr/bin/chromium',
    // A list of its own: Puppeteer takes what it merges with its own out of it, and the next browser would not have that.
    // Tests run as root in containers, where Chromium's sandbox cannot start.
    args: [...ALONE, '--no-sandbox'],
  });
}
