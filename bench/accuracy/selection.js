import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { calibrationOf } from '../workloads/calibration.js';

/** Kinds of probes are compared, not their default selections. */
const SAME_FUNCTIONS = ['--min-weight', String(DEFAULT_MIN_WEIGHTS.flag)];

/**
 * Which functions of a workload get probes, whatever kind of probe it is.
 * @param {string | undefined} budget as `polyprof instrument` takes it, by a calibration of these pages; without one all of the same weight
 * @param {string} workload @param {string} folder of its page @param {string} out where the calibration is kept
 * @returns {Promise<string[]>} options of `polyprof instrument`
 */
export async function selection(budget, workload, folder, out) {
  if (budget === undefined) return SAME_FUNCTIONS;
  return ['--budget', budget, '--calibration', await calibrationOf(workload, folder, out)];
}

/** @param {string | undefined} budget @returns {string} the same, for the head of a table */
export function selectionName(budget) {
  return budget === undefined
    ? `probes in functions of weight ${DEFAULT_MIN_WEIGHTS.flag} and more`
    : `probes by a budget of ${budget}`;
}
