import { CALIBRATION_FILE } from './calibration.js';

/** @param {number} [budget] @returns {string[]} a note, if the user most likely meant another number */
export function notesOfBudget(budget) {
  return budget === 1 ? ['a budget of 1 is 100 %: 1 % is 0.01'] : [];
}

/**
 * @param {{budget?: number, calibration?: import('./calibration.js').Calibration, endpoint?: string}} settings `endpoint`: of a build that counts
 * @returns {string[]} a note, if nobody knows what the budget pays for
 */
export function notesOfGuess({ budget, calibration, endpoint }) {
  if (budget === undefined || calibration || endpoint) return [];
  return [`no ${CALIBRATION_FILE} here: the budget is a guess from the text (npx polyprof calibrate counts)`];
}

/** Of a program's functions, which a workload hardly ever calls all. */
const FEW = 0.01;

/**
 * @param {import('./calibration.js').Calibration | undefined} calibration
 * @param {import('./budget_summary.js').BudgetSummary | null} budget of the build by it
 * @param {number} functions of the build
 * @returns {string[]} a note, if the calibration is most likely another program's
 */
export function notesOfStrangers(calibration, budget, functions) {
  const known = budget?.functions ?? 0;
  if (!calibration || functions === 0 || known > functions * FEW) return [];
  const [example] = Object.keys(calibration.sources).filter(Boolean);
  const what = example ? `; its sources are such as ${example}` : '';
  return [
    `the calibration knows ${known} of ${functions} functions: is it of this site, and made in this folder? npx polyprof calibrate makes one${what}`,
  ];
}
