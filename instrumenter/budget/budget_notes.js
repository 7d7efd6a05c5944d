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
