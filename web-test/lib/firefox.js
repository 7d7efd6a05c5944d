import { findBrowser } from '../../instrumenter/serving/find_browser.js';
import { launchWithPuppeteer } from './puppeteer_browser.js';

/** Its program: the first one on the PATH. */
export const FIREFOX = findBrowser('firefox') ?? 'firefox-esr';

/** SpiderMonkey. It has shared memory wherever the page is isolated. @param {Record<string, string>} env */
export function launchFirefox(env) {
  return launchWithPuppeteer({
    env,
    browser: 'firefox',
    package: 'firefox-esr',
    executablePath: FIREFOX,
    args: ['--no-remote'],
    // Pages that are busy for seconds are what is tested here: no "script is slowing down" dialogue.
    extraPrefsFirefox: { 'dom.max_script_run_time': 0 },
  });
}
