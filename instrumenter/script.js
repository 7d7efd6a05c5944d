import { collectFunctions } from './functions/collect_functions.js';
import { markEntryPoints } from './functions/entry_points.js';
import { applyMarks } from './functions/marks.js';
import { parseScript } from './syntax/parse.js';
import { hasPrelude } from './probes/prelude.js';
import { realmNames } from './probes/realm_names.js';
import { selectFunctions } from './functions/select.js';
import { SourceError } from './source_error.js';
import { markTurnedIntoText } from './functions/turned_into_text.js';

/**
 * One script: a file, or the text between `<script>` and `</script>`.
 *
 * @typedef {import('./functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {import('./syntax/parse.js').Node} Node
 * @typedef {object} ScriptPlan
 * @property {string} code
 * @property {Node} program
 * @property {FunctionRecord[]} records
 * @property {import('./functions/turned_into_text.js').TextWarning[]} warnings
 * @property {import('./probes/realm_names.js').RealmNames | null} realm
 * @property {number} base offset of the script in its file
 * @property {boolean} isInstrumented it has probes from before, and gets none
 * @property {{offset: number}[]} [unseen] places where it loads scripts by names that are made at run time
 */

/**
 * Finds the script's functions and decides which get probes.
 * @param {string} code
 * @param {object} options
 * @param {string} options.file
 * @param {import('./syntax/parse.js').SourceType} options.sourceType
 * @param {number} options.minWeight
 * @param {string} options.probe
 * @param {number} [options.base]
 * @param {number} [options.line]
 * @param {number} [options.column] where it starts in its file, 1-based
 * @param {string} [options.page] its file, if that is a page
 * @param {(record: FunctionRecord) => string} [options.exclusionOf] see selectFunctions
 * @param {import('./budget/decide.js').Decide} [options.decide] what a budget says of the functions
 * @returns {ScriptPlan}
 * @throws {import('./source_error.js').SourceError}
 */
export function readScript(code, options) {
  try {
    return planScript(code, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { file, line = 1, column = 1, page = code } = options;
    const message = 'nested too deeply for the stack: split the script, or leave it out';
    throw Object.assign(new SourceError(message, { file, line, column, code: page }), { isTooDeep: true });
  }
}

/** @param {string} code @param {Parameters<typeof readScript>[1]} options @returns {ScriptPlan} */
function planScript(code, { base = 0, minWeight, probe, exclusionOf, decide, ...source }) {
  const { program, comments } = parseScript(code, source);
  if (hasPrelude(program))
    return { code, program, records: [], warnings: [], realm: null, base, isInstrumented: true };
  const { records, texts, callbacks } = collectFunctions(program, code);
  markEntryPoints(callbacks, records);
  const warnings = markTurnedIntoText(texts, program, records);
  const realm = realmNames(program, code);
  if (!realm) for (const record of records) record.obstacle ??= 'no way to the global object';
  applyMarks(records, comments, code);
  decide?.(records, base);
  selectFunctions(records, { minWeight, probe, exclusionOf });
  return { code, program, records, warnings, realm, base, isInstrumented: false };
}
