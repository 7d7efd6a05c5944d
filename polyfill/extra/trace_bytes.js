import { gzipSync } from 'fflate';
import { base as ownBase, ownUrl } from '../loading/base.js';
import { startFromText } from './start_from_text.js';

/**
 * The draft's forms of a trace.
 * @param {Uint8Array | object} trace a ProfilerTrace, or its JSON in UTF-8
 * @param {'json' | 'json-gzip'} format
 * @param {URL} base the folder of our files
 * @param {((url: URL) => Worker) | false} newWorker
 * @returns {Promise<ArrayBuffer>} compressed by a worker, away from the page's thread, if the page can have one
 */
export async function traceBytes(trace, format, base, newWorker) {
  ownBase.url = base;
  const json = trace instanceof Uint8Array ? trace : new TextEncoder().encode(JSON.stringify(trace));
  const bytes = format === 'json' ? json.slice() : await gzipped(json, newWorker);
  return /** @type {ArrayBuffer} */ (bytes.buffer);
}

/** @param {Uint8Array} json @param {((url: URL) => Worker) | false} newWorker @returns {Promise<Uint8Array>} */
async function gzipped(json, newWorker) {
  const here = () => gzipSync(json);
  if (!newWorker) return here();
  const url = ownUrl('polyprof-gzip.js');
  const inWorker = async (/** @type {URL} */ from) => answerOf(newWorker(from), json);
  return inWorker(url)
    .catch((error) => startFromText(url, inWorker, error))
    .catch(here);
}

/** @param {Worker} worker @param {Uint8Array} json @returns {Promise<Uint8Array>} rejects when there is no such worker */
function answerOf(worker, json) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(event);
    };
    worker.postMessage(json);
  }).finally(() => worker.terminate());
}
