import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { startProgram, temporaryFolder } from '../../instrumenter/serving/children.js';

/** How long a display or a driver may take to start. */
const PROGRAM_START_MS = 20_000;

export const MINI_BROWSER = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;

/** Of a WebDriver session with WebKitGTK's small test browser. */
export const CAPABILITIES = {
  browserName: 'MiniBrowser',
  'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
};

/**
 * WebKitGTK's WebDriver, with a home folder and, unless it is `headed`, a display of its own.
 * @param {{sharedMemory: boolean, headed?: boolean, env?: Record<string, string>}} options `env`: more environment variables; `headed`: on
 *   the display of this process; `sharedMemory`: WebKitGTK hides `SharedArrayBuffer` even from isolated pages, where Safari has it, unless
 *   its environment says otherwise
 * @returns {Promise<{port: number, release: () => void}>} `release` ends it, its browsers and its display
 */
export async function startWebkit({ sharedMemory, headed = false, env }) {
  const home = temporaryFolder();
  const display = headed ? null : await startDisplay();
  const driver = await startDriver({
    ...process.env,
    HOME: home.path,
    ...(display && { DISPLAY: display.name }),
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    ...env,
    ...(sharedMemory && { JSC_useSharedArrayBuffer: '1' }),
  });
  return {
    port: driver.port,
    release() {
      driver.release();
      display?.release();
      home.release();
    },
  };
}

/**
 * Xvfb on the first free display number, which it tells once it listens.
 * @returns {Promise<{name: string, release: () => void}>} `name`: as in DISPLAY
 */
export async function startDisplay() {
  const { child, release } = await startProgram(
    'Xvfb',
    ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'],
    // It tries one display number after the other, and complains about those that are taken.
    { package: 'xvfb', isQuiet: true },
  );
  const output = /** @type {import('node:stream').Readable} */ (child.stdout);
  const [line] = await once(output, 'data', { signal: AbortSignal.timeout(PROGRAM_START_MS) });
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

/** @returns {Promise<number>} of the loopback that nothing listens on */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** The driver says nothing when it is ready, so it is asked until it answers. @param {number} port */
async function listening(port) {
  const signal = AbortSignal.timeout(PROGRAM_START_MS);
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
