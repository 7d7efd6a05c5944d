import { writeFile } from 'node:fs/promises';
import { Builder, Capabilities } from 'selenium-webdriver';
import { CAPABILITIES, startWebkit } from '../../testing/run/webkit_driver.js';
import { expressionOf, readOutcome } from './evaluation.js';

/** @import { Browser, Page } from './browsers.js' */
/** @import { WebDriver } from 'selenium-webdriver' */

/** How long a page may take to answer, and to load, ms. */
const TIMEOUT_MS = 120_000;
const LOAD_TIMEOUT_MS = 30_000;

/**
 * JSC, as WebKitGTK's small test browser, on a display of its own.
 * @param {{sharedMemory: boolean, env: Record<string, string>}} options WebKitGTK hides `SharedArrayBuffer` even from isolated pages, where Safari has it,
 *   unless its environment says otherwise. Without it, this is a browser for pages that share no memory.
 * @returns {Promise<Browser>}
 */
export async function launchWebkit({ sharedMemory, env }) {
  const { port, release } = await startWebkit({ sharedMemory, env });
  try {
    const session = await startSession(port);
    const version = (await session.getCapabilities()).get('browserVersion');
    return browserOver(session, version, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** @param {number} port @returns {Promise<WebDriver>} */
async function startSession(port) {
  const session = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(new Capabilities(CAPABILITIES))
    .build();
  await session.manage().setTimeouts({ script: TIMEOUT_MS, pageLoad: LOAD_TIMEOUT_MS });
  return session;
}

/** @param {WebDriver} session @param {string} version @param {() => void} release @returns {Browser} */
function browserOver(session, version, release) {
  // A WebDriver session has one current window: commands for different pages take turns.
  let turn = Promise.resolve();
  /** @type {InWindow} */
  const inWindow = (handle, what, command) => {
    const result = turn.then(async () => {
      let doing = 'the switch to its window';
      try {
        if (handle) await session.switchTo().window(handle);
        doing = what;
        return await command(session);
      } catch (cause) {
        // The driver's own error says no word of what it waited for.
        throw new Error(`${doing} failed: ${cause}`, { cause });
      }
    });
    turn = result.then(
      () => {},
      () => {},
    );
    return result;
  };
  return {
    name: 'webkit',
    version,
    async open(url) {
      const handle = await inWindow(undefined, 'a new window', async () => {
        await session.switchTo().window((await session.getAllWindowHandles())[0]);
        await session.switchTo().newWindow('window');
        return session.getWindowHandle();
      });
      const page = new WebkitPage(handle, inWindow);
      await page.goto(url);
      return page;
    },
    async close() {
      // Ends MiniBrowser in an orderly way; what is left of it ends with the driver.
      await session.quit().catch(() => {});
      release();
    },
  };
}

/** @typedef {<T>(handle: string | undefined, what: string, command: (session: WebDriver) => Promise<T>) => Promise<T>} InWindow `what`: for its error */

/** @implements {Page} */
class WebkitPage {
  /** Always empty: WebDriver has no access to the console. @type {string[]} */
  console = [];
  isChanged = false;
  #handle;
  #inWindow;

  /** @param {string} handle @param {InWindow} inWindow */
  constructor(handle, inWindow) {
    this.#handle = handle;
    this.#inWindow = inWindow;
  }

  /** @param {string} url */
  async goto(url) {
    await this.#inWindow(this.#handle, `to load ${url}`, (session) => session.get(url));
  }

  /** @param {import('./evaluation.js').Code} code @param {unknown[]} args */
  async evaluate(code, ...args) {
    const script = `${expressionOf(code, args)}.then(arguments[arguments.length - 1])`;
    const run = (/** @type {WebDriver} */ session) => session.executeAsyncScript(script);
    return readOutcome(await this.#inWindow(this.#handle, `to run ${script.slice(0, 200)}`, run));
  }

  /** @param {string} path */
  async screenshot(path) {
    const png = await this.#inWindow(this.#handle, 'a screenshot', (session) => session.takeScreenshot());
    await writeFile(path, png, 'base64');
  }

  async hide() {
    this.isChanged = true;
    await this.#inWindow(this.#handle, 'to hide', (session) => session.manage().window().minimize());
  }

  async show() {
    const rect = { x: 0, y: 0, width: 800, height: 600 };
    await this.#inWindow(this.#handle, 'to show', (session) => session.manage().window().setRect(rect));
  }

  async close() {
    await this.#inWindow(this.#handle, 'to close', (session) => session.close());
  }
}
