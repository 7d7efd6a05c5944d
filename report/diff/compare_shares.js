// @ts-expect-error -- it has no types
import jstat from 'jstat';
import { BuildFiles, pathOf } from './build_files.js';
import { locationKey } from '../traces/location.js';
import { PathTrie } from '../traces/path_trie.js';
import { idsIn, ShareCounts } from './share_counts.js';
import { MIN_SAMPLES, Spreads } from './share_spreads.js';

/** @import { Location } from '../traces/location.js' */
/** @import { Counts, Run, SideCounts } from './share_counts.js' */
/** @import { Spread } from './share_spreads.js' */

/** Student's: where a share `p` lies below. @type {(p: number, degreesOfFreedom: number) => number} */
const quantileOfT = jstat.studentt.inv;

/** Files with less of the time come and go with what a program does. */
const MUCH = 0.05;

/** So much of a path's change in one callee is the callee's. */
const EXPLAINED = 0.8;

/**
 * @typedef {object} Change of a share of the time that was not idle
 * @property {Location} location
 * @property {Location[]} path its callers and itself, outermost first; of a function: itself alone
 * @property {number} base share before, 0 to 1
 * @property {number} next share after
 * @property {number} change `next - base`
 * @property {number} margin the true change is within `change ± margin`, for all changes of the comparison together
 *
 * @typedef {object} Comparison
 * @property {Change[]} functions own time, not of callees; growth first, the largest at the top; then what shrank
 * @property {Change[]} paths time with all callees; without those that one of their callees explains
 * @property {TimeChange | null} time that was not idle; null: a side has one run
 * @property {number} compared functions and paths that had enough samples
 * @property {number} resolution in half of what was compared this change or a larger one would have been seen
 * @property {FileShare[]} strangers a file that only base has and one that only next has, those with most of the time, where both have much:
 *   perhaps one, whose path changed; else none
 * @property {{runs: number, samples: number}} base samples: that have a stack
 * @property {{runs: number, samples: number}} next
 *
 * @typedef {{file: string, share: number}} FileShare own time of all its functions, 0 to 1
 *
 * @typedef {object} TimeChange
 * @property {number} base ms per run before, in the mean
 * @property {number} next ms per run after
 * @property {number} change `next / base - 1`
 * @property {number} margin the true change is within `change ± margin`, for this one alone
 */

/**
 * Which functions and paths take another share of the time than before. Functions of two builds are the same when name and file are. So those
 * of a file that have no name are one.
 */
export class ShareComparison {
  #trie = new PathTrie();
  #base = new ShareCounts(this.#trie, identity);
  #next = new ShareCounts(this.#trie, identity);
  #files = new BuildFiles();

  /** @param {Run} run */
  addBase(...run) {
    this.#add(this.#base, run);
  }

  /** @param {Run} run */
  addNext(...run) {
    this.#add(this.#next, run);
  }

  /** @param {ShareCounts} side @param {Run} run */
  #add(side, run) {
    side.add(run);
    this.#files.add(run.flatMap(({ trace }) => trace.resources));
  }

  /** @param {number} [confidence] that there is no false news at all, 0 to 1 @returns {Comparison} */
  result(confidence = 0.95) {
    const trie = new PathTrie();
    const ids = idsIn(trie, this.#trie, (location) => ({
      ...location,
      file: this.#files.nameOf(location.file),
    }));
    const base = this.#base.renumbered(ids);
    const next = this.#next.renumbered(ids);
    const functions = candidates(base.functions, next.functions);
    const paths = candidates(base.paths, next.paths);
    const compared = functions.length + paths.length;
    // Bonferroni: however the candidates hang together, the chance of any false news stays below.
    const tail = (1 - confidence) / 2 / Math.max(compared, 1);
    const baseSpread = new Spreads(base);
    const nextSpread = new Spreads(next);
    const changeOf = (/** @type {Counts | undefined} */ before, /** @type {Counts | undefined} */ after) => {
      const baseShare = share(before, base);
      const nextShare = share(after, next);
      const margin = marginOf(baseSpread.of(before), nextSpread.of(after), tail);
      return { base: baseShare, next: nextShare, change: nextShare - baseShare, margin };
    };
    const functionChanges = functions.map((id) => {
      const location = trie.locations[id];
      return { location, path: [location], ...changeOf(base.functions[id], next.functions[id]) };
    });
    /** @type {Map<number, ReturnType<typeof changeOf>>} */
    const pathChanges = new Map(paths.map((id) => [id, changeOf(base.paths[id], next.paths[id])]));
    const margins = [...functionChanges, ...pathChanges.values()]
      .map(({ margin }) => margin)
      .sort((a, b) => a - b);
    return {
      functions: functionChanges.filter(isNews).sort(bySize),
      paths: unexplained(trie, pathChanges).sort(bySize),
      time: timeChange(base.runMs, next.runMs, (1 - confidence) / 2),
      compared,
      resolution: margins[margins.length >> 1] ?? 0,
      strangers: strangers(trie.locations, base, next),
      base: { runs: base.runs, samples: base.samples },
      next: { runs: next.runs, samples: next.samples },
    };
  }
}

/** Chosen without a look at what differs: else the choice would be news itself. @param {Counts[]} before @param {Counts[]} after */
function candidates(before, after) {
  const ids = Array.from({ length: Math.max(before.length, after.length) }, (_, id) => id);
  return ids.filter((id) => (before[id]?.samples ?? 0) + (after[id]?.samples ?? 0) >= MIN_SAMPLES);
}

/** @param {PathTrie} trie @param {Map<number, Omit<Change, 'location' | 'path'>>} changes by node @returns {Change[]} */
function unexplained(trie, changes) {
  const explained = new Set();
  for (const [node, change] of changes) {
    const caller = trie.parents[node];
    const above = changes.get(caller);
    if (above && isNews(change) && change.change / above.change >= EXPLAINED) explained.add(caller);
  }
  return [...changes]
    .filter(([node, change]) => isNews(change) && !explained.has(node))
    .map(([node, change]) => {
      const path = trie.path(node).map((id) => trie.locations[id]);
      return { location: path[0], path: path.reverse(), ...change };
    });
}

/** @param {Location[]} locations by function @param {SideCounts} base @param {SideCounts} next @returns {FileShare[]} */
function strangers(locations, base, next) {
  const [before, after] = [base, next].map((side) => shareByFile(locations, side));
  const strangers = [alone(before, after), alone(after, before)];
  return strangers.every(({ share }) => share > MUCH) ? strangers : [];
}

/** @param {Location[]} locations by function @param {SideCounts} side @returns {Map<string, number>} */
function shareByFile(locations, side) {
  /** @type {Map<string, number>} */
  const shares = new Map();
  side.functions.forEach((counts, id) => {
    const { file } = locations[id];
    shares.set(file, (shares.get(file) ?? 0) + share(counts, side));
  });
  return shares;
}

/** Lines move with every change. @param {Location} location @returns {Location} */
function identity({ name, file }) {
  return { name, file: pathOf(file), line: undefined, column: undefined };
}

/** @param {Map<string, number>} shares by file @param {Map<string, number>} others @returns {FileShare} the largest one that the others do not have */
function alone(shares, others) {
  let most = { file: '', share: 0 };
  for (const [file, share] of shares) if (share > most.share && !others.has(file)) most = { file, share };
  return most;
}

/** @param {Counts | undefined} counts @param {SideCounts} side */
function share(counts, side) {
  return side.samples === 0 ? 0 : (counts?.samples ?? 0) / side.samples;
}

/**
 * @param {number[]} before ms of each run
 * @param {number[]} after
 * @param {number} tail
 * @returns {TimeChange | null} null: there are too few runs, or too few samples in those before
 */
function timeChange(before, after, tail) {
  if (before.length < 2 || after.length < 2) return null;
  const [base, next] = [jstat.mean(before), jstat.mean(after)];
  if (base === 0) return null;
  const margin = marginOf(spreadOfMean(before), spreadOfMean(after), tail);
  return { base, next, change: next / base - 1, margin: margin / base };
}

/** @param {number[]} values at least two @returns {Spread} */
function spreadOfMean(values) {
  return { variance: jstat.variance(values, true) / values.length, freedom: values.length - 1 };
}

/** Welch's interval of a difference. @param {Spread} a @param {Spread} b @param {number} tail on each side */
function marginOf(a, b, tail) {
  const both = a.variance + b.variance;
  if (both === 0) return 0;
  const freedom = both ** 2 / (a.variance ** 2 / a.freedom + b.variance ** 2 / b.freedom);
  return quantileOfT(1 - tail, freedom) * Math.sqrt(both);
}

/** @param {{change: number, margin: number}} change more than chance explains */
export function isNews({ change, margin }) {
  return Math.abs(change) > margin;
}

/** Growth first. @param {Change} a @param {Change} b */
function bySize(a, b) {
  return Number(b.change > 0) - Number(a.change > 0) || Math.abs(b.change) - Math.abs(a.change) || tie(a, b);
}

/** @param {Change} a @param {Change} b */
function tie(a, b) {
  return locationKey(a.location) < locationKey(b.location) ? -1 : 1;
}
