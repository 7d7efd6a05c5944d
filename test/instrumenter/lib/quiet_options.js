import {
  BUDGETS_IF_RAISED,
  costUs,
  NS_PER_CALL,
  warmCostUs,
} from '../../../instrumenter/budget/probe_costs.js';
import { listFunctions } from '../../../instrumenter/budget/list_functions.js';

const CALLS = 1000;
/** After so many, no more is reckoned for a function that is not compiled. */
const MANY_CALLS = 1e6;

/**
 * A budget and a calibration by which nothing of a script is left out, and all is quiet: it also knows a function that the script does not have,
 * which tells most per call, and alone is called as often as the budget allows where checks are calls.
 * @param {string} code
 * @param {import('../../../instrumenter/options.js').InstrumentOptions} options
 * @returns {import('../../../instrumenter/options.js').InstrumentOptions}
 */
export function quietOptions(code, options) {
  const functions = listFunctions(code, options);
  const { flag } = NS_PER_CALL;
  const raised = NS_PER_CALL.raised / BUDGETS_IF_RAISED;
  const coldUs = costUs(MANY_CALLS, 'flag') - warmCostUs(MANY_CALLS, 'flag');
  const allUs = costUs(CALLS, 'flag') * (functions.length + 1) + coldUs;
  const callsOfOther = Math.ceil((allUs * 1000) / (raised - flag));
  /** @type {Record<string, [name: string, shape: string, calls: number, selfUs: number][]>} */
  const sources = { 'elsewhere.js': [['other', 'none', callsOfOther, 1e9]] };
  for (const { source, name, shape } of functions.map(({ key }) => key)) {
    (sources[source] ??= []).push([name, shape, CALLS, 0]);
  }
  // With room for what sums are rounded by.
  const busyMs = (raised * (callsOfOther + 0.01)) / 1e6;
  const calibration = /** @type {const} */ ({ version: 1, selfTime: 'measured', busyMs, sources });
  return { ...options, budget: 1, calibration };
}
