import { choose } from './choose.js';
import { functionKeys } from './function_keys.js';
import { matchFunctions } from './match.js';
import { decideByText } from './static_estimate.js';

/**
 * @typedef {import('./calibration.js').Calibration} Calibration
 * @typedef {import('./calibration.js').CalibratedFunction} CalibratedFunction
 * @typedef {import('../function_record.js').FunctionRecord} FunctionRecord
 * @typedef {(records: FunctionRecord[], base: number) => void} Decide sets `affordable` and `quiet`, and `calibrated` where it is known
 */

/**
 * @param {Calibration | undefined} calibration
 * @param {{budget?: number, probe: string, minWeight: number, originOf: import('../origins.js').OriginOf,
 *   nameSource?: (source: string) => string}} options
 * @returns {Decide | undefined} undefined: there is no budget
 */
export function decider(calibration, { budget, minWeight, ...options }) {
  if (options.probe === 'count') return undefined;
  if (calibration) return decideByCalibration(calibration, { budget: budget ?? DEFAULT_BUDGET, ...options });
  return budget === undefined ? undefined : decideByText({ budget, probe: options.probe, minWeight });
}

/** Share of the time that probes may cost where a calibration is given and nothing else is said. */
export const DEFAULT_BUDGET = 0.01;

/**
 * The budget is one for the whole program, so what to leave out is decided over the whole calibration, whichever scripts there are.
 * @param {Calibration} calibration
 * @param {{budget: number, probe: string, originOf: import('../origins.js').OriginOf, nameSource?: (source: string) => string}} options
 * @returns {Decide}
 */
function decideByCalibration(calibration, { budget, probe, originOf, nameSource }) {
  const { out, quiet } = choiceOf(calibration, budget, probe);
  return (records, base) => {
    const keys = functionKeys(records, base, originOf, nameSource);
    for (const [record, entry] of matchFunctions(keys, calibration.sources)) {
      const [, , calls, selfUs, starts] = entry;
      const { source, name } = /** @type {import('./function_keys.js').FunctionKey} */ (keys.get(record));
      record.calibrated = { name: `${name || '(anonymous)'} (${source})`, calls, selfUs, starts };
      record.affordable = !out.has(entry);
      record.quiet = quiet.has(entry);
    }
  };
}

/**
 * The last one: a build asks for each of its scripts.
 * @type {{calibration: Calibration, key: string, out: Set<CalibratedFunction>, quiet: Set<CalibratedFunction>} | undefined}
 */
let last;

/** @param {Calibration} calibration @param {number} budget @param {string} probe */
function choiceOf(calibration, budget, probe) {
  const key = `${budget} ${probe}`;
  if (last?.calibration !== calibration || last.key !== key) {
    const candidates = Object.values(calibration.sources)
      .flat()
      .map((entry) => ({ entry, calls: entry[2], selfUs: entry[3], starts: entry[4] }));
    const { out, quiet } = choose(candidates, { budget, probe, busyUs: calibration.busyMs * 1000 });
    const entriesOf = (/** @type {typeof out} */ some) => new Set([...some].map(({ entry }) => entry));
    last = { calibration, key, out: entriesOf(out), quiet: entriesOf(quiet) };
  }
  return last;
}
