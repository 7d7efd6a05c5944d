import { isAnonymousDefinition } from './names.js';
import { placeForAwait, placeLanding } from './place_loops.js';
import { completes, isPure } from './purity.js';

/**
 * Puts one function's probes where its record says.
 *
 * @typedef {import('./parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 * @typedef {import('./function_record.js').ExpressionPoint} ExpressionPoint
 * @typedef {{edits: import('./edits.js').Edits, probe: import('./flag_probe.js').Probe, code: string}} Workshop
 */

/**
 * @param {FunctionRecord} record of a function, not of the top level
 * @param {string} enter its enter check
 * @param {Workshop} workshop
 */
export function placeInFunction(record, enter, workshop) {
  placePoints(record, workshop);
  if (record.isConcise) placeInConcise(record, enter, workshop);
  else placeInBlock(record, enter, workshop);
}

/** All probes but those at the function's start and end. @param {FunctionRecord} record @param {Workshop} workshop */
export function placePoints(record, workshop) {
  const { edits, probe } = workshop;
  for (const point of record.points) place(point, workshop);
  for (const block of record.resumesAtStart) {
    edits.opening(block.start + 1, probe.resumeIfSuspended);
  }
  for (const [block, order] of record.leavesAtEnd) {
    if (completes(block))
      edits.after(block.end - 1, order, `${terminator(block.body, workshop)}${probe.leave};`);
  }
}

/** @param {import('./function_record.js').Point} point @param {Workshop} workshop */
function place(point, workshop) {
  switch (point.kind) {
    case 'return':
    case 'throw':
      return placeEnd(point, workshop);
    case 'await':
    case 'yield':
      return placeSuspension(point, workshop);
    case 'jump': {
      const { node, order, waits } = point;
      return around(node, order, [`{${workshop.probe.suspendStatement(waits)}`, '}'], workshop);
    }
    case 'for await':
      return placeForAwait(point, workshop);
    case 'landing':
      return placeLanding(point, workshop);
  }
}

/** @param {FunctionRecord} record @param {string} enter @param {Workshop} workshop */
function placeInBlock(record, enter, workshop) {
  const { edits, probe } = workshop;
  const { body } = record.node;
  const directive = body.directives.at(-1);
  const start = directive ? directive.end : body.start + 1;
  edits.opening(start, `${terminator(body.directives, workshop)}${locals(record, probe)}${enter};`);
  if (completes(body)) {
    edits.after(body.end - 1, record.order, `${terminator(body.body, workshop)}${probe.leave};`);
  }
}

/** `x => f(x)` gets a body. @param {FunctionRecord} record @param {string} enter @param {Workshop} workshop */
function placeInConcise(record, enter, workshop) {
  const { edits, probe } = workshop;
  const { body, end } = record.node;
  const start = body.extra?.parenStart ?? body.start;
  edits.before(start, record.order, `{${locals(record, probe)}${enter};return `);
  // Nothing worth measuring runs between entering and returning a value that is there already.
  if (!isPure(body)) leaveAfter(body, record.order, false, workshop);
  edits.after(end, record.order, '}');
}

/** @param {FunctionRecord} record @param {Workshop['probe']} probe @returns {string} declaration of the variables it needs */
function locals(record, probe) {
  const usesTemp =
    (record.isConcise && !isPure(record.node.body)) ||
    record.points.some((point) => {
      if (point.kind === 'return' || point.kind === 'throw') return !isPure(point.node.argument);
      return point.kind === 'await' || point.kind === 'yield' || point.kind === 'for await';
    });
  return probe.locals({ usesTemp, remembers: record.remembersSuspension });
}

/** `return` and `throw`. @param {ExpressionPoint} point @param {Workshop} workshop */
function placeEnd({ node, order, waits }, workshop) {
  const { edits, probe } = workshop;
  const value = node.argument;
  if (!value) around(node, order, probe.leaveAround, workshop);
  else if (isPure(value))
    edits.before(value.start, order, gapBefore(value, workshop) + probe.leaveBeforeValue(waits));
  else leaveAfter(value, order, waits, workshop);
}

/** `return"a"`, as minifiers write it: a name must not grow together with the keyword. @param {Node} value @param {Workshop} workshop */
function gapBefore(value, { code }) {
  return /\w/.test(code[value.start - 1]) ? ' ' : '';
}

/** @param {Node} value @param {number} order @param {boolean} waits @param {Workshop} workshop */
function leaveAfter(value, order, waits, workshop) {
  const [before, after] = workshop.probe.leaveAfterValue(needsHiding(value), waits);
  around(value, order, [gapBefore(value, workshop) + before, after], workshop);
}

/** `await` and `yield`. @param {ExpressionPoint} point @param {Workshop} workshop */
function placeSuspension({ kind, node, order, waits, startsStatement }, workshop) {
  const { edits, probe, code } = workshop;
  // A statement before it that ends without a semicolon would take the parenthesis for a call's.
  const separator = startsStatement ? ';' : '';
  if (isPure(node.argument)) {
    const [before, after] = probe.suspendAround(waits);
    around(node, order, [separator + before, after], workshop);
    return;
  }
  const keywordEnd = node.delegate ? afterStar(code, node.start) : node.start + kind.length;
  const keyword = node.delegate ? 'yield*' : kind;
  const [before, after] = probe.suspendAfterValue(keyword, needsHiding(node.argument), waits);
  edits.replace(node.start, keywordEnd, order, separator + before);
  edits.after(node.end, order, after);
}

/** @param {Node} node @param {number} order @param {string[]} texts @param {Pick<Workshop, 'edits'>} workshop */
function around(node, order, [before, after], { edits }) {
  edits.before(node.start, order, before);
  edits.after(node.end, order, after);
}

/**
 * @param {Node} value about to be assigned to a variable
 * @returns {boolean} does it have to be hidden in parentheses, because of a comma in it or because it would be given a name?
 */
export function needsHiding(value) {
  return value.type === 'SequenceExpression' || isAnonymousDefinition(value);
}

/**
 * @param {Node[]} before the statements or directives that something is put after
 * @param {Pick<Workshop, 'code'>} workshop
 * @returns {string} what ends the last of them, if it has no end of its own
 */
export function terminator(before, { code }) {
  const last = before.at(-1);
  if (!last || code[last.end - 1] === ';' || ENDS_WITH_BRACE.test(last.type)) return '';
  return ';';
}

const ENDS_WITH_BRACE =
  /^(FunctionDeclaration|ClassDeclaration|BlockStatement|TryStatement|SwitchStatement)$/;

/** @param {string} code @param {number} start of a `yield*` @returns {number} offset after the star */
function afterStar(code, start) {
  const keyword = /yield(?:\s|\/\*[^]*?\*\/|\/\/.*)*\*/y;
  keyword.lastIndex = start;
  keyword.test(code);
  return keyword.lastIndex;
}
