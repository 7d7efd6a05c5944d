import { newWorker } from '../loading/load.js';
import { loadExtra } from '../loading/load_extra.js';
import { settings } from '../settings.js';
import { base } from '../loading/base.js';

/**
 * @param {Promise<Uint8Array | object>} ended the ProfilerTrace, as JSON or as it is
 * @param {import('./options.js').Format} [format]
 * @returns {Promise<object>} the ProfilerTrace; with a format its bytes, an ArrayBuffer
 */
export async function asFormat(ended, format) {
  const trace = await ended;
  if (format) {
    const { traceBytes } = await loadExtra();
    return traceBytes(trace, format, /** @type {URL} */ (base.url), settings.worker && newWorker);
  }
  return trace instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(trace)) : trace;
}
