/**
 * @typedef {object} Totals of files
 * @property {number} files
 * @property {number} already files that had their probes before, and count nowhere else
 * @property {number} functions
 * @property {number} probed
 * @property {import('../skipped.js').Skipped} skipped functions without
 * @property {number} gzip bytes before
 * @property {number} gzipAdded bytes
 * @property {(import('../budget/budget_summary.js').BudgetSummary | null)[]} budgets
 */

/** @returns {Totals} of no file */
export function noTotals() {
  return { files: 0, already: 0, functions: 0, probed: 0, skipped: {}, gzip: 0, gzipAdded: 0, budgets: [] };
}
