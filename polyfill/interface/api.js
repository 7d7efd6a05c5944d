import { define } from '../define.js';
import { base } from '../loading/base.js';
import { sendOnHide, watch } from './extra.js';
import { install, native } from './install.js';
import { forceSample } from '../sampling/shared_sampler.js';
import { version } from '../version.js';

export { version };

/**
 * @typedef {{version: string, native: unknown, install: typeof install, forceSample: typeof forceSample,
 *   sendOnHide: typeof sendOnHide, watch: typeof watch}} Polyprof
 */

/**
 * Installs the polyfill in this realm, once: a second copy of the script gives back what the first one made. Of two versions the
 * older one steps back.
 * @param {URL | undefined} scriptUrl of the script that is loading; the worker and the core are beside it
 * @param {Parameters<typeof install>[0]} [options]
 * @returns {Polyprof}
 */
export function setUp(scriptUrl, options) {
  const realm = /** @type {any} */ (globalThis);
  const other = realm.polyprof?.version;
  if (other === version) return realm.polyprof;
  if (other !== undefined) {
    const isOlder = other.localeCompare(version, 'en', { numeric: true }) < 0;
    const [older, newer] = isOlder ? [other, version] : [version, other];
    // eslint-disable-next-line no-console
    console.warn(`polyprof ${older} steps back: the page loads ${newer}`);
    if (!isOlder) return realm.polyprof;
  }
  base.url = scriptUrl;
  install(options);
  const api = Object.freeze({ version, native, install, forceSample, sendOnHide, watch });
  define(realm, 'polyprof', api);
  return api;
}
