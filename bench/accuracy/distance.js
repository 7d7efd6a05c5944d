/** How far apart two profiles are. */

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

import { callTree } from '../../report/traces/call_tree.js';
import { locationKey } from '../../report/traces/location.js';

/**
 * @param {ProfilerTrace} trace symbolicated: only what is the same in all builds of the code may be in its frames
 * @returns {Map<string, number>} samples by the function that ran; those in which nothing ran have the key `''`
 */
export function selfSamples(trace) {
  const { functions, idle } = callTree(trace);
  const samples = new Map(functions.map(({ location, self }) => [locationKey(location), self]));
  return samples.set('', idle);
}

/** @param {Map<string, number>} samples */
const sum = (samples) => [...samples.values()].reduce((a, b) => a + b, 0);

/**
 * Total variation distance of self time.
 * @param {Map<string, number>} a
 * @param {Map<string, number>} b
 * @returns {number} 0: the same shares; 1: nothing in common
 */
export function distance(a, b) {
  const [inA, inB] = [sum(a), sum(b)];
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].reduce((d, key) => d + Math.abs((a.get(key) ?? 0) / inA - (b.get(key) ?? 0) / inB), 0) / 2;
}

/**
 * The distance to expect if both were independent samples of one truth, which is taken to be their mean.
 * @param {Map<string, number>} a
 * @param {Map<string, number>} b
 * @returns {number}
 */
export function noise(a, b) {
  const [inA, inB] = [sum(a), sum(b)];
  const keys = new Set([...a.keys(), ...b.keys()]);
  let total = 0;
  for (const key of keys) {
    const share = ((a.get(key) ?? 0) + (b.get(key) ?? 0)) / (inA + inB);
    total += errorToExpect(share, 1 / inA + 1 / inB);
  }
  return total / 2;
}

/**
 * The mean error of a share that independent samples tell, or the mean difference of two such.
 * @param {number} share true one, 0 to 1
 * @param {number} scatter 1 by the number of samples; of a difference the sum of both
 * @returns {number}
 */
export function errorToExpect(share, scatter) {
  // Mean of |x| of a normal distribution: its deviation times the root of 2/π.
  return Math.sqrt((2 / Math.PI) * share * (1 - share) * scatter);
}

/**
 * @param {Map<string, number>} a
 * @param {Map<string, number>} b
 * @returns {number} how many of the ten hottest functions are the same, 0 to 10
 */
export function commonInTopTen(a, b) {
  const top = (/** @type {Map<string, number>} */ samples) =>
    [...samples]
      .filter(([key]) => key !== '')
      .sort(([, x], [, y]) => y - x)
      .slice(0, 10)
      .map(([key]) => key);
  const ofB = new Set(top(b));
  return top(a).filter((key) => ofB.has(key)).length;
}

/**
 * @param {Map<string, number>} a from `selfSamples`
 * @param {Map<string, number>} b likewise
 * @returns {string} cell of a table: the function whose shares differ most, and its shares in %
 */
export function farthest(a, b) {
  const [inA, inB] = [sum(a), sum(b)];
  const shares = [...new Set([...a.keys(), ...b.keys()])]
    .filter((key) => key !== '')
    .map((key) => ({ key, inA: (a.get(key) ?? 0) / inA, inB: (b.get(key) ?? 0) / inB }));
  const apart = (/** @type {typeof shares[0]} */ { inA, inB }) => Math.abs(inA - inB);
  const most = shares.reduce((x, y) => (apart(y) > apart(x) ? y : x));
  const percent = (/** @type {number} */ share) => (100 * share).toFixed(1);
  return `${JSON.parse(most.key)[0] || '(anonymous)'} ${percent(most.inA)}, ${percent(most.inB)}`;
}

/**
 * @param {Map<string, number>} a
 * @param {Map<string, number>} b
 * @returns {string} cell of a table: distance, noise, and the ten hottest
 */
export function compared(a, b) {
  return `${distance(a, b).toFixed(3)} (${noise(a, b).toFixed(3)}), ${commonInTopTen(a, b)}`;
}
