import { formatCount } from '../numbers.js';

/** @import { Profile } from '../formats/formats.js' */

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
 * @property {string} [id] of this trace
 * @property {string} [run] what the traces of one run, of a page, its workers and its frames, have in common
 * @property {string} [session] what the traces of one visit have in common
 * @property {string} [received] when, by `polyprof collect`: ISO 8601, UTC
 * @property {Record<string, string>} [tags] what the site says of itself, such as its release
 */

const TEXTS = /** @type {const} */ ([
  'id',
  'run',
  'session',
  'url',
  'userAgent',
  'engine',
  'mode',
  'received',
]);
const NUMBERS = /** @type {const} */ (['sampleInterval', 'timeOrigin']);
const LISTS_OF_TEXTS = /** @type {const} */ (['debugIds', 'tags']);

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
  const losses = membersOf(value.losses, Number.isFinite);
  if (losses) details.losses = losses;
  for (const key of LISTS_OF_TEXTS) {
    const texts = membersOf(value[key], (text) => typeof text === 'string');
    if (texts) details[key] = texts;
  }
  return details;
}

/** @param {unknown} value @param {(member: unknown) => boolean} isKept @returns {Record<string, any> | undefined} if it has any */
function membersOf(value, isKept) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value).filter(([, member]) => isKept(member));
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** @param {Profile} profile @returns {string[]} a line per detail; counters that stayed at 0 say nothing */
export function describeDetails({ name, details = {} }) {
  const known = [...TEXTS, ...NUMBERS].filter((key) => details[key] !== undefined);
  return [
    `trace: ${name}`,
    ...known.map((key) => `${key}: ${details[key]}`),
    ...Object.entries(details.tags ?? {}).map(([tag, text]) => `${tag}: ${text}`),
    ...Object.entries(details.losses ?? {})
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => `${reason}: ${formatCount(count)}`),
  ];
}
