import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { Builder, Capabilities } from 'selenium-webdriver';
import { startProgram, temporaryFolder } from './children.js';
import { expressionOf, readOutcome } from './evaluation.js';

/** @import { Browser, Page } from './browsers.js' */
/** @import { WebDriver } from 'selenium-webdriver' */

const START_TIMEOUT_MS = 20_000;

/** How long a page may take to answer, and to load, ms. */
const TIMEOUT_MS = 120_000;
const LOAD_TIMEOUT_MS = 30_000;

const MINI_BROWSER = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;

/**
 * JSC, as WebKitGTK's small test browser, on a display of its own.
 * @param {{sharedMemory: boolean}} options WebKitGTK hides `SharedArrayBuffer` even from isolated pages, where Safari has it,
 *   unless its environment says otherwise. Without it, this is a browser for pages that share no memory.
 * @returns {Promise<Browser>}
 */
export async function launchWebkit({ sharedMemory }) {
  const home = temporaryFolder();
  const display = await startDisplay();
  const driver = await startDriver({
    ...process.env,
    HOME: home.path,
    DISPLAY: display.name,
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    ...(sharedMemory && { JSC_useSharedArrayBuffer: '1' }),
  });
  const release = () => {
    driver.release();
    display.release();
    home.release();
  };
  try {
    const session = await startSession(driver.port);
    const version = (await session.getCapabilities()).get('browserVersion');
    return browserOver(session, version, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Xvfb on the first free display number, which it tells once it listens. */
async function startDisplay() {
  const { child, release } = await startProgram(
    'Xvfb',
    ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'],
    { package: 'xvfb' },
  );
  const output = /** @type {import('node:stream').Readable} */ (child.stdout);
  const [line] = await once(output, 'data', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  return { name: `:${String(line).trim()}`, release };
}

/** @param {NodeJS.ProcessEnv} env */
async function startDriver(env) {
  const port = await freePort();
  const { release } = await startProgram('WebKitWebDriver', [`--port=${port}`], {
    env,
    package: 'webkit2gtk-driver',
  });
  await listening(port);
  return { port, release };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** The driver says nothing when it is ready, so it is asked until it answers. @param {number} port */
async function listening(port) {
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect', { signal }).then(
      () => true,
      (error) => {
        if (error.code !== 'ECONNREFUSED') throw error;
        return false;
      },
    );
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** @param {number} port @returns {Promise<WebDriver>} */
async function startSession(port) {
  const session = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
      }),
    )
    .build();
  await session.manage().setTimeouts({ script: TIMEOUT_MS, pageLoad: LOAD_TIMEOUT_MS });
  return session;
}

/** @param {WebDriver} session @param {string} version @param {() => void} release @returns {Browser} */
function browserOver(session, version, release) {
  // A WebDriver session has one current window: commands for different pages take turns.
  let turn = Promise.resolve();
  /** @type {InWindow} */
  const inWindow = (handle, command) => {
    const result = turn.then(async () => {
      if (handle) await session.switchTo().window(handle);
      return command(session);
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
      const handle = await inWindow(undefined, async () => {
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

/** @typedef {<T>(handle: string | undefined, command: (session: WebDriver) => Promise<T>) => Promise<T>} InWindow */

/** @implements {Page} */
class WebkitPage {
  /** Always empty: WebDriver has no access to the console. @type {string[]} */
  console = [];
  #handle;
  #inWindow;

  /** @param {string} handle @param {InWindow} inWindow */
  constructor(handle, inWindow) {
    this.#handle = handle;
    this.#inWindow = inWindow;
  }

  /** @param {string} url */
  async goto(url) {
    await this.#inWindow(this.#handle, (session) => session.get(url));
  }

  /** @param {import('./evaluation.js').Code} code @param {unknown[]} args */
  async evaluate(code, ...args) {
    const script = `${expressionOf(code, args)}.then(arguments[arguments.length - 1])`;
    return readOutcome(await this.#inWindow(this.#handle, (session) => session.executeAsyncScript(script)));
  }

  /** @param {string} path */
  async screenshot(path) {
    const png = await this.#inWindow(this.#handle, (session) => session.takeScreenshot());
    await writeFile(path, png, 'base64');
  }

  async close() {
    await this.#inWindow(this.#handle, (session) => session.close());
  }
}
