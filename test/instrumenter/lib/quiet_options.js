import { NS_PER_CALL } from '../../../instrumenter/budget/probe_costs.js';
import { listFunctions } from '../../../instrumenter/budget/list_functions.js';

const CALLS = 1000;

/**
 * A budget and a calibration by which nothing of a script is left out, and all is quiet: it also knows a function that the script does not have,
 * which tells most per call, and alone is called as often as the budget allows where checks are calls.
 * @param {string} code
 * @param {import('../../../instrumenter/options.js').InstrumentOptions} options
 * @returns {import('../../../instrumenter/options.js').InstrumentOptions}
 */
export function quietOptions(code, options) {
  const functions = listFunctions(code, options);
  const { flag, raised } = NS_PER_CALL;
  const callsOfOther = Math.ceil((flag * CALLS * functions.length) / (raised - flag));
  /** @type {Record<string, [name: string, shape: string, calls: number, selfUs: number][]>} */
  const sources = { 'elsewhere.js': [['other', 'none', callsOfOther, 1e9]] };
  for (const { source, name, shape } of functions.map(({ key }) => key)) {
    (sources[source] ??= []).push([name, shape, CALLS, 0]);
  }
  const busyMs = (raised * callsOfOther) / 1e6;
  const calibration = /** @type {const} */ ({ version: 1, selfTime: 'measured', busyMs, sources });
  return { ...options, budget: 1, calibration };
}
