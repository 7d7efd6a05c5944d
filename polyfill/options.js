/**
 * `ProfilerInitOptions`, converted as WebIDL says: members in lexicographical order, each read once.
 *
 * @typedef {{maxBufferSize: number, sampleInterval: number}} ProfilerOptions sampleInterval in ms
 */

/** Ticks are 1 ms apart; what is asked for is rounded up to a multiple of it (as runtime/session_group does). */
const BASE_INTERVAL_MS = 1;
const LONGEST_INTERVAL_MS = 2 ** 31 - 1;

/** For the draft's options, where it may be left out: 100 s at 1 ms, 1.6 MB. */
const DEFAULT_MAX_BUFFER_SIZE = 100_000;

/**
 * @param {any} init
 * @param {string} caller for messages
 * @param {{bufferSizeRequired: boolean}} rules
 * @returns {ProfilerOptions}
 */
export function convertOptions(init, caller, { bufferSizeRequired }) {
  if (init === undefined || init === null || (typeof init !== 'object' && typeof init !== 'function')) {
    throw new TypeError(`${caller}: options {sampleInterval, maxBufferSize} are required`);
  }
  const maxBufferSize = init.maxBufferSize;
  if (maxBufferSize === undefined && bufferSizeRequired) {
    throw new TypeError(`${caller}: required member maxBufferSize is undefined`);
  }
  const samples = maxBufferSize === undefined ? DEFAULT_MAX_BUFFER_SIZE : Number(maxBufferSize) >>> 0;
  const sampleInterval = init.sampleInterval;
  if (sampleInterval === undefined) {
    throw new TypeError(`${caller}: required member sampleInterval is undefined`);
  }
  const interval = Number(sampleInterval);
  if (!Number.isFinite(interval)) {
    throw new TypeError(`${caller}: sampleInterval must be a finite number of milliseconds`);
  }
  if (interval < 0) throw new RangeError(`${caller}: sampleInterval must not be negative`);
  return { maxBufferSize: samples, sampleInterval: interval };
}

/** @param {number} intervalMs as asked for @returns {number} as used */
export function usedInterval(intervalMs) {
  const ticks = Math.max(1, Math.ceil(intervalMs / BASE_INTERVAL_MS));
  return Math.min(ticks * BASE_INTERVAL_MS, LONGEST_INTERVAL_MS);
}
