/**
 * What instrumenting a file did.
 *
 * @typedef {object} Summary
 * @property {string} file
 * @property {number} functions in it, its top levels included
 * @property {number} probed of them
 * @property {Record<string, number>} skipped how many have no probes, by the reason
 * @property {Warning[]} warnings
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
 * @param {import('./line_index.js').LineIndex} lines of the input
 * @returns {Summary}
 */
export function summarize(file, scripts, input, output, lines) {
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
    warnings: scripts.flatMap(({ warnings, base }) =>
      warnings.map(({ name, offset }) => ({
        message: textWarning(name),
        ...lines.positionAt(offset + base),
      })),
    ),
    alreadyInstrumented: scripts.length > 0 && scripts.every((script) => script.isInstrumented),
    inputLength: input.length,
    outputLength: output.length,
  };
}

/** @param {string} name */
function textWarning(name) {
  return `the function ${name ? `'${name}' ` : ''}is turned into text here, as for a worker: it has no probes`;
}
