/**
 * Functions without probes.
 *
 * @typedef {Record<string, number>} Skipped how many, by the reason (docs/probes.md)
 */

/** What takes in those that are too small, as options are written where the message is read. */
export const TAKE_SMALL = { inCode: 'minWeight: 0', onCommandLine: '--min-weight 0' };

/** How reasons are said; others follow a `for`. @type {Record<string, string>} */
const PHRASES = {
  light: 'as too small',
  budget: 'for the budget',
  ignored: 'as ignored',
  excluded: 'as excluded',
  empty: 'as empty',
  'turned into text': 'as turned into text',
  'class initialiser': 'as class initialisers',
  'implicit constructor': 'as implicit constructors',
};

/** @param {Iterable<Skipped>} parts @returns {Skipped} */
export function addSkipped(parts) {
  /** @type {Skipped} */
  const sum = {};
  for (const part of parts)
    for (const [reason, count] of Object.entries(part)) sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}

/** @param {Skipped} skipped @param {string} takeSmall of `TAKE_SMALL` @returns {string} the most frequent reason first; empty: there are none */
export function skippedText(skipped, takeSmall) {
  return Object.entries(skipped)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count], i) => {
      const hint = reason === 'light' ? ` (${takeSmall} takes them)` : '';
      return `${count}${i === 0 ? ' left out' : ''} ${PHRASES[reason] ?? `for ${reason}`}${hint}`;
    })
    .join(', ');
}
