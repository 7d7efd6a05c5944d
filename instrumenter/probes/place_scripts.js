import { afterBlanks } from '../text/blanks.js';
import { countBuild } from '../budget/count_probe.js';
import { flagProbe } from './flag_probe.js';
import { placeInFunction, placePoints, placeRecoveries } from './place_probes.js';
import { chooseNames, prelude } from './prelude.js';
import { terminator } from './seams.js';
import { chooseShadowNames, shadowPrelude } from './shadow_prelude.js';
import { shadowProbe } from './shadow_probe.js';

/**
 * The prelude and the probes of whole scripts.
 *
 * @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('../script.js').ScriptPlan} ScriptPlan
 */

/**
 * Puts the probes of scripts that share a function table into `edits`.
 * @param {ScriptPlan[]} scripts in their order in the file
 * @param {{edits: import('../text/edits.js').Edits, probe: string, scriptId: number, tableAddress: string, tableFunction?: string,
 *   prologue?: string, keysOf: (script: ScriptPlan) => ReturnType<typeof import('../budget/function_keys.js').functionKeys>, endpoint?: string}} options `tableFunction`: a function of the script
 *   that returns the table's address, in place of `tableAddress`; `keysOf` and `endpoint`: of counting probes
 */
export function placeScripts(
  scripts,
  { edits, probe, scriptId, tableAddress, tableFunction, prologue = '', keysOf, endpoint },
) {
  const functionCount = numberRows(scripts);
  const build = BUILDS[probe];
  for (const script of scripts) {
    const { records, realm } = script;
    if (!realm || !records.some((record) => record.probed || record.heals)) continue;
    edits.base = script.base;
    const inCycles = script.program.body.some(
      (/** @type {Node} */ statement) => /^(Import|Export)/.test(statement.type) && statement.source,
    );
    const isModule = script.program.sourceType === 'module';
    const keys = probe === 'count' ? keysOf(script) : new Map();
    const header = { scriptId, tableAddress, functionCount, inCycles, isModule, keys, endpoint };
    const { prelude, probeOf } = build(script.code, header, realm);
    const ownPrelude = (/** @type {string} */ enter) => {
      const text = prelude(enter);
      const named = tableFunction
        ? text.replace(JSON.stringify(tableAddress), () => `${tableFunction}()`)
        : text;
      return named + prologue;
    };
    placeScript(script, { prelude: ownPrelude, probeOf }, inCycles, edits);
  }
}

/**
 * @typedef {{scriptId: number, tableAddress: string, functionCount: number, inCycles: boolean, isModule: boolean,
 *   keys: ReturnType<typeof import('../budget/function_keys.js').functionKeys>, endpoint?: string}} Header
 */
/**
 * @typedef {(code: string, header: Header, realm: import('./realm_names.js').RealmNames) => {
 *   prelude: (enter: string) => string, probeOf: (record: FunctionRecord) => import('./probe.js').Probe}} Build
 */

/** @type {Build} */
function flagBuild(code, header, realm) {
  const names = chooseNames(code);
  return {
    prelude: (enter) => prelude(header, names, enter, realm),
    probeOf: (record) => flagProbe(names, record),
  };
}

/** @type {Build} */
function shadowBuild(code, header, realm) {
  const names = chooseShadowNames(code, header);
  return {
    prelude: (enter) => shadowPrelude(header, names, enter, realm),
    probeOf: (record) => shadowProbe(names, record),
  };
}

/** By kind of probe. @type {Record<string, Build>} */
const BUILDS = { flag: flagBuild, shadow: shadowBuild, count: countBuild };

/**
 * Rows are sorted by where functions start, of functions at one place the outer one first.
 * @param {ScriptPlan[]} scripts
 * @returns {number} how many there are
 */
function numberRows(scripts) {
  let row = 0;
  for (const { records } of scripts) {
    const sorted = [...records].sort((a, b) => a.start - b.start);
    for (const record of sorted) record.row = row++;
  }
  return row;
}

/**
 * @param {ScriptPlan} script
 * @param {ReturnType<Build>} build
 * @param {boolean} inCycles
 * @param {import('../text/edits.js').Edits} edits
 */
function placeScript({ program, records, code }, build, inCycles, edits) {
  const [top, ...functions] = records;
  const probe = build.probeOf(top);
  const workshop = { edits, probe, code };
  const takesPart = top.probed || top.heals;
  const text = build.prelude(takesPart ? probe.enterScript : '') + (takesPart ? probe.scriptLocals : '');
  edits.before(preludeOffset(program, code), top.order, terminator(program.directives, workshop) + text);
  if (top.heals) placeRecoveries(top, workshop);
  if (top.probed) {
    placePoints(top, workshop);
    const last = program.body.at(-1);
    edits.after(last.end, top.order, terminator(program.body, workshop) + probe.leaveScript);
  }

  let ordinal = 1;
  for (const record of functions) {
    if (record.probed) record.ordinal = ordinal++;
    else if (!record.heals) continue;
    const early = inCycles && runsBeforePrelude(record);
    placeInFunction(record, early, { edits, probe: build.probeOf(record), code });
  }
}

/** @param {import('../syntax/parse.js').Node} program @param {string} code @returns {number} after a hashbang and directives */
function preludeOffset({ directives, interpreter, body }, code) {
  if (directives.length > 0) return directives.at(-1).end;
  const start = interpreter ? interpreter.end + lineBreakAt(code, interpreter.end) : 0;
  // `-->` is a comment only if nothing but comments stands before it in its line.
  return code.startsWith('-->', afterBlanks(code, start)) ? body[0].start : start;
}

/** @param {string} code @param {number} at @returns {number} length of the line terminator there */
function lineBreakAt(code, at) {
  return /^(\r\n?|[\n\u2028\u2029])/.exec(code.slice(at, at + 2))?.[0].length ?? 0;
}

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
