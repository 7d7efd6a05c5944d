import { collectFunctions } from './collect.js';
import { flagProbe } from './flag_probe.js';
import { applyMarks } from './marks.js';
import { parseScript } from './parse.js';
import { placeInFunction, placePoints, terminator } from './place_probes.js';
import { chooseNames, hasPrelude, prelude } from './prelude.js';
import { realmNames } from './realm_names.js';
import { selectFunctions } from './select.js';

/**
 * One script: a file, or the text between `<script>` and `</script>`.
 *
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 * @typedef {{records: FunctionRecord[], base: number, isInstrumented: boolean}} ScriptPlan `base`: offset of the script in its
 *   file; `isInstrumented`: it has probes from before, and gets none
 */

/**
 * Finds the script's functions and puts their probes into `edits`.
 * @param {string} code
 * @param {object} options
 * @param {import('./edits.js').Edits} options.edits
 * @param {string} options.file
 * @param {import('./parse.js').SourceType} options.sourceType
 * @param {number} options.minWeight
 * @param {number} options.scriptId
 * @param {string} options.tableName
 * @param {number} [options.base]
 * @param {number} [options.line]
 * @param {number} [options.column] where it starts in its file, 1-based
 * @param {string} [options.page] its file, if that is a page
 * @returns {ScriptPlan}
 * @throws {import('./source_error.js').SourceError}
 */
export function planScript(code, { edits, base = 0, minWeight, scriptId, tableName, ...source }) {
  const { program, comments } = parseScript(code, source);
  if (hasPrelude(program)) return { records: [], base, isInstrumented: true };
  const records = collectFunctions(program, code);
  const realm = realmNames(program, code);
  if (!realm) for (const record of records) record.obstacle ??= 'no way to the global object';
  applyMarks(records, comments, code);
  selectFunctions(records, { minWeight });
  if (realm && records.some((record) => record.probed)) {
    edits.base = base;
    placeAll(program, records, code, { edits, scriptId, tableName, realm });
  }
  return { records, base, isInstrumented: false };
}

/**
 * @param {import('./parse.js').Node} program
 * @param {FunctionRecord[]} records
 * @param {string} code
 * @param {{edits: import('./edits.js').Edits, scriptId: number, tableName: string,
 *   realm: import('./realm_names.js').RealmNames}} options
 */
function placeAll(program, records, code, { edits, scriptId, tableName, realm }) {
  const names = chooseNames(code);
  const probe = flagProbe(names, 0);
  const workshop = { edits, probe, code };
  const inCycles = program.body.some(
    (/** @type {import('./parse.js').Node} */ statement) =>
      /^(Import|Export)/.test(statement.type) && statement.source,
  );
  const [top, ...functions] = records;

  const locals = probe.locals({ usesTemp: false, remembers: top.probed && top.remembersSuspension });
  const text =
    prelude({ scriptId, tableName, inCycles }, names, top.probed ? probe.enter : '', realm) + locals;
  edits.before(preludeOffset(program, code), top.order, terminator(program.directives, workshop) + text);
  if (top.probed) {
    placePoints(top, workshop);
    const last = program.body.at(-1);
    edits.after(last.end, top.order, terminator(program.body, workshop) + probe.leaveScript);
  }

  let ordinal = 1;
  for (const record of functions) {
    if (!record.probed) continue;
    const own = flagProbe(names, ordinal++);
    const early = inCycles && runsBeforePrelude(record);
    placeInFunction(record, early ? own.enterBeforePrelude : own.enter, { edits, probe: own, code });
  }
}

/** @param {import('./parse.js').Node} program @param {string} code @returns {number} after a hashbang and directives */
function preludeOffset({ directives, interpreter, body }, code) {
  if (directives.length > 0) return directives.at(-1).end;
  const start = interpreter ? interpreter.end + lineBreakAt(code, interpreter.end) : 0;
  // `-->` is a comment only if nothing but comments stands before it in its line.
  CLOSING_COMMENT.lastIndex = start;
  return CLOSING_COMMENT.test(code) ? body[0].start : start;
}

/** @param {string} code @param {number} at @returns {number} length of the line terminator there */
function lineBreakAt(code, at) {
  return /^(\r\n?|[\n\u2028\u2029])/.exec(code.slice(at, at + 2))?.[0].length ?? 0;
}

const CLOSING_COMMENT = /(?:\s|\/\*[^]*?\*\/)*-->/y;

/**
 * Function declarations at a module's top level can be called while it is not evaluated yet, by a module of the same cycle; and
 * so can what such a function makes, unless its own enter check ran the prelude by then (which it didn't for its parameters).
 * @param {FunctionRecord} record
 * @returns {boolean}
 */
function runsBeforePrelude(record) {
  const { parent, node } = record;
  if (!parent || parent.kind === 'top') return node.type === 'FunctionDeclaration';
  const ranPrelude = parent.probed && node.start >= parent.node.body.start;
  return !ranPrelude && runsBeforePrelude(parent);
}
