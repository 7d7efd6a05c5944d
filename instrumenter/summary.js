/**
 * What instrumenting a file did.
 *
 * @typedef {object} Summary
 * @property {string} file
 * @property {number} functions in it, its top levels included
 * @property {number} probed of them
 * @property {Record<string, number>} skipped how many have no probes, by the reason
 * @property {boolean} alreadyInstrumented it had its probes before; nothing was changed
 * @property {number} inputLength UTF-16 code units
 * @property {number} outputLength
 */

/**
 * @param {string} file
 * @param {import('./script.js').ScriptPlan[]} scripts
 * @param {string} input
 * @param {string} output
 * @returns {Summary}
 */
export function summarize(file, scripts, input, output) {
  const records = scripts.flatMap((script) => script.records);
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
    alreadyInstrumented: scripts.length > 0 && scripts.every((script) => script.isInstrumented),
    inputLength: input.length,
    outputLength: output.length,
  };
}
