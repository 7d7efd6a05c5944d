import { SourceError } from '../source_error.js';

/**
 * @param {import('./instrument_files.js').Report} report
 * @param {string} output folder
 */
export function printReport({ summaries, copied, bytesAdded, bytesAddedGzip, errors, notes }, output) {
  for (const error of errors) {
    const place = error instanceof SourceError ? `${error.file}:${error.line}:${error.column}: ` : '';
    const frame = error instanceof SourceError ? `\n${error.frame}` : '';
    console.error(`error: ${place}${error.message}${frame}`);
  }
  for (const note of notes) console.error(`note: ${note}`);

  const functions = sum(summaries, (summary) => summary.functions);
  const probed = sum(summaries, (summary) => summary.probed);
  const already = summaries.filter((summary) => summary.alreadyInstrumented).length;
  const changed = summaries.filter((summary) => summary.probed > 0).length;
  console.log(
    `${changed} ${plural(changed, 'file')} instrumented, ${copied} copied as they are, into ${output}`,
  );
  if (already > 0) console.log(`${already} ${plural(already, 'file')} had probes already`);
  console.log(`${probed} of ${functions} functions have probes${skippedText(summaries)}`);
  console.log(`${withSign(bytesAdded)} bytes, ${withSign(bytesAddedGzip)} gzipped`);
  if (errors.length > 0) {
    console.error(
      `${errors.length} ${plural(errors.length, 'file')} could not be parsed and ${errors.length > 1 ? 'were' : 'was'} copied`,
    );
  }
}

/** @param {import('../summary.js').Summary[]} summaries @returns {string} */
function skippedText(summaries) {
  /** @type {Map<string, number>} */
  const reasons = new Map();
  for (const { skipped } of summaries) {
    for (const [reason, count] of Object.entries(skipped))
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  const sorted = [...reasons].sort((a, b) => b[1] - a[1]);
  return sorted.length > 0
    ? ` (left out: ${sorted.map(([reason, count]) => `${reason} ${count}`).join(', ')})`
    : '';
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
