import { ownUrl } from './base.js';
import { notSupported } from '../hook/hook.js';

/**
 * What few pages need is in files of its own, which are fetched when they are needed.
 * @param {string} name of a file beside polyprof.js
 * @returns {Promise<any>} rejects with a NotSupportedError
 */
export async function importOwn(name) {
  try {
    return await import(/** @type {any} */ (ownUrl(name)));
  } catch (error) {
    throw notSupported(`${name} did not load: put it beside polyprof.js (${error})`);
  }
}
