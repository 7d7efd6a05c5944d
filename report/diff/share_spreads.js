import { BLOCKS } from './share_counts.js';

/** @import { Counts, SideCounts } from './share_counts.js' */

/** With fewer samples on both sides together nothing can be said, and not asking leaves more certainty for the rest. */
export const MIN_SAMPLES = 20;

/** Functions differ in how much they vary: the average over all of them counts as this many degrees of freedom at most, beside what a function's own few runs say. */
const PRIOR_FREEDOM = 10;

/** @typedef {{variance: number, freedom: number}} Spread of a share; freedom: degrees of, of the estimate */

/** How much shares vary on one side. */
export class Spreads {
  #side;
  /** Beyond what samples explain: variance from run to run, as a part of `unsteadyVariance`; the same for all functions. */
  #betweenRuns = 0;
  /** The part of the variance within a run that is chance. The rest comes from phases of the program: they make neighbouring blocks differ, but are the same in each run. */
  #byChance = 1;
  /** Degrees of freedom of what is usual: few functions in few runs show little of it. */
  #priorFreedom = 0;

  /** @param {SideCounts} side */
  constructor(side) {
    this.#side = side;
    const { runs, samples } = side;
    const seen = side.functions.filter((counts) => counts.samples >= MIN_SAMPLES);
    if (runs < 2 || seen.length === 0) return;
    const across = sum(seen.map((counts) => this.#acrossRuns(counts)));
    const within = sum(seen.map((counts) => this.#withinRun(counts).variance));
    if (across > within) {
      const unsteady = sum(seen.map((counts) => unsteadyVariance(counts.samples / samples)));
      this.#betweenRuns = ((across - within) * runs) / unsteady;
    } else this.#byChance = across / within;
    // What one function gains, others lose: there is one less of them that varies by itself.
    const independent = Math.max(0, effectiveSize(seen.map((counts) => this.#usual(counts))) - 1);
    this.#priorFreedom = Math.min(PRIOR_FREEDOM, independent * (runs - 1));
  }

  /**
   * With several runs: what they show of this function, and what is usual, which few runs would not show. Never less than what
   * independent samples would have.
   * @param {Counts | undefined} counts none: never seen
   * @returns {Spread}
   */
  of(counts) {
    const { runs } = this.#side;
    if (runs < 2) return this.#withinRun(counts);
    const usual = this.#usual(counts);
    const own = counts ? this.#acrossRuns(counts) : usual;
    const variance = weighted(usual, this.#priorFreedom, own, runs - 1);
    return {
      variance: Math.max(variance, this.#ofIndependent(counts).variance),
      freedom: this.#priorFreedom + runs - 1,
    };
  }

  /** @param {Counts | undefined} counts @returns {number} variance of the share of such a function */
  #usual(counts) {
    const { runs, samples } = this.#side;
    const between = this.#betweenRuns * unsteadyVariance((counts?.samples ?? 0) / samples);
    return this.#withinRun(counts).variance * this.#byChance + between / runs;
  }

  /**
   * The larger of two estimates: that of independent samples, and that from neighbouring blocks, since samples in a row resemble each
   * other.
   * @param {Counts | undefined} counts @returns {Spread}
   */
  #withinRun(counts) {
    const { samples: all, runs } = this.#side;
    const independent = this.#ofIndependent(counts);
    const blocks = {
      variance: all === 0 ? 0 : (counts?.steps ?? 0) / all ** 2,
      // Neighbouring differences share a block: two thirds of them count.
      freedom: (runs * (BLOCKS - 1) * 2) / 3,
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
  #acrossRuns({ samples, squares: own, products }) {
    const { samples: all, runs, squares } = this.#side;
    const p = samples / all;
    const deviations = Math.max(0, own - 2 * p * products + p ** 2 * squares);
    return ((deviations / all ** 2) * runs) / (runs - 1);
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

/** How many equal variances would make their sum equally certain (Kish's effective sample size). @param {number[]} variances */
function effectiveSize(variances) {
  const squares = sum(variances.map((variance) => variance ** 2));
  return squares === 0 ? 0 : sum(variances) ** 2 / squares;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((a, b) => a + b, 0);
}

/** @param {number} a @param {number} ofA weight @param {number} b @param {number} ofB weight @returns {number} their mean */
function weighted(a, ofA, b, ofB) {
  return (a * ofA + b * ofB) / (ofA + ofB);
}
