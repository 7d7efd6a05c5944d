import { summarizeBudget } from './budget/budget_summary.js';

/**
 * What instrumenting a file did.
 *
 * @typedef {object} Summary
 * @property {string} file
 * @property {number} functions in it, its top levels included; without those of the polyfill
 * @property {number} probed of them
 * @property {import('./skipped.js').Skipped} skipped
 * @property {Warning[]} warnings
 * @property {import('./budget/budget_summary.js').BudgetSummary | null} budget what a calibration says of it; null: nothing
 * @property {boolean} alreadyInstrumented it had its probes before; nothing was changed
 * @property {number} inputLength UTF-16 code units
 * @property {number} outputLength
 */

/** @typedef {{message: string, line: number, column: number}} Warning `line` and `column`: 1-based, in the input */

/**
 * @param {string} file
 * @param {import('./script.js').ScriptPlan[]} scripts
 * @param {string} input
 * @param {string} output
 * @param {import('./text/line_index.js').LineIndex} lines of the input
 * @param {string} probe
 * @returns {Summary}
 */
export function summarize(file, scripts, input, output, lines, probe) {
  const all = scripts.flatMap((script) => script.records);
  const records = all.filter(({ skipped }) => skipped !== 'polyfill');
  /** @type {Record<string, number>} */
  const skipped = {};
  for (const { skipped: reason } of records) {
    if (reason) skipped[reason] = (skipped[reason] ?? 0) + 1;
  }
  return {
    file,
    functions: records.length,
    probed: records.filter((record) => record.probed).length,
    skipped,
    warnings: scripts.flatMap(({ warnings, unseen = [], base }) => [
      ...warnings.map(({ name, offset }) => ({
        message: textWarning(name),
        ...lines.positionAt(offset + base),
      })),
      ...unseen.map(({ offset }) => ({ message: UNSEEN, ...lines.positionAt(offset + base) })),
    ]),
    budget: summarizeBudget(records, probe),
    alreadyInstrumented: scripts.length > 0 && scripts.every((script) => script.isInstrumented),
    inputLength: input.length,
    outputLength: output.length,
  };
}

const UNSEEN =
  'what this imports is known only at run time: in the variant with probes it is a module without, and another instance of it';

/** @param {string} name */
function textWarning(name) {
  return `the function ${name ? `'${name}' ` : ''}is turned into text here, as for a worker: it has no probes`;
}
