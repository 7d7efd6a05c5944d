import { callbacksOf, handlersIn, handlersInTemplate, handlersOf } from './entry_points.js';
import { isParameter } from './cloned_functions.js';
import {
  expressionAlone,
  isMemberMade,
  operandWithEmptyText,
  textsInSum,
  textsInTemplate,
  textsMadeBy,
  textsOfTables,
  textTakenBy,
} from './taken_texts.js';

/**
 * What is noted of a node as the walk over a script comes to it, and before it goes on to the node's parts.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('./scan.js').Scan} Scan
 */

/** @param {Scan} scan @param {Node} node */
function noteReturn(scan, node) {
  scan.here.weight++;
  const hasFinally = scan.leavesAtEndOfFinally(node.start);
  const { async: isAsync, generator } = scan.here.node;
  // `return x` in an async generator awaits x, and leaving a `for await` awaits the iterator's `return`.
  const awaits = (isAsync && generator && node.argument) || scan.jumps.insideForAwait;
  const waits = Boolean(awaits) && scan.mayLand(node.start);
  scan.point('return', node, waits, hasFinally && !waits);
}

/** @param {Scan} scan @param {Node} node */
function noteThrow(scan, node) {
  scan.here.weight++;
  const isCaught = scan.tries.landings(node.start).length > 0;
  const waits = isCaught && scan.jumps.insideForAwait && scan.mayLand(node.start);
  // A function that catches its own exception goes on running.
  if (waits || !isCaught) scan.point('throw', node, waits);
}

/** @param {Scan} scan @param {Node} node */
function noteJump(scan, node) {
  scan.here.weight++;
  if (!scan.jumps.insideForAwait) return;
  const { target, closed } = scan.jumps.resolve(node);
  if (closed.length === 0) return;
  const landsElsewhere = !target.isForAwait;
  if (landsElsewhere) target.isLanding = true;
  const waits = scan.mayLand(node.start) || landsElsewhere;
  if (waits) for (const loop of closed) loop.forgetsSuspension = true;
  // The iterator is closed when the finally blocks on the way have run.
  scan.leavesAtEndOfFinally(node.start, target.statement.start);
  scan.point('jump', node, waits);
}

/** @param {Scan} scan @param {Node} node */
function noteCall(scan, node) {
  scan.here.weight++;
  if (node.callee.type === 'Identifier' && node.callee.name === 'eval') scan.directEval();
  noteTextOfCall(scan, node);
  scan.callbacks(callbacksOf(node));
}

/** @param {Scan} scan @param {Node} call */
function noteTextOfCall(scan, call) {
  const text = textTakenBy(call);
  if (text) noteText(scan, text);
}

/** @param {Scan} scan @param {Node} text what is turned into it, and into nothing else */
function noteText(scan, text) {
  scan.texts.taken.push(text);
  if (isParameter(text, scan.here.node)) scan.texts.parameters.push(text);
}

/** @param {Scan} scan @param {Node} node */
function noteNew(scan, node) {
  scan.here.weight++;
  scan.texts.taken.push(...textsMadeBy(node));
  scan.callbacks(callbacksOf(node));
}

/** @param {number} weight @returns {(scan: Scan) => void} */
const weighs = (weight) => (scan) => {
  scan.here.weight += weight;
};

/** @type {import('../syntax/walk.js').Visitors<Scan>} */
export const NOTES = {
  ExpressionStatement: (scan, node, parent) => scan.expressionStatement(node, parent),
  VariableDeclaration(scan, node) {
    scan.here.weight += node.declarations.length;
    if (node.kind === 'await using') scan.here.obstacle ??= 'await using';
  },
  IfStatement: weighs(1),
  SwitchStatement: weighs(1),
  TryStatement: weighs(1),
  DebuggerStatement: weighs(1),
  ExportDefaultDeclaration(scan, node) {
    scan.here.weight++;
    scan.names.exportedAsDefault(node.declaration);
  },
  // A loop weighs as a statement, and as what it is.
  ForStatement: weighs(2),
  ForInStatement: weighs(2),
  ForOfStatement: weighs(2),
  WhileStatement: weighs(2),
  DoWhileStatement: weighs(2),
  SequenceExpression: (scan, node) => void (scan.here.weight += node.expressions.length - 1),

  CallExpression: noteCall,
  OptionalCallExpression(scan, node) {
    scan.here.weight++;
    noteTextOfCall(scan, node);
    scan.callbacks(callbacksOf(node));
  },
  NewExpression: noteNew,
  TaggedTemplateExpression(scan, node) {
    scan.here.weight++;
    scan.callbacks(handlersInTemplate(node));
  },
  ImportExpression: weighs(1),
  BinaryExpression(scan, node) {
    const alone = operandWithEmptyText(node);
    if (alone) noteText(scan, alone);
    else scan.texts.taken.push(...textsInSum(node));
    scan.texts.ofTables.push(...textsOfTables(node));
  },
  TemplateLiteral(scan, node) {
    const alone = expressionAlone(node);
    if (alone) noteText(scan, alone);
    else scan.texts.taken.push(...textsInTemplate(node));
  },

  ReturnStatement: noteReturn,
  ThrowStatement: noteThrow,
  BreakStatement: noteJump,
  ContinueStatement: noteJump,
  AwaitExpression: (scan, node) => scan.suspension('await', node),
  YieldExpression(scan, node) {
    if (node.delegate) scan.here.delegates = true;
    scan.suspension('yield', node);
  },

  VariableDeclarator: (scan, node) => scan.names.assigned(node.id, node.init),
  AssignmentPattern: (scan, node) => scan.names.assigned(node.left, node.right),
  AssignmentExpression(scan, node) {
    if (!/^(=|&&=|\|\|=|\?\?=)$/.test(node.operator)) return;
    scan.names.assigned(node.left, node.right);
    scan.callbacks(handlersOf(node));
    if (isMemberMade(node)) scan.texts.assigned.push(node);
  },
  ObjectProperty(scan, node) {
    scan.names.keyed(node, node.value);
    scan.callbacks(handlersIn(node));
  },
};
