import { base } from './base.js';

/**
 * What few pages need is in a file of its own, `polyprof-extra.mjs`, which is fetched by the first call.
 * @returns {Promise<typeof import('./extra/index.js')>}
 */
export function loadExtra() {
  return import(new URL('polyprof-extra.mjs', base.url).href);
}
