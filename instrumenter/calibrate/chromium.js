import { spawn } from 'node:child_process';
import { groupOf, temporaryFolder } from '../serving/children.js';
import { WorkloadError } from './workload_error.js';

/**
 * A Chromium that is driven over a pipe, by the DevTools protocol: no port, and no package but the browser.
 *
 * @typedef {(params: any, sessionId: string | undefined) => void} Listener
 * @typedef {object} Chromium
 * @property {(method: string, params?: object, sessionId?: string) => Promise<any>} send rejects with the browser's message, a `WorkloadError`
 * @property {(method: string, listener: Listener) => void} on an event
 * @property {Promise<unknown>} gone when it has ended, whatever ended it
 * @property {() => Promise<void>} close when its processes are gone, and what they wrote
 */

/** A process for the next page, and pages for the address bar to unfold, are not made. */
export const NO_SPARE_PAGES =
  '--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup';

/** Nothing is at work beside the pages that are opened. */
export const ALONE = Object.freeze([
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
  '--disable-quic',
  NO_SPARE_PAGES,
]);

const ARGUMENTS = [
  ...ALONE,
  '--headless',
  '--remote-debugging-pipe',
  '--no-default-browser-check',
  // A page in the background would be slowed down.
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
];

/**
 * @param {string} program
 * @returns {Promise<Chromium>} rejects if it does not start
 */
export async function startChromium(program) {
  const profile = temporaryFolder();
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(program, [...ARGUMENTS, ...sandbox, `--user-data-dir=${profile.path}`, 'about:blank'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: profile.path },
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const endProcesses = groupOf(child);

  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, method: string}>} */
  const open = new Map();
  /** @type {Map<string, Listener[]>} */
  const listeners = new Map();
  let nextId = 1;
  const failAll = () => {
    for (const { reject, method } of open.values())
      reject(new WorkloadError(`the browser ended during ${method}`));
    open.clear();
  };
  child.once('close', failAll);
  const [, , , input, output] = /** @type {any[]} */ (child.stdio);
  input.on('error', failAll);

  /** @param {string} text */
  const receive = (text) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(text);
    if (id === undefined) {
      for (const listener of listeners.get(method) ?? []) listener(params, sessionId);
      return;
    }
    const waiting = open.get(id);
    open.delete(id);
    if (error) waiting?.reject(new WorkloadError(`${waiting.method}: ${error.message}`));
    else waiting?.resolve(result);
  };
  /** @type {Buffer[]} */
  let parts = [];
  output.on('data', (/** @type {Buffer} */ chunk) => {
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0)) {
      receive(Buffer.concat([...parts, chunk.subarray(0, end)]).toString());
      parts = [];
      chunk = chunk.subarray(end + 1);
    }
    if (chunk.length > 0) parts.push(chunk);
  });

  return {
    send(method, params = {}, sessionId = undefined) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject, method });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      });
    },
    on(method, listener) {
      listeners.set(method, [...(listeners.get(method) ?? []), listener]);
    },
    gone,
    async close() {
      input.write(`${JSON.stringify({ id: nextId++, method: 'Browser.close' })}\0`);
      const patience = setTimeout(endProcesses, 5000);
      await gone;
      clearTimeout(patience);
      endProcesses();
      profile.release();
    },
  };
}
