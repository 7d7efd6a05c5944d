// @ts-expect-error -- it has no types
import jstat from 'jstat';
import { BuildFiles, pathOf } from './build_files.js';
import { locationKey } from './location.js';
import { PathTrie } from './path_trie.js';
import { BLOCKS, idsIn, ShareCounts } from './share_counts.js';

/** @import { ProfilerTrace } from './check_trace.js' */
/** @import { Location } from './location.js' */
/** @import { Counts, SideCounts } from './share_counts.js' */

/** Student's: where a share `p` lies below. @type {(p: number, degreesOfFreedom: number) => number} */
const quantileOfT = jstat.studentt.inv;

/** With fewer samples on both sides together nothing can be said, and not asking leaves more certainty for the rest. */
const MIN_SAMPLES = 20;

/** Functions differ: what is usual for all of them is worth this many degrees of freedom at most, beside a function's own few traces. */
const PRIOR_FREEDOM = 10;

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
 * @property {number} resolution half of what was compared would show from this change on
 * @property {FileShare[]} strangers a file that only base has and one that only next has, those with most of the time, where both have much:
 *   perhaps one, whose path changed; else none
 * @property {{traces: number, samples: number}} base samples: that have a stack
 * @property {{traces: number, samples: number}} next
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

  /** @param {ProfilerTrace[]} traces of one run */
  addBase(...traces) {
    this.#add(this.#base, traces);
  }

  /** @param {ProfilerTrace[]} traces of one run */
  addNext(...traces) {
    this.#add(this.#next, traces);
  }

  /** @param {ShareCounts} side @param {ProfilerTrace[]} traces */
  #add(side, traces) {
    side.add(traces);
    this.#files.add(traces.flatMap(({ resources }) => resources));
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
      base: { traces: base.traces, samples: base.samples },
      next: { traces: next.traces, samples: next.samples },
    };
  }
}

/** Chosen without a look at what differs: else the choice would be news itself. @param {Counts[]} before @param {Counts[]} after */
function candidates(before, after) {
  const ids = Array.from({ length: Math.max(before.length, after.length) }, (_, id) => id);
  return ids.filter((id) => (before[id]?.samples ?? 0) + (after[id]?.samples ?? 0) >= MIN_SAMPLES);
}

/** @param {PathTrie} trie @param {Map<number, Omit<Change, 'location' | 'path'>>} changes by node @returns {Change[]} */
function unexplained({ parents, functions, locations }, changes) {
  const explained = new Set();
  for (const [node, change] of changes) {
    const above = changes.get(parents[node]);
    if (above && isNews(change) && change.change / above.change >= EXPLAINED) explained.add(parents[node]);
  }
  return [...changes]
    .filter(([node, change]) => isNews(change) && !explained.has(node))
    .map(([node, change]) => {
      const path = [];
      for (let each = node; each !== -1; each = parents[each]) path.push(locations[functions[each]]);
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

/** @typedef {{variance: number, freedom: number}} Spread of a share; freedom: degrees of, of the estimate */

/** How much shares vary on one side. */
class Spreads {
  #side;
  /** Beyond what samples explain: variance from trace to trace, as a part of `unsteadyVariance`; the same for all functions. */
  #betweenTraces = 0;
  /** What of the variance within a trace is none: phases of a program that all traces have alike make neighbours differ, too. */
  #byChance = 1;
  /** Degrees of freedom of what is usual: few functions in few traces show little of it. */
  #priorFreedom = 0;

  /** @param {SideCounts} side */
  constructor(side) {
    this.#side = side;
    const { traces, samples } = side;
    const seen = side.functions.filter((counts) => counts.samples >= MIN_SAMPLES);
    if (traces < 2 || seen.length === 0) return;
    const across = sum(seen.map((counts) => this.#acrossTraces(counts)));
    const within = sum(seen.map((counts) => this.#withinTrace(counts).variance));
    if (across > within) {
      const unsteady = sum(seen.map((counts) => unsteadyVariance(counts.samples / samples)));
      this.#betweenTraces = ((across - within) * traces) / unsteady;
    } else this.#byChance = across / within;
    // What one function gains, others lose: there is one less of them that varies by itself.
    const independent = effectiveSize(seen.map((counts) => this.#usual(counts))) - 1;
    this.#priorFreedom = Math.min(PRIOR_FREEDOM, independent * (traces - 1));
  }

  /**
   * With several traces: what they show of this function, and what is usual, which few traces would not show. Never less than what
   * independent samples would have.
   * @param {Counts | undefined} counts none: never seen
   * @returns {Spread}
   */
  of(counts) {
    const { traces } = this.#side;
    if (traces < 2) return this.#withinTrace(counts);
    const usual = this.#usual(counts);
    const own = counts ? this.#acrossTraces(counts) : usual;
    const variance = weighted(usual, this.#priorFreedom, own, traces - 1);
    return {
      variance: Math.max(variance, this.#ofIndependent(counts).variance),
      freedom: this.#priorFreedom + traces - 1,
    };
  }

  /** @param {Counts | undefined} counts @returns {number} variance of the share of such a function */
  #usual(counts) {
    const { traces, samples } = this.#side;
    const between = this.#betweenTraces * unsteadyVariance((counts?.samples ?? 0) / samples);
    return this.#withinTrace(counts).variance * this.#byChance + between / traces;
  }

  /**
   * The larger of two estimates: that of independent samples, and that from neighbouring blocks, since samples in a row resemble each
   * other.
   * @param {Counts | undefined} counts @returns {Spread}
   */
  #withinTrace(counts) {
    const { samples: all, traces } = this.#side;
    const independent = this.#ofIndependent(counts);
    const blocks = {
      variance: all === 0 ? 0 : (counts?.steps ?? 0) / all ** 2,
      // Neighbouring differences share a block: two thirds of them count.
      freedom: (traces * (BLOCKS - 1) * 2) / 3,
    };
    return blocks.variance > independent.variance ? blocks : independent;
  }

  /** With one more seen and one more not seen, so that what was never seen is not certain. @param {Counts | undefined} counts @returns {Spread} */
  #ofIndependent(counts) {
    const all = this.#side.samples;
    const careful = ((counts?.samples ?? 0) + 1) / (all + 2);
    return { variance: (careful * (1 - careful)) / (all + 2), freedom: all + 1 };
  }

  /** @param {Counts} counts @returns {number} variance */
  #acrossTraces({ samples, squares: own, products }) {
    const { samples: all, traces, squares } = this.#side;
    const p = samples / all;
    const deviations = Math.max(0, own - 2 * p * products + p ** 2 * squares);
    return ((deviations / all ** 2) * traces) / (traces - 1);
  }
}

/**
 * What the variances of shares are to each other when all functions are as unsteady: each gets slower or faster by a part of its time, and
 * has the less to gain the more it has.
 * @param {number} share
 */
function unsteadyVariance(share) {
  return (share * (1 - share)) ** 2;
}

/** Of so many equal ones the sum would be as sure (Kish). @param {number[]} variances */
function effectiveSize(variances) {
  return sum(variances) ** 2 / sum(variances.map((variance) => variance ** 2));
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((a, b) => a + b, 0);
}

/** @param {number} a @param {number} ofA weight @param {number} b @param {number} ofB weight @returns {number} their mean */
function weighted(a, ofA, b, ofB) {
  return (a * ofA + b * ofB) / (ofA + ofB);
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
