import { Beacon } from './beacon.js';
import { convertBeaconOptions } from './options.js';
import { sessionOf } from './session.js';

// `dist/polyprof-beacon.js`: field profiling, docs/field-profiling.md.
export { anonymizeUrl } from './anonymize_url.js';

/**
 * Profiles some visitors of the page, some of the time, and sends the traces.
 * @param {import('./options.js').BeaconOptions} options
 * @returns {Beacon} at work already if this session is one of those that are profiled
 * @throws {TypeError | RangeError} an option is wrong, or this is no page; whatever else goes wrong is for `options.onError`
 */
export function startBeacon(options) {
  if (!globalThis.document) throw new TypeError('startBeacon: call it in a page, not in a worker');
  const settings = convertBeaconOptions(options);
  return new Beacon(settings, sessionOf(settings.sessionRate));
}
