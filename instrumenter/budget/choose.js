import { BUDGETS_IF_RAISED, costUs } from './probe_costs.js';

/**
 * @typedef {object} Candidate a function that could have probes, or a line of a calibration
 * @property {number} calls
 * @property {number} selfUs
 * @property {number} [starts] how many pages called it, 1 by default
 */

/**
 * Half of the interval at which calibrations are sampled: what a function that was never seen may have run, so that one that is
 * hardly ever called, and costs nothing, is not the first to go.
 */
const UNSEEN_US = 100;

/**
 * Leaves out those whose probes cost most per microsecond of self time that they show, until all others together are within the budget;
 * then takes back what still fits.
 * @template {Candidate} T
 * @param {readonly T[]} candidates
 * @param {object} limit
 * @param {number} limit.budget share of the time that probes may cost
 * @param {number} limit.busyUs how long all of them ran without probes
 * @param {string} limit.probe
 * @param {typeof costUs} [limit.cost]
 * @returns {Set<T>} those without probes
 */
export function leftOut(candidates, { budget, busyUs, probe, cost = costUs }) {
  const costOf = (/** @type {Candidate} */ { calls, starts }) => cost(calls, probe, starts);
  const shownPerUs = (/** @type {Candidate} */ candidate) =>
    (candidate.selfUs + UNSEEN_US) / costOf(candidate);
  const dearest = candidates.filter(({ calls }) => calls > 0).sort((a, b) => shownPerUs(a) - shownPerUs(b));
  let room = budget * busyUs - dearest.reduce((sum, candidate) => sum + costOf(candidate), 0);
  /** @type {Set<T>} */
  const out = new Set();
  for (const candidate of dearest) {
    if (room >= 0) break;
    out.add(candidate);
    room += costOf(candidate);
  }
  for (const candidate of [...out].reverse()) {
    if (costOf(candidate) > room) continue;
    out.delete(candidate);
    room -= costOf(candidate);
  }
  return out;
}

/**
 * @template {Candidate} T
 * @param {readonly T[]} candidates
 * @param {Parameters<typeof leftOut>[1]} limit as above
 * @returns {{out: Set<T>, quiet: Set<T>}} `out`: those without probes; `quiet`: those with flag probes that cost too much while a session runs
 *   without a worker, and are left out there
 */
export function choose(candidates, limit) {
  const out = leftOut(candidates, limit);
  const probed = limit.probe === 'flag' ? candidates.filter((candidate) => !out.has(candidate)) : [];
  const raised = { ...limit, budget: BUDGETS_IF_RAISED * limit.budget, probe: 'raised' };
  return { out, quiet: leftOut(probed, raised) };
}
