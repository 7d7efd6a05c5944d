import { completes } from '../syntax/purity.js';
import { needsHiding, terminator } from './seams.js';

/**
 * Probes of loops: of `for await`, which awaits before each step, and of those that a jump out of one goes to.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('../functions/function_record.js').LoopPoint} LoopPoint
 * @typedef {import('./place_probes.js').Workshop} Workshop
 */

/**
 * Suspended: from the iterable on, and from the body's end on. Running: in the body, and after the loop. A jump out of the body
 * suspends by a probe of its own.
 * @param {LoopPoint} point
 * @param {Workshop} workshop
 */
export function placeForAwait({ statement, outer, order, waits }, workshop) {
  const { edits, probe } = workshop;
  const { right, body } = statement;
  const [before, after] = probe.suspendAfterValue(needsHiding(right), waits);
  edits.before(right.start, order, before);
  edits.after(right.end, order, after);
  const end = completes(body) ? probe.suspendStatement(waits) : '';
  const [guard, guardEnd] = probe.guardForAwait;
  putInBody(body, order, probe.resumeStatement(waits) + guard, end + guardEnd, workshop);
  putAfter(outer, order, probe.resumeStatement(waits), workshop);
}

/** @param {LoopPoint} point @param {Workshop} workshop */
export function placeLanding({ statement, outer, isLoop, order }, workshop) {
  const { resumeIfSuspended } = workshop.probe;
  if (isLoop) putInBody(statement.body, order, resumeIfSuspended, '', workshop);
  putAfter(outer, order, resumeIfSuspended, workshop);
}

/** @param {Node} body @param {number} order @param {string} start @param {string} end @param {Workshop} workshop */
function putInBody(body, order, start, end, workshop) {
  const { edits } = workshop;
  if (body.type === 'BlockStatement') {
    edits.opening(body.start + 1, start);
    if (end) edits.after(body.end - 1, order, terminator(body.body, workshop) + end);
  } else {
    edits.before(body.start, order, `{${start}`);
    edits.after(body.end, order, `${terminator([body], workshop)}${end}}`);
  }
}

/** The statement may stand where only one is allowed. @param {Node} statement @param {number} order @param {string} text @param {Workshop} workshop */
function putAfter(statement, order, text, workshop) {
  workshop.edits.before(statement.start, order, '{');
  workshop.edits.after(statement.end, order, `${terminator([statement], workshop)}${text}}`);
}
