import { isNews } from './compare_shares.js';
import { formatPlace } from '../traces/location.js';
import { formatCount } from '../numbers.js';
import { printable } from '../terminal/terminal.js';

/** @import { Change, Comparison } from './compare_shares.js' */

/** Left of the names. */
const NUMBERS = 'base %   new %  points           ';

/**
 * What changed, in lines for a terminal.
 * @param {Comparison} comparison
 * @param {{rows?: number, confidence: number, width?: number}} options `rows` of functions and of paths; `confidence`: 0 to 1; `width`:
 *   columns of the terminal, in which call paths have to fit; fewer than 60 count as 60
 * @returns {string}
 */
export function formatDiff(
  { functions, paths, time, compared, resolution, strangers, base, next },
  { rows = 20, confidence, width = 100 },
) {
  const lines = [
    ...section('own time of functions', functions, rows, (change) => nameAndPlace(change)),
    ...section('time of call paths', paths, rows, ({ path }) =>
      clipMiddle(path.map(({ name }) => name).join(' > '), Math.max(width, 60) - NUMBERS.length),
    ),
  ];
  if (lines.length === 0) lines.push('no function and no path takes another share of the time');
  const sides = (/** @type {'runs' | 'samples'} */ what) =>
    `${formatCount(base[what])} and ${formatCount(next[what])} ${what}`;
  lines.push(
    `${sides('runs')}, ${sides('samples')}; ${formatCount(compared)} functions and paths compared`,
    `all of this is so with ${certainty(confidence)}; in half of what was compared a change of ${points(resolution)} points or more would have been seen`,
  );
  if (time) lines.push(timeLine(time, confidence));
  if (base.runs < 2 || next.runs < 2) {
    lines.push('a side has a single run: more runs show how much runs differ anyway');
  }
  if (strangers.length > 0) {
    const [before, now] = strangers.map(({ file, share }) => `${file} (${points(share)} %)`);
    lines.push(
      `${before} is in the base alone, ${now} in the new one: the same file needs the same path in both`,
    );
  }
  return lines.map((line) => `${printable(line)}\n`).join('');
}

/** @param {import('./compare_shares.js').TimeChange} time @param {number} confidence */
function timeLine(time, confidence) {
  const { base, next, change, margin } = time;
  const sign = change > 0 ? '+' : '';
  const verdict = isNews(time) ? (change > 0 ? 'slower' : 'faster') : 'no more than chance';
  return (
    `${base.toFixed(1)} and ${next.toFixed(1)} ms of a run were not idle: ${sign}${points(change)} % ± ${points(margin)}, ` +
    `${verdict} (by itself with ${certainty(confidence)})`
  );
}

/** As it was asked for, without what doubles add. @param {number} confidence */
function certainty(confidence) {
  return `${Number((100 * confidence).toPrecision(12))} % certainty`;
}

/** @param {string} title @param {Change[]} changes @param {number} rows @param {(change: Change) => string} describe */
function section(title, changes, rows, describe) {
  if (changes.length === 0) return [];
  const lines = [`${NUMBERS}${title}`];
  for (const change of changes.slice(0, rows)) {
    const sign = change.change > 0 ? '+' : '';
    const shares = `${points(change.base).padStart(6)}  ${points(change.next).padStart(6)}`;
    const difference = `${sign}${points(change.change)} ± ${points(change.margin)}`;
    lines.push(`${shares}  ${difference.padEnd(15)}  ${describe(change)}`);
  }
  if (changes.length > rows) lines.push(`                ${formatCount(changes.length - rows)} more`);
  lines.push('');
  return lines;
}

/** Who called first and who was called last say the most of a path. @param {string} text @param {number} width */
function clipMiddle(text, width) {
  if (text.length <= width) return text;
  const start = Math.floor((width - 1) / 2);
  return `${text.slice(0, start)}…${text.slice(start + 1 - width)}`;
}

/** @param {Change} change */
export function nameAndPlace({ location }) {
  const place = formatPlace(location);
  return place ? `${location.name}  ${place}` : location.name;
}

/** @param {number} share 0 to 1 @returns {string} points of per cent */
export function points(share) {
  return (100 * share).toFixed(2);
}
