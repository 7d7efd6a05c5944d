/**
 * Functions that the workload did not call, of scripts that it ran. Their probes show nothing, but the engine has to read them all the same.
 *
 * @typedef {[weight: number, functions: number][]} Unseen how many of them by weight, the lightest first; entry points have ENTRY_POINT_WEIGHT
 */

/** Stands for entry points, and is more than any function weighs: entry points get probes whatever they cost. */
const ENTRY_POINT_WEIGHT = 1e6;

/**
 * What the probes of one cost a page: 2 µs for functions of 200 characters (`node bench/probes/first_calls.js`), more for longer ones. So that it explains what a
 * megabyte of libraries that only starts takes longer (`npm run bench -- --in-node --workloads startup --variants budget,default`).
 */
export const READING_US = 3;

/** The part of a budget that functions which were not called may take. The rest is for those that were. */
const SHARE = 1 / 4;

/** @param {import('../functions/function_record.js').FunctionRecord} record @returns {number} weight for `countByWeight` */
export function weightIfUnseen({ weight, weightAsEntryPoint }) {
  return weight < weightAsEntryPoint ? weight : ENTRY_POINT_WEIGHT;
}

/**
 * @param {Iterable<{weight: number}>} functions
 * @returns {Unseen}
 */
export function countByWeight(functions) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const { weight } of functions) counts.set(weight, (counts.get(weight) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b);
}

/**
 * Which of them the engine can read within the budget: the heaviest, which are most likely to matter to somebody.
 * @param {Unseen} unseen
 * @param {{budgetUs: number, minWeight: number}} limit `budgetUs`: of all probes
 * @returns {{least: number, costUs: number}} `least`: weight of those that have probes; `costUs` of them together
 */
export function readableWithin(unseen, { budgetUs, minWeight }) {
  let costUs = 0;
  for (const [weight, functions] of [...unseen].reverse()) {
    if (weight < minWeight) break;
    const more = functions * READING_US;
    if (weight < ENTRY_POINT_WEIGHT && costUs + more > budgetUs * SHARE) return { least: weight + 1, costUs };
    costUs += more;
  }
  return { least: minWeight, costUs };
}
