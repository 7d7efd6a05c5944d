import { notesOfStrangers } from '../budget/budget_notes.js';
import { addBudgets, budgetText } from '../budget/budget_summary.js';
import { addSkipped, skippedText, TAKE_SMALL } from '../skipped.js';
import { SourceError } from '../source_error.js';

/** @typedef {import('./instrument_files.js').Report} Report */

/**
 * @param {Report} report
 * @param {string | null} output folder; null: nothing was written
 * @param {import('../budget/calibration.js').Calibration} [calibration]
 */
export function printReport({ files, adapted, copied, errors, notes }, output, calibration) {
  for (const error of errors) {
    const place = error instanceof SourceError ? `${error.file}:${error.line}:${error.column}: ` : '';
    const frame = error instanceof SourceError ? `\n${error.frame}` : '';
    console.error(`error: ${place}${error.message}${frame}`);
  }
  const summaries = files.map(({ summary }) => summary);
  const functions = sum(summaries, (summary) => summary.functions);
  const budget = addBudgets(summaries.map((summary) => summary.budget));
  const strangers = notesOfStrangers(calibration, budget, functions);
  for (const note of [...notes, ...strangers]) console.error(`note: ${note}`);

  const probed = sum(summaries, (summary) => summary.probed);
  const already = summaries.filter((summary) => summary.alreadyInstrumented).length;
  const changed = summaries.filter((summary) => summary.probed > 0).length;
  if (output === null) {
    if (files.length > 0) console.log(fileTable(files));
    console.log(
      `${changed} of ${changed + adapted + copied} files would be instrumented; nothing was written`,
    );
  } else {
    console.log(
      `${changed} ${plural(changed, 'file')} instrumented, ${adapted > 0 ? `${adapted} changed to fit them, ` : ''}${copied} copied as they are, into ${output}`,
    );
  }
  if (already > 0) console.log(`${already} ${plural(already, 'file')} had probes already`);
  const verb = output === null ? 'would have' : 'have';
  const skipped = skippedText(
    addSkipped(summaries.map((summary) => summary.skipped)),
    TAKE_SMALL.onCommandLine,
  );
  console.log(`${probed} of ${functions} functions ${verb} probes${skipped && `; ${skipped}`}`);
  if (budget && calibration)
    console.log(budgetText(budget, calibration.busyMs, output === null ? LEFT_OUT_SHOWN : 0));
  const bytes = sum(files, ({ bytesAdded }) => bytesAdded);
  console.log(`${withSign(bytes)} bytes, ${withSign(sum(files, (file) => file.bytesAddedGzip))} gzipped`);
  if (errors.length > 0) {
    const what = output === null ? '' : ' and got no probes';
    console.error(`${errors.length} ${plural(errors.length, 'file')} could not be parsed${what}`);
  }
}

/** The rest is hardly ever called. */
const LEFT_OUT_SHOWN = 20;

/** @param {Report['files']} files @returns {string} a table with a line for each */
function fileTable(files) {
  const rows = files.map(({ summary, bytesAdded, bytesAddedGzip }) => [
    String(summary.functions),
    String(summary.probed),
    withSign(bytesAdded),
    withSign(bytesAddedGzip),
    summary.file,
  ]);
  const all = [['functions', 'selected', 'bytes', 'gzipped', 'file'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column].length)));
  const line = (/** @type {string[]} */ row) =>
    [...widths.map((width, column) => row[column].padStart(width)), row[4]].join('  ');
  return all.map(line).join('\n');
}

/** @template T @param {T[]} items @param {(item: T) => number} value */
function sum(items, value) {
  return items.reduce((total, item) => total + value(item), 0);
}

/** @param {number} count @param {string} word */
function plural(count, word) {
  return count === 1 ? word : `${word}s`;
}

/** @param {number} value */
function withSign(value) {
  return value < 0 ? String(value) : `+${value}`;
}
