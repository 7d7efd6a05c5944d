import { NS_PER_CALL } from '../../../instrumenter/budget/probe_costs.js';
import { listFunctions } from '../../../instrumenter/budget/list_functions.js';

const CALLS = 1000;

/**
 * A budget and a calibration by which nothing of a script is left out, and as much as possible is quiet: all of up to six functions, six of
 * seven of more.
 * @param {string} code
 * @param {import('../../../instrumenter/options.js').InstrumentOptions} options
 * @returns {import('../../../instrumenter/options.js').InstrumentOptions}
 */
export function quietOptions(code, options) {
  const functions = listFunctions(code, options);
  /** @type {Record<string, [name: string, shape: string, calls: number, selfUs: number][]>} */
  const sources = {};
  for (const { source, name, shape } of functions.map(({ key }) => key)) {
    (sources[source] ??= []).push([name, shape, CALLS, 0]);
  }
  const busyMs = (NS_PER_CALL.flag * CALLS * functions.length) / 1e6;
  const calibration = /** @type {const} */ ({ version: 1, selfTime: 'measured', busyMs, sources });
  return { ...options, budget: 1, calibration };
}
