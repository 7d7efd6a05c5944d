import { once } from 'node:events';
import { WebSocket } from 'ws';
import { freePort, MINI_BROWSER, startDisplay } from '../../testing/run/webkit_driver.js';
import { startProgram, temporaryFolder } from '../../web-test/lib/children.js';

const START_TIMEOUT_MS = 20_000;

/** Starts a browser that only the inspector drives. @param {string} url of the page that it shows @returns {Promise<{inspector: Inspector, release: () => void}>} */
export async function startInspected(url) {
  const home = temporaryFolder();
  const display = await startDisplay();
  const port = await freePort();
  const { release } = await startProgram(MINI_BROWSER, [url], {
    package: 'webkit2gtk-driver',
    env: {
      ...process.env,
      HOME: home.path,
      DISPLAY: display.name,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      JSC_useSharedArrayBuffer: '1',
      WEBKIT_INSPECTOR_HTTP_SERVER: `127.0.0.1:${port}`,
    },
  });
  const inspector = await Inspector.connect(port, url);
  return {
    inspector,
    release() {
      inspector.close();
      release();
      display.release();
      home.release();
    },
  };
}

/** A session of the inspector's protocol with the one page of a browser. */
class Inspector {
  #socket;
  #target;
  #last = 0;
  /** By number of the command, and by name of the event. @type {Map<number | string, (message: any) => void>} */
  #awaited = new Map();

  /** @param {WebSocket} socket @param {string} target */
  constructor(socket, target) {
    this.#socket = socket;
    this.#target = target;
    socket.on('message', (text) => {
      const { method, params } = JSON.parse(String(text));
      if (method === 'Target.didCommitProvisionalTarget') this.#target = params.newTargetId;
      if (method !== 'Target.dispatchMessageFromTarget') return;
      const message = JSON.parse(params.message);
      this.#awaited.get(message.id ?? message.method)?.(message);
    });
  }

  /** @param {number} port @param {string} url @returns {Promise<Inspector>} once the page is there */
  static async connect(port, url) {
    const deadline = AbortSignal.timeout(START_TIMEOUT_MS);
    for (;;) {
      const list = await fetch(`http://127.0.0.1:${port}/`, { signal: deadline }).then(
        (response) => response.text(),
        () => '',
      );
      deadline.throwIfAborted();
      const path = list.includes(url) && /\/socket\/\d+\/\d+\/WebPage/.exec(list)?.[0];
      if (path) {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { maxPayload: 2 ** 30 });
        const [first] = await once(socket, 'message', { signal: deadline });
        return new Inspector(socket, JSON.parse(String(first)).params.targetInfo.targetId);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} its result */
  send(method, params = {}) {
    const id = ++this.#last;
    const message = JSON.stringify({ id, method, params });
    const wrapped = { targetId: this.#target, message };
    this.#socket.send(JSON.stringify({ id, method: 'Target.sendMessageToTarget', params: wrapped }));
    return this.#await(id).then(({ result, error }) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    });
  }

  /** @param {string} method @returns {Promise<any>} the parameters of the next one */
  async event(method) {
    return (await this.#await(method)).params;
  }

  /** @param {string} expression a promise @returns {Promise<unknown>} its value */
  async evaluate(expression) {
    const { result: promise } = await this.send('Runtime.evaluate', { expression });
    const awaited = { promiseObjectId: promise.objectId, returnByValue: true };
    const { result } = await this.send('Runtime.awaitPromise', awaited);
    return result.value;
  }

  close() {
    this.#socket.terminate();
  }

  /** @param {number | string} key @returns {Promise<any>} */
  #await(key) {
    return new Promise((resolve) => {
      this.#awaited.set(key, (message) => {
        this.#awaited.delete(key);
        resolve(message);
      });
    });
  }
}
