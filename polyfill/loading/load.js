import { fetch } from './fetch.js';
import { notSupported } from '../hook/hook.js';
import { loadExtra } from './load_extra.js';
import { Core } from '../../wasm/core.js';

/**
 * Loading of what a session needs beside the polyfill.
 */

/**
 * @param {URL} url of polyprof.wasm
 * @param {WebAssembly.Memory} memory
 * @param {import('../../wasm/core.js').CoreOptions} options
 * @returns {Promise<{module: WebAssembly.Module, core: Core}>} rejects with a NotSupportedError
 */
export async function loadCore(url, memory, ...options) {
  try {
    const response = await fetch(url);
    if (!response.ok) throw response.status;
    const module = await WebAssembly.compile(await response.arrayBuffer());
    // JSC asks the page's policy only now.
    return {
      module,
      core: await Core.create(module, memory, ...options),
    };
  } catch (error) {
    const reason = await loadExtra().then(
      (extra) => extra.whyNoCore(error),
      () => error,
    );
    throw notSupported(`${url} ${reason}`);
  }
}

/**
 * @param {URL} url of polyprof-worker.js; of another origin, or without the page's headers, it is started by its text
 * @param {unknown} start message for it
 * @returns {Promise<Worker>} once it answered `'ready'`; rejects with a NotSupportedError
 */
export async function startWorker(url, start) {
  try {
    return await answering(url, start);
  } catch (error) {
    const { startFromText } = await loadExtra();
    return startFromText(url, (copy) => answering(copy, start), error);
  }
}

/** What makes a script's address one that Trusted Types let pass. @type {{createScriptURL(url: URL): any} | undefined} */
let trust;

/** @param {URL} url of a file of ours @returns {Worker} */
export function newWorker(url) {
  const own = { createScriptURL: String };
  trust ??= /** @type {any} */ (globalThis).trustedTypes?.createPolicy('polyprof', own) ?? own;
  return new Worker(/** @type {any} */ (trust).createScriptURL(url), { name: 'polyprof' });
}

/** A worker that was ended before it started, by page code or the browser, gives no event. */
const START_LIMIT_MS = 30_000;

/** @param {URL} url @param {unknown} start @returns {Promise<Worker>} rejects with what was thrown or answered, or an error event */
async function answering(url, start) {
  const worker = newWorker(url);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return new Promise((resolve, reject) => {
    timer = setTimeout(reject, START_LIMIT_MS, 'no answer');
    worker.onerror = (event) => {
      event.preventDefault();
      reject(event);
    };
    worker.onmessageerror = () => reject('no memory is shared');
    worker.onmessage = ({ data }) => (data === 'ready' ? resolve(worker) : reject(data));
    worker.postMessage(start);
  })
    .catch((error) => {
      worker.terminate();
      throw error;
    })
    .finally(() => clearTimeout(timer));
}
