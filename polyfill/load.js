import { notSupported } from './hook.js';
import { Core } from '../wasm/core.js';

/**
 * Loading of what a session needs beside the polyfill. Each failure says which address or directive is to blame.
 */

/**
 * @param {URL} url of polyprof.wasm
 * @param {WebAssembly.Memory} memory
 * @param {number} epochMs time of tick 0, ms since the page's time origin
 * @param {boolean} jitter
 * @returns {Promise<{module: WebAssembly.Module, core: Core}>}
 */
export async function loadCore(url, memory, epochMs, jitter) {
  const bytes = await fetchBytes(url);
  try {
    const module = await WebAssembly.compile(bytes);
    // JSC asks the page's policy only now.
    return { module, core: await Core.create(module, memory, epochMs, jitter) };
  } catch (error) {
    const forbidden = error instanceof WebAssembly.CompileError || error instanceof EvalError;
    const advice = forbidden
      ? ": a Content-Security-Policy must have 'wasm-unsafe-eval' in its script-src"
      : '';
    throw notSupported(`${url} could not be made to run (${message(error)})${advice}`);
  }
}

/** @param {URL} url */
async function fetchBytes(url) {
  let response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw notSupported(
      `${url} could not be fetched (${message(error)}): is it beside polyprof.js, and does the Content-Security-Policy's connect-src allow it?`,
    );
  }
  if (!response.ok) throw notSupported(`${url} answered ${response.status}: put it beside polyprof.js`);
  return response.arrayBuffer();
}

/**
 * @param {URL} url of polyprof-worker.js
 * @param {unknown} start message for it
 * @returns {Promise<Worker>} once it answered `'ready'`
 */
export async function startWorker(url, start) {
  let worker;
  try {
    worker = new Worker(url, { name: 'polyprof' });
  } catch (error) {
    throw await workerBlocked(url, message(error));
  }
  try {
    await firstAnswer(worker, start);
  } catch (error) {
    worker.terminate();
    throw error instanceof ErrorEvent || error instanceof Event
      ? await workerBlocked(url, /** @type {any} */ (error).message)
      : notSupported(`the worker ${url} failed to start: ${message(error)}`);
  }
  return worker;
}

/** @param {Worker} worker @param {unknown} start @returns {Promise<void>} */
function firstAnswer(worker, start) {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => {
      event.preventDefault();
      reject(event);
    };
    worker.onmessageerror = () => reject(new Error('the page and its worker do not share memory'));
    worker.onmessage = ({ data }) => (data === 'ready' ? resolve() : reject(new Error(data)));
    worker.postMessage(start);
  });
}

/** The error event says nothing of its cause; asking for the script tells a missing file from a forbidden one. @param {URL} url @param {string | undefined} detail */
async function workerBlocked(url, detail) {
  const answer = await fetch(url).then(
    (response) => (response.ok ? '' : `it answered ${response.status}`),
    (error) => message(error),
  );
  const reason =
    answer ||
    `the Content-Security-Policy must allow it in worker-src, and it must be of the page's origin and have the page's Cross-Origin-Embedder-Policy`;
  return notSupported(`the worker ${url} could not be started: ${reason}${detail ? ` (${detail})` : ''}`);
}

/** On one line: JSC's messages end in a line break. @param {unknown} error */
function message(error) {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
}
