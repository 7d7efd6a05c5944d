import { notSupported } from './hook.js';

/**
 * What samples where no worker can is in a file of its own: a page needs either that or the worker.
 * @param {URL} url of polyprof-self-timed.mjs
 * @returns {Promise<typeof import('./self_timed.js')>} rejects with a NotSupportedError
 */
export async function loadSelfTimed(url) {
  try {
    return await import(new URL(url).href);
  } catch (error) {
    throw notSupported(`${url} did not load: put it beside polyprof.js (${error})`);
  }
}
