import { errorToExpect } from './distance.js';

/** What shares of time by the page's clock and by samples have in common, as cells of tables. */

/** @import { Kind, Share } from './clock_shares.js' */

/** @param {Share | undefined} share none of functions that are not seen there; `v8`: NaN where it did not watch */
export function cell(share) {
  if (!share) return '—';
  const { clock, ours, v8 } = share;
  return `${percent(clock)} (${percent(ours)}${Number.isNaN(v8) ? '' : `, ${percent(v8)}`})`;
}

/** @param {number} share */
function percent(share) {
  return (100 * share).toFixed(1);
}

/** @param {Kind} kind */
export function meanErrors({ shares, samples, steps }) {
  const all = [...shares.values()];
  const ours = errorOf(all, (share) => Math.abs(share.ours - share.clock));
  const v8 = errorOf(all, (share) => Math.abs(share.v8 - share.clock));
  const noise = errorOf(all, ({ clock }) => errorToExpect(clock, 1 / samples + 1 / steps));
  return `${ours} (${noise})${v8 === 'NaN' ? '' : `, ${v8}`}`;
}

/** @param {Kind} truth @param {Kind} other @param {(share: Share) => number} what of it is compared with the clock of the first */
export function farFromClock(truth, other, what) {
  const both = [...truth.shares].flatMap(([id, { clock }]) => {
    const share = other.shares.get(id);
    return share ? [{ clock, seen: what(share) }] : [];
  });
  return errorOf(both, ({ clock, seen }) => Math.abs(seen - clock));
}

/** @template {{clock: number}} T @param {T[]} shares @param {(share: T) => number} error of one @returns {string} of all, in % of their time by the clock */
export function errorOf(shares, error) {
  const sum = (/** @type {(share: T) => number} */ what) =>
    shares.reduce((total, share) => total + what(share), 0);
  return percent(sum(error) / sum(({ clock }) => clock));
}
