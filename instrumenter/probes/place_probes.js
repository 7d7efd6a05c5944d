import { placeForAwait, placeLanding } from './place_loops.js';
import { completes, isPure } from '../syntax/purity.js';
import { endsByLineBreak, gapBefore, needsHiding, terminator } from './seams.js';

/**
 * Puts one function's probes where its record says.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {import('../functions/function_record.js').ExpressionPoint} ExpressionPoint
 * @typedef {{edits: import('../text/edits.js').Edits, probe: import('./probe.js').Probe, code: string}} Workshop
 */

/** Behind all else that ends there. */
const OUTERMOST = -1;

/**
 * @param {FunctionRecord} record of a function, not of the top level
 * @param {boolean} early it may be called before its module's prelude ran
 * @param {Workshop} workshop
 */
export function placeInFunction(record, early, workshop) {
  if (record.isConcise) {
    placePoints(record, workshop);
    placeInConcise(record, early, workshop);
    return;
  }
  placeStart(record, early, workshop);
  if (record.heals) {
    placeRecoveries(record, workshop);
    return;
  }
  placePoints(record, workshop);
  placeEndOfBody(record, workshop);
}

/** All probes but those at the function's start and end. @param {FunctionRecord} record @param {Workshop} workshop */
export function placePoints(record, workshop) {
  const { edits, probe } = workshop;
  for (const point of pointsFor(record, probe)) place(point, workshop);
  placeRecoveries(record, workshop);
  for (const recovery of record.recoveries) {
    const { block } = recovery;
    const order = record.leavesAtEnd.get(block);
    if (order === undefined || !completes(block)) continue;
    edits.after(block.end - 1, order, terminator(block.body, workshop) + probe.endOfFinally(recovery));
  }
}

/** At the start of `catch` and `finally` blocks. @param {FunctionRecord} record @param {Workshop} workshop */
export function placeRecoveries({ recoveries }, { edits, probe }) {
  for (const recovery of recoveries) {
    const text = probe.recover(recovery);
    if (text) edits.opening(recovery.block.start + 1, text);
  }
}

/** @param {FunctionRecord} record @param {Workshop['probe']} probe */
function pointsFor({ points }, probe) {
  return probe.pairs ? points : points.filter((point) => !('passesFinally' in point && point.passesFinally));
}

/** @param {import('../functions/function_record.js').Point} point @param {Workshop} workshop */
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

/** @param {FunctionRecord} record @param {boolean} early @param {Workshop} workshop */
function placeStart(record, early, workshop) {
  const { edits, probe } = workshop;
  const { body } = record.node;
  const directive = body.directives.at(-1);
  const start = directive ? directive.end : body.start + 1;
  const text = probe.begin(usesTemp(record, probe), early) + probe.guardFunction[0];
  edits.opening(start, terminator(body.directives, workshop) + text);
}

/** @param {FunctionRecord} record @param {Workshop} workshop */
function placeEndOfBody(record, workshop) {
  const { edits, probe } = workshop;
  const { body } = record.node;
  const leave = completes(body) ? `${terminator(body.body, workshop)}${probe.leave};` : '';
  const text = leave + probe.guardFunction[1];
  if (text) edits.after(body.end - 1, record.order, text);
}

/** `x => f(x)` gets a body. @param {FunctionRecord} record @param {boolean} early @param {Workshop} workshop */
function placeInConcise(record, early, workshop) {
  const { edits, probe } = workshop;
  const { body, end } = record.node;
  const [guard, guardEnd] = probe.guardFunction;
  const start = body.extra?.parenStart ?? body.start;
  edits.before(start, record.order, `{${probe.begin(usesTemp(record, probe), early)}${guard}return `);
  // Nothing worth measuring runs between entering and returning a value that is there already.
  if (!isPure(body)) leaveAfter(body, record.order, false, workshop);
  else if (probe.pairs) edits.before(body.start, record.order, probe.leaveBeforeValue(false));
  edits.after(end, record.order, `${guardEnd}}`);
}

/** @param {FunctionRecord} record @param {Workshop['probe']} probe @returns {boolean} does it keep values while a probe runs? */
function usesTemp(record, probe) {
  if (record.heals) return false;
  if (record.isConcise && !isPure(record.node.body)) return true;
  return pointsFor(record, probe).some((point) => {
    if (point.kind === 'return' || point.kind === 'throw') return !isPure(point.node.argument);
    return point.kind === 'await' || point.kind === 'yield' || point.kind === 'for await';
  });
}

/** `return` and `throw`. @param {ExpressionPoint} point @param {Workshop} workshop */
function placeEnd({ node, order, waits }, workshop) {
  const { edits, probe } = workshop;
  const value = node.argument;
  if (!value) around(node, order, probe.leaveAround, workshop);
  else if (isPure(value))
    edits.before(value.start, order, gapBefore(value, workshop) + probe.leaveBeforeValue(waits));
  else {
    leaveAfter(value, order, waits, workshop);
    // A next line that could not go on with the value may with what now stands behind it.
    if (value.end === node.end) edits.after(node.end, order, ';');
  }
}

/** @param {Node} value @param {number} order @param {boolean} waits @param {Workshop} workshop */
function leaveAfter(value, order, waits, workshop) {
  const [before, after] = workshop.probe.leaveAfterValue(needsHiding(value), waits);
  around(value, order, [gapBefore(value, workshop) + before, after], workshop);
}

/** `await` and `yield`. @param {ExpressionPoint} point @param {Workshop} workshop */
function placeSuspension({ node, order, waits, startsStatement }, workshop) {
  const { edits, probe } = workshop;
  const value = node.argument;
  if (endsByLineBreak(node, workshop)) edits.after(node.end, OUTERMOST, ';');
  // A statement before it that ends without a semicolon would take the parenthesis for a call's.
  const separator = startsStatement ? ';' : '';
  const isThere = isPure(value);
  if (!isThere) around(value, order, probe.suspendAfterValue(needsHiding(value), waits), workshop);
  const [before, after] = isThere ? probe.suspendAround(waits) : probe.resumeAround(waits);
  around(node, order, [separator + before, after], workshop);
}

/** @param {Node} node @param {number} order @param {string[]} texts @param {Pick<Workshop, 'edits'>} workshop */
function around(node, order, [before, after], { edits }) {
  edits.before(node.start, order, before);
  edits.after(node.end, order, after);
}
