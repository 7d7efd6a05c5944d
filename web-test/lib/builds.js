import { instrumentedPages } from './instrumented.js';

/**
 * The ways in which a page can be sampled, all of whose functions have probes.
 * @typedef {object} Build
 * @property {string} name
 * @property {'flag' | 'shadow'} probe
 * @property {{folders: Record<string, string>, isolated: boolean}} serve
 */

/** @type {Build[]} */
export const BUILDS = /** @type {const} */ ([
  ['flag probes', 'flag', true],
  ['shadow probes', 'shadow', true],
  ['flag probes in a page that is not isolated', 'flag', false],
]).map(([name, probe, isolated]) => ({
  name,
  probe,
  serve: { folders: { '/': instrumentedPages(probe) }, isolated },
}));
