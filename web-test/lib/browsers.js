/** The three engines behind one interface. What drives one takes longer to load than most commands that may need it. */

/** @typedef {'chromium' | 'firefox' | 'webkit'} EngineName */

/**
 * @typedef {object} Browser
 * @property {EngineName} name
 * @property {string} version
 * @property {(url: string) => Promise<Page>} open in a window of its own, so that it is visible; resolves after its `load`
 * @property {() => Promise<void>} close ends the browser's processes and removes its profile
 */

/**
 * @typedef {object} Page
 * @property {(url: string) => Promise<void>} goto resolves after `load`
 * @property {(code: import('./evaluation.js').Code, ...args: any[]) => Promise<any>} evaluate
 *   runs a function (its text: it sees nothing of the test's scope) or an expression in the page, awaits what it returns.
 *   Arguments and value are JSON. An exception in the page rejects with a `PageError` with its name, message and stack.
 * @property {(path: string) => Promise<void>} screenshot as PNG
 * @property {() => Promise<void>} hide behind another tab, or as an icon; the page is told by `visibilitychange`, maybe later
 * @property {() => Promise<void>} show brings it back
 * @property {string[]} console `<type>: <text>` per message and uncaught exception since the page was opened; empty in WebKit
 * @property {() => Promise<import('puppeteer-core').CDPSession>} [devtools] a session of the DevTools protocol; Chromium only
 * @property {boolean} [isChanged] it was hidden, or is under control of a DevTools session: its next document could tell
 * @property {() => Promise<void>} close
 */

/** @type {readonly EngineName[]} */
export const ENGINE_NAMES = Object.freeze(['chromium', 'firefox', 'webkit']);

/**
 * @param {EngineName} name
 * @param {{sharedMemory?: boolean, env?: Record<string, string>, quiet?: boolean}} [options] `sharedMemory`: isolated pages have `SharedArrayBuffer`. Chromium and Firefox cannot
 *   do without; serve the page without isolation there. `env`: more environment variables.
 *   `quiet`: Chromium tells nobody what happens in pages, so that their `console` stays empty; where it does, errors take V8 twice as long
 * @returns {Promise<Browser>} rejects with a `MissingPackageError` that says what to install
 */
export async function launch(name, { sharedMemory = true, env = {}, quiet = false } = {}) {
  switch (name) {
    case 'chromium':
      return (await import('./chromium.js')).launchChromium(env, quiet);
    case 'firefox':
      return (await import('./firefox.js')).launchFirefox(env);
    case 'webkit':
      return (await import('./webkit.js')).launchWebkit({ sharedMemory, env });
    default:
      throw new RangeError(`unknown browser ${name}: one of ${ENGINE_NAMES.join(', ')}`);
  }
}

/**
 * Which engines to test: all, or those of the environment's POLYPROF_BROWSERS, e.g. `chromium,webkit`.
 * @returns {EngineName[]}
 */
export function selectedEngines() {
  const names = (process.env.POLYPROF_BROWSERS || ENGINE_NAMES.join(','))
    .split(',')
    .map((name) => name.trim());
  for (const name of names) {
    if (!ENGINE_NAMES.some((known) => known === name)) {
      throw new RangeError(`POLYPROF_BROWSERS has ${name}: it takes ${ENGINE_NAMES.join(', ')}`);
    }
  }
  return /** @type {EngineName[]} */ (names);
}
