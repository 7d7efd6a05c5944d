import { anonymizeUrl } from './anonymize_url.js';

/**
 * @typedef {object} BeaconOptions
 * @property {string | URL} url where to POST traces
 * @property {number} [sessionRate] share of sessions that are profiled, 0 to 1; 1 by default
 * @property {number} [window] ms that are profiled at a time; 5,000 by default
 * @property {number} [every] ms from one window to the next; 60,000 by default. As long as a window: without a gap
 * @property {'random' | 'now'} [start] of the first window: at a random point of `every`, so that any moment of a visit is as likely to be
 *   seen as any other, or at once
 * @property {number} [sampleInterval] ms; 10 by default
 * @property {boolean} [gzip] true by default
 * @property {number} [maxBytes] of one request before it is packed; longer traces are sent in parts. 60,000 by default, since browsers
 *   take 64 kB from a page that closes
 * @property {number} [queueBytes] that wait for the network at most; the oldest give way, the newest not before it was tried. 500,000 by default
 * @property {Record<string, string>} [tags] sent with each trace
 * @property {(url: string, kind: 'page' | 'script') => string} [anonymizeUrl] in place of ours
 * @property {(error: unknown) => void} [onError] why nothing is profiled or sent
 */

/** @typedef {Required<BeaconOptions> & {url: string}} BeaconSettings */

const RANDOM = 'random';

/** @param {BeaconOptions} options @returns {BeaconSettings} */
export function convertBeaconOptions(options) {
  if (typeof options?.url !== 'string' && !(options?.url instanceof URL)) {
    throw new TypeError('startBeacon: url must be an address to send traces to');
  }
  const settings = {
    sessionRate: 1,
    window: 5000,
    every: 60_000,
    start: /** @type {'random' | 'now'} */ (RANDOM),
    sampleInterval: 10,
    gzip: true,
    maxBytes: 60_000,
    queueBytes: 500_000,
    tags: {},
    anonymizeUrl,
    onError: () => {},
    ...withoutUndefined(options),
    url: new URL(options.url, globalThis.document?.baseURI).href,
  };
  inRange('sessionRate', settings.sessionRate, 0, 1);
  inRange('window', settings.window, 100, 2 ** 31 - 1);
  inRange('every', settings.every, settings.window, 2 ** 31 - 1);
  inRange('sampleInterval', settings.sampleInterval, 0, 2 ** 31 - 1);
  inRange('maxBytes', settings.maxBytes, 1000, 2 ** 31 - 1);
  inRange('queueBytes', settings.queueBytes, 0, 2 ** 31 - 1);
  if (settings.start !== RANDOM && settings.start !== 'now') {
    throw new TypeError("startBeacon: start must be 'random' or 'now'");
  }
  for (const name of /** @type {const} */ (['anonymizeUrl', 'onError'])) {
    if (typeof settings[name] !== 'function') {
      throw new TypeError(`startBeacon: ${name} must be a function`);
    }
  }
  return { ...settings, onError: harmless(settings.onError) };
}

/** @param {BeaconSettings['onError']} onError @returns {BeaconSettings['onError']} what it throws is for the page to report, and nothing to the beacon */
function harmless(onError) {
  return (error) => {
    try {
      onError(error);
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  };
}

/** @param {object} options */
function withoutUndefined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** @param {string} name @param {unknown} value @param {number} least @param {number} most */
function inRange(name, value, least, most) {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    throw new RangeError(`startBeacon: ${name} must be a number from ${least} to ${most}`);
  }
}
