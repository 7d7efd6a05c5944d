import { InvalidArgumentError } from 'commander';

/** What `polyprof instrument` makes of the values of its options; what is no such value is told with the option. */

/** @param {string} text @returns {number} */
export function parseBudget(text) {
  const budget = shareOf(text);
  if (!(budget > 0 && budget <= 1))
    throw new InvalidArgumentError('It must be a share of the time, such as 0.01 or 1%.');
  return budget;
}

/** @param {string} text @returns {number} */
export function parseRate(text) {
  const rate = shareOf(text);
  if (Number.isNaN(rate))
    throw new InvalidArgumentError('It must be a share of the sessions, such as 0.01 or 1%.');
  return rate;
}

/** @param {string} text @returns {number} NaN: it is none */
function shareOf(text) {
  const [, number, percent] = /^(\d*\.?\d+)\s*(%?)$/.exec(text) ?? [];
  return Number(number) / (percent ? 100 : 1);
}

/** @param {string} text @returns {number} */
export function parseWeight(text) {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** @param {string} text @returns {number} */
export function parseJobs(text) {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

/** @param {string} value @param {string[]} [previous] */
export function collect(value, previous = []) {
  return [...previous, value];
}
