export { anonymizeUrl, startBeacon } from './beacon.mjs';
export type { Beacon, BeaconOptions } from './beacon.mjs';
