/** @import { DevtoolsSession } from './devtools.js' */

/**
 * DevTools sessions with the frames of a target that have processes of their own. Playwright and Puppeteer keep theirs for themselves, so these are over the session of
 * the target, message in message.
 * @param {DevtoolsSession} outer
 * @param {(inner: DevtoolsSession) => Promise<void>} prepare the frame waits for it before it loads
 */
export async function onInnerSessions(outer, prepare) {
  /** @type {Map<string, InnerSession>} */
  const sessions = new Map();
  outer.on('Target.receivedMessageFromTarget', ({ sessionId, message }) =>
    sessions.get(sessionId)?.receive(JSON.parse(message)),
  );
  outer.on('Target.detachedFromTarget', ({ sessionId }) => sessions.delete(sessionId));
  outer.on('Target.attachedToTarget', async ({ sessionId }) => {
    const inner = new InnerSession(outer, sessionId);
    sessions.set(sessionId, inner);
    try {
      await prepare(inner);
      await inner.send('Runtime.runIfWaitingForDebugger');
    } catch {
      // It is gone: nothing else keeps one from being asked.
    }
  });
  const filter = [{ type: 'iframe' }];
  const options = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false, filter };
  await outer.send('Target.setAutoAttach', options);
}

/** @implements {DevtoolsSession} */
class InnerSession {
  #outer;
  #id;
  #sent = 0;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} by message */
  #unanswered = new Map();
  /** @type {Map<string, (event: any) => void>} */
  #listeners = new Map();

  /** @param {DevtoolsSession} outer @param {string} id */
  constructor(outer, id) {
    this.#outer = outer;
    this.#id = id;
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  send(method, params = {}) {
    const id = ++this.#sent;
    const message = JSON.stringify({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#unanswered.set(id, { resolve, reject });
      this.#outer.send('Target.sendMessageToTarget', { sessionId: this.#id, message }).catch(reject);
    });
  }

  /** One listener for each event. @param {string} event @param {(event: any) => void} listener */
  on(event, listener) {
    this.#listeners.set(event, listener);
  }

  detach() {
    return this.#outer.send('Target.detachFromTarget', { sessionId: this.#id });
  }

  /** @param {{id?: number, method?: string, params?: any, result?: any, error?: {message: string}}} message */
  receive({ id, method, params, result, error }) {
    if (id === undefined) return this.#listeners.get(String(method))?.(params);
    const waiting = this.#unanswered.get(id);
    this.#unanswered.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }
}
