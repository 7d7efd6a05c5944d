import { findBrowser } from '../../instrumenter/serving/find_browser.js';
import { launchWithPuppeteer } from './puppeteer_browser.js';

/** Its program: the first one on the PATH. */
export const FIREFOX = findBrowser('firefox') ?? 'firefox-esr';

/**
 * Puppeteer has Firefox load all sites into one process, and there it compiles code that hides from Spectre what a site may not see. What people use gives each site a process,
 * and code without that, whether the page is cross-origin isolated or not.
 */
const AS_IN_PROCESSES_OF_SITES = Object.fromEntries(
  ['index_masking', 'object_mitigations', 'string_mitigations', 'value_masking'].map((name) => [
    `javascript.options.spectre.${name}`,
    false,
  ]),
);

/** SpiderMonkey. It has shared memory wherever the page is isolated. @param {Record<string, string>} env */
export function launchFirefox(env) {
  return launchWithPuppeteer({
    env,
    browser: 'firefox',
    package: 'firefox-esr',
    executablePath: FIREFOX,
    args: ['--no-remote'],
    // Pages that are busy for seconds are what is tested here: no "script is slowing down" dialogue.
    extraPrefsFirefox: { 'dom.max_script_run_time': 0, ...AS_IN_PROCESSES_OF_SITES },
  });
}
