import { formatCount } from './numbers.js';

/** @import { Profile } from './formats.js' */

/**
 * What is known about a trace beside it; all of it optional. What is sent with a trace under these names is kept.
 *
 * @typedef {object} Details
 * @property {string} [url] of the page
 * @property {string} [userAgent]
 * @property {string} [engine]
 * @property {string} [mode] who sampled, and how: `native`, `flag` or `shadow`
 * @property {number} [sampleInterval] ms
 * @property {Record<string, string>} [debugIds] of scripts, by address
 * @property {number} [timeOrigin] of the page, ms since 1970
 * @property {Record<string, number>} [losses] docs/counters.md
 */

const TEXTS = /** @type {const} */ (['url', 'userAgent', 'engine', 'mode']);
const NUMBERS = /** @type {const} */ (['sampleInterval', 'timeOrigin']);

/** @param {Record<string, unknown>} value that may have details among its members @returns {Details} those that are well-formed */
export function detailsOf(value) {
  /** @type {Details} */
  const details = {};
  for (const key of TEXTS) {
    const text = value[key];
    if (typeof text === 'string') details[key] = text;
  }
  for (const key of NUMBERS) {
    const number = value[key];
    if (typeof number === 'number' && Number.isFinite(number)) details[key] = number;
  }
  if (typeof value.losses === 'object' && value.losses !== null) {
    const losses = Object.entries(value.losses).filter(([, count]) => Number.isFinite(count));
    if (losses.length > 0) details.losses = Object.fromEntries(losses);
  }
  return details;
}

/** @param {Profile} profile @returns {string[]} a line per detail; counters that stayed at 0 say nothing */
export function describeDetails({ name, details = {} }) {
  const known = [...TEXTS, ...NUMBERS].filter((key) => details[key] !== undefined);
  return [
    `trace: ${name}`,
    ...known.map((key) => `${key}: ${details[key]}`),
    ...Object.entries(details.losses ?? {})
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${reason}: ${formatCount(count)}`),
  ];
}
