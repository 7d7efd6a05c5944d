import { randomNumbers } from './random_numbers.js';

/** What a series of ratios says. Everything here is deterministic: the same series gives the same interval. */

/** @param {readonly number[]} values at least one @returns {number} */
export function median(values) {
  if (values.length === 0) throw new RangeError('the median of nothing');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {readonly number[]} values @returns {number} */
export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @param {readonly number[]} values at least one @returns {number} */
export function mean(values) {
  return sum(values) / values.length;
}

/**
 * Percentile bootstrap interval of the median.
 * @param {readonly number[]} values
 * @param {{confidence?: number, resamples?: number}} [options]
 * @returns {[number, number]}
 */
export function medianInterval(values, { confidence = 0.95, resamples = 10_000 } = {}) {
  const random = randomNumbers(1);
  const medians = Array.from({ length: resamples }, () =>
    median(values.map(() => values[Math.floor(random() * values.length)])),
  ).sort((a, b) => a - b);
  const tail = (1 - confidence) / 2;
  return [medians[Math.floor(tail * resamples)], medians[Math.ceil((1 - tail) * resamples) - 1]];
}
