import { fetch } from '../loading/fetch.js';
import { notSupported } from '../hook/hook.js';
import { whyNoWorker } from './why_not_loaded.js';

/**
 * Starts a worker whose file the browser takes for none of the page's: it is of another origin, as on a CDN, or comes without the page's
 * Cross-Origin-Embedder-Policy. Its text, in a Blob, has both.
 * @template T
 * @param {URL} url of a script without imports, whose server lets the page read it
 * @param {(copy: URL) => Promise<T>} start resolves when the worker has loaded
 * @param {unknown} cause why it did not start from there: what was thrown, or the worker's error event
 * @returns {Promise<T>} what `start` resolves with; rejects with a NotSupportedError that tells the cause
 */
export async function startFromText(url, start, cause) {
  try {
    return await fromText(url, start);
  } catch {
    throw notSupported(`${url} ${await whyNoWorker(url, cause)}`);
  }
}

/** @template T @param {URL} url @param {(copy: URL) => Promise<T>} start @returns {Promise<T>} */
async function fromText(url, start) {
  const response = await fetch(url);
  if (!response.ok) throw response.status;
  const copy = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  try {
    return await start(new URL(copy));
  } finally {
    URL.revokeObjectURL(copy);
  }
}
