import { parentPort, workerData } from 'node:worker_threads';

/**
 * The polyfill's worker in a thread of Node's, with a clock of the test's: an Int32Array of what the clock says, whether the worker is to be stopped after its next look
 * at it for what is due, and whether it is.
 */
export const NOW = 0;
export const HOLD = 1;
export const HELD = 2;

/** While a session runs it looks for what is due, then for how long to wait, and so on. */
let looks = 0;

/** @param {Int32Array} control @returns {number} */
function look(control) {
  const now = Atomics.load(control, NOW);
  if (looks++ % 2 === 0 && Atomics.load(control, HOLD) === 1) {
    Atomics.store(control, HELD, 1);
    Atomics.wait(control, HOLD, 1);
  }
  return now;
}

if (parentPort) {
  const port = parentPort;
  const now = () => look(workerData);
  Object.defineProperty(globalThis, 'performance', { value: { now, timeOrigin: 0 } });
  const realm = /** @type {any} */ (globalThis);
  Object.assign(realm, {
    onmessage: undefined,
    postMessage: (/** @type {unknown} */ message) => port.postMessage(message),
    close: () => port.close(),
  });
  await import('../../../polyfill/worker/main.js');
  port.on('message', (data) => realm.onmessage({ data }));
}
