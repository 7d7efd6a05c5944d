import { costUs } from './probe_costs.js';
import { READING_US } from './unseen.js';

/**
 * What a budget did to one or more files, by the calibration.
 * @typedef {object} BudgetSummary times in microseconds; `all` of something is of the functions that the calibration knows
 * @property {number} functions called ones
 * @property {number} visibleFunctions of them with probes
 * @property {number} calls
 * @property {number} visibleCalls
 * @property {number} selfUs
 * @property {number} visibleSelfUs
 * @property {number} costUs of the probes
 * @property {number} raisedFunctions visible ones in pages without isolation, with flag probes
 * @property {number} raisedSelfUs visible there
 * @property {number} raisedCostUs of the probes while a session runs there
 * @property {{name: string, calls: number, selfUs: number}[]} leftOut the budget did it; the most called first
 * @property {number} unseenLeftOut likewise, of functions that the calibration did not see called
 */

/**
 * @param {import('../functions/function_record.js').FunctionRecord[]} records
 * @param {string} probe
 * @returns {BudgetSummary | null} null: no calibration knows any of them
 */
export function summarizeBudget(records, probe) {
  const known = records.filter(({ calibrated }) => calibrated);
  if (known.length === 0) return null;
  const summary = emptySummary();
  const unseen = records.filter(({ isUnseen, probed }) => isUnseen && probed);
  summary.costUs += unseen.length * READING_US;
  summary.unseenLeftOut = records.filter(({ isUnseen, skipped }) => isUnseen && skipped === 'budget').length;
  for (const { calibrated, probed, isQuiet, skipped, kind } of known) {
    const { name, calls, selfUs, starts } = /** @type {NonNullable<typeof calibrated>} */ (calibrated);
    summary.functions++;
    summary.calls += calls;
    summary.selfUs += selfUs;
    if (probed) {
      summary.visibleFunctions++;
      summary.visibleCalls += calls;
      summary.visibleSelfUs += selfUs;
      summary.costUs += costUs(calls, probe, starts);
      if (probe === 'flag' && !isQuiet) {
        summary.raisedFunctions++;
        summary.raisedSelfUs += selfUs;
        summary.raisedCostUs += costUs(calls, 'raised');
      }
    } else if (skipped === 'budget' && kind !== 'top') summary.leftOut.push({ name, calls, selfUs });
  }
  return summary;
}

/** @param {(BudgetSummary | null)[]} summaries of files @returns {BudgetSummary | null} */
export function addBudgets(summaries) {
  const known = summaries.filter((summary) => summary !== null);
  if (known.length === 0) return null;
  const total = emptySummary();
  for (const { leftOut, ...numbers } of known) {
    total.leftOut.push(...leftOut);
    for (const [name, value] of Object.entries(numbers)) /** @type {any} */ (total)[name] += value;
  }
  total.leftOut.sort((a, b) => b.calls - a.calls);
  return total;
}

/**
 * @param {BudgetSummary} summary
 * @param {number} busyMs of the calibration
 * @param {number} list how many functions to name at most
 * @returns {string} lines
 */
export function budgetText(summary, busyMs, list) {
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) =>
    `${((100 * part) / Math.max(whole, 1e-9)).toFixed(1)} %`;
  const { leftOut, unseenLeftOut, functions, visibleFunctions, calls, visibleCalls, selfUs, visibleSelfUs } =
    summary;
  const share = (/** @type {number} */ costUs) =>
    `${((costUs / (busyMs * 1000)) * 100).toFixed(2)} % of the time`;
  const shown = leftOut.slice(0, list);
  const lines = [
    `by the calibration, probes cost ${share(summary.costUs)}; visible are ` +
      `${percent(visibleFunctions, functions)} of the functions called, ${percent(visibleCalls, calls)} of the calls, ` +
      `${percent(visibleSelfUs, selfUs)} of self time`,
  ];
  if (summary.raisedFunctions > 0)
    lines.push(
      `in pages that are not cross-origin isolated, checks take ${share(summary.raisedCostUs)} while a session runs; visible are ` +
        `${percent(summary.raisedFunctions, functions)} of the functions called, ${percent(summary.raisedSelfUs, selfUs)} of self time`,
    );
  if (shown.length > 0)
    lines.push(
      `left out for the budget: ${leftOut.length}${shown.length < leftOut.length ? ', the most called:' : ':'}`,
    );
  for (const { name, calls, selfUs } of shown) {
    lines.push(
      `  ${String(calls).padStart(12)} calls  ${((selfUs / calls) * 1000).toFixed(0).padStart(6)} ns each  ${name}`,
    );
  }
  if (list > 0 && unseenLeftOut > 0)
    lines.push(
      `left out of what was not called, since engines read its probes, too: ${unseenLeftOut}, the lightest`,
    );
  return lines.join('\n');
}

/** @returns {BudgetSummary} */
function emptySummary() {
  return {
    functions: 0,
    visibleFunctions: 0,
    calls: 0,
    visibleCalls: 0,
    selfUs: 0,
    visibleSelfUs: 0,
    costUs: 0,
    raisedFunctions: 0,
    raisedSelfUs: 0,
    raisedCostUs: 0,
    leftOut: [],
    unseenLeftOut: 0,
  };
}
