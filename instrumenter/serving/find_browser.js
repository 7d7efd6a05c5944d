import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';

/**
 * Names to look for in `PATH`, and files for systems that do not put browsers into `PATH`: on Windows below the folders of programs.
 * @type {Record<'chromium' | 'firefox', {names: string[], mac: string[], windows: string[]}>}
 */
const PROGRAMS = {
  chromium: {
    names: [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'chrome',
      'microsoft-edge',
      'msedge',
    ],
    mac: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ],
    windows: [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ],
  },
  firefox: {
    names: ['firefox', 'firefox-esr'],
    mac: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    windows: ['Mozilla Firefox\\firefox.exe'],
  },
};

/** Environment variables of Windows with folders of programs: of all users, also of programs of 32 bits, and of this one. */
const FOLDERS = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'];

/**
 * @param {'chromium' | 'firefox'} browser
 * @returns {string | undefined} path of one that is installed: the environment's CHROME_PATH for Chromium, else the first one on the PATH
 */
export function findBrowser(browser) {
  if (browser === 'chromium' && process.env.CHROME_PATH) return process.env.CHROME_PATH;
  return placesOf(browser, process.platform, process.env).find(isProgram);
}

/**
 * @param {'chromium' | 'firefox'} browser @param {NodeJS.Platform} platform @param {NodeJS.ProcessEnv} env
 * @returns {string[]} files that may be there, the best one first
 */
export function placesOf(browser, platform, env) {
  const { names, mac, windows } = PROGRAMS[browser];
  const { delimiter, join } = platform === 'win32' ? win32 : posix;
  const onPath = (env.PATH ?? '').split(delimiter);
  const suffix = platform === 'win32' ? '.exe' : '';
  const folders = FOLDERS.flatMap((name) => env[name] ?? []);
  return [
    ...names.flatMap((name) => onPath.map((folder) => join(folder, name + suffix))),
    ...(platform === 'darwin' ? mac : []),
    ...(platform === 'win32' ? windows.flatMap((file) => folders.map((folder) => join(folder, file))) : []),
  ];
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
