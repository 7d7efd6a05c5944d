import { choose } from './choose.js';
import { functionKeys } from './function_keys.js';
import { matchFunctions } from './match.js';
import { decideByText } from './static_estimate.js';
import { readableWithin, weightIfUnseen } from './unseen.js';

/**
 * @typedef {import('./calibration.js').Calibration} Calibration
 * @typedef {import('./calibration.js').CalibratedFunction} CalibratedFunction
 * @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {(records: FunctionRecord[], base: number) => void} Decide sets `affordable` and `quiet`, and `calibrated` and `isUnseen` where they are known
 */

/**
 * @param {Calibration | undefined} calibration
 * @param {{budget?: number, probe: string, minWeight: number, originOf: import('../tables/origins.js').OriginOf}} options
 * @returns {Decide | undefined} undefined: there is no budget
 */
export function decider(calibration, { budget, ...options }) {
  const { probe, minWeight } = options;
  if (probe === 'count') return undefined;
  if (calibration) return decideByCalibration(calibration, { budget: budget ?? DEFAULT_BUDGET, ...options });
  return budget === undefined ? undefined : decideByText({ budget, probe, minWeight });
}

/** Share of the time that probes may cost where a calibration is given and nothing else is said. */
export const DEFAULT_BUDGET = 0.01;

/**
 * The budget is one for the whole program, so what to leave out is decided over the whole calibration, whichever scripts there are.
 * @param {Calibration} calibration
 * @param {{budget: number, probe: string, minWeight: number, originOf: import('../tables/origins.js').OriginOf}} options
 * @returns {Decide}
 */
function decideByCalibration(calibration, { budget, probe, minWeight, originOf }) {
  const { out, quiet, least } = choiceOf(calibration, budget, probe, minWeight);
  return (records, base) => {
    const keys = functionKeys(records, base, originOf);
    const matched = matchFunctions(keys, calibration.sources);
    const unseen = matched.size > 0 ? [...keys.keys()].filter((record) => !matched.has(record)) : [];
    for (const record of unseen) {
      record.isUnseen = true;
      const weight = weightIfUnseen(record);
      // The others are decided by their weight alone.
      if (weight >= minWeight && weight < least) record.affordable = false;
    }
    for (const [record, entry] of matched) {
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
 * @type {{calibration: Calibration, key: string, out: Set<CalibratedFunction>, quiet: Set<CalibratedFunction>, least: number} | undefined}
 */
let last;

/** @param {Calibration} calibration @param {number} budget @param {string} probe @param {number} minWeight */
function choiceOf(calibration, budget, probe, minWeight) {
  const key = `${budget} ${probe} ${minWeight}`;
  if (last?.calibration !== calibration || last.key !== key) {
    const candidates = Object.values(calibration.sources)
      .flat()
      .map((entry) => ({ entry, calls: entry[2], selfUs: entry[3], starts: entry[4] }));
    const busyUs = calibration.busyMs * 1000;
    const limit = { budgetUs: budget * busyUs, minWeight };
    const { least, costUs } = readableWithin(calibration.unseen ?? [], limit);
    const { out, quiet } = choose(candidates, { budget: budget - costUs / busyUs, probe, busyUs });
    const entriesOf = (/** @type {typeof out} */ some) => new Set([...some].map(({ entry }) => entry));
    last = { calibration, key, out: entriesOf(out), quiet: entriesOf(quiet), least };
  }
  return last;
}
