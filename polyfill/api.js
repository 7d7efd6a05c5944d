import { sendOnHide, watch } from './extra.js';
import { install } from './install.js';
import { base } from './profiler.js';

export const version = '0.1.0';

/** @typedef {{version: string, install: typeof install, sendOnHide: typeof sendOnHide, watch: typeof watch}} Polyprof */

/**
 * Installs the polyfill in this realm, once: a second copy of the script gives back what the first one made.
 * @param {URL | undefined} scriptUrl of the script that is loading; the worker and the core are beside it
 * @returns {Polyprof}
 */
export function setUp(scriptUrl) {
  const realm = /** @type {any} */ (globalThis);
  if (realm.polyprof?.version !== undefined) return realm.polyprof;
  base.url = scriptUrl;
  install();
  const api = Object.freeze({ version, install, sendOnHide, watch });
  Object.defineProperty(realm, 'polyprof', { value: api, configurable: true, writable: true });
  return api;
}
