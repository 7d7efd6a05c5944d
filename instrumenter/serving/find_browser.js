import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names to look for in `PATH`, and full paths for systems that do not put browsers into `PATH`. */
const PROGRAMS = {
  chromium: {
    names: [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'chrome',
      'microsoft-edge',
    ],
    places: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    ],
  },
  firefox: {
    names: ['firefox', 'firefox-esr'],
    places: [
      '/Applications/Firefox.app/Contents/MacOS/firefox',
      'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
    ],
  },
};

/**
 * @param {'chromium' | 'firefox'} browser
 * @returns {string | undefined} path of one that is installed: the environment's CHROME_PATH for Chromium, else the first one on the PATH
 */
export function findBrowser(browser) {
  if (browser === 'chromium' && process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const { names, places } = PROGRAMS[browser];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places].find(isProgram);
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
