import { walker } from '../syntax/walk.js';
import { classOffset, definitionOffset } from '../syntax/definition.js';
import { methodName } from '../syntax/names.js';
import { NOTES } from './notes.js';
import { Scan } from './scan.js';

/**
 * One walk over a script: its functions, how heavy each is, and the places in each where it stops or starts running.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 */

/**
 * @param {Node} program
 * @param {string} code
 * @returns {{records: FunctionRecord[], texts: import('./turned_into_text.js').Texts, callbacks: import('./entry_points.js').Callback[]}} the top
 *   level first, every function after the one around it; `callbacks`: what is given to the event loop
 */
export function collectFunctions(program, code) {
  const scan = new Scan(code);
  scan.inside(
    {
      kind: 'top',
      node: program,
      name: { text: '', runtime: false, at: 0 },
      definition: 0,
      end: code.length,
      suspends: program.sourceType === 'module',
    },
    () => walk(scan, program, program),
  );
  return { records: scan.records, texts: scan.texts, callbacks: scan.given };
}

/** @param {Scan} scan @param {Node} node */
function visitFunction(scan, node) {
  // A computed key and decorators run in the function around.
  if (node.computed) walk(scan, node.key, node);
  walkAll(scan, node.decorators, node);
  const isAsm = node.body.directives?.some(
    (/** @type {Node} */ directive) => directive.value.value === 'use asm',
  );
  scan.inside(
    {
      kind: 'function',
      node,
      name: functionName(scan, node),
      definition: definitionOffset(node, scan.code),
      start: node.start,
      end: node.end,
      suspends: node.async || node.generator,
    },
    () => {
      if (isAsm) scan.here.obstacle = 'asm.js';
      walkAll(scan, node.params, node);
      if (node.body.type !== 'BlockStatement') scan.here.weight++;
      walk(scan, node.body, node);
    },
  );
}

/** @param {Scan} scan @param {Node} node @returns {import('../syntax/names.js').FunctionName} */
function functionName(scan, node) {
  if (node.kind === 'constructor') return scan.classNames[scan.classNames.length - 1];
  return node.key ? methodName(node) : scan.names.of(node);
}

/** @param {Scan} scan @param {Node[] | null | undefined} nodes @param {Node} parent */
function walkAll(scan, nodes, parent) {
  for (const node of nodes ?? []) walk(scan, node, parent);
}

/** @param {Scan} scan @param {Node} node */
function visitClass(scan, node) {
  const name = scan.names.of(node);
  const isWritten = node.body.body.some((/** @type {Node} */ member) => member.kind === 'constructor');
  if (!isWritten) {
    // Engines report the constructor that is not there at the keyword; the function around the class is not on the stack then.
    const start = classOffset(node, scan.code);
    const range = { definition: start, end: start + 'class'.length };
    scan.inside({ kind: 'constructor', node, name, ...range }, () => {});
  }
  walkAll(scan, node.decorators, node);
  if (node.superClass) walk(scan, node.superClass, node);
  scan.classNames.push(name);
  walk(scan, node.body, node);
  scan.classNames.pop();
}

/** @param {Scan} scan @param {Node} node a class field or accessor */
function visitField(scan, node) {
  walkAll(scan, node.decorators, node);
  if (node.computed) walk(scan, node.key, node);
  if (!node.value) return;
  scan.names.keyed(node, node.value);
  initializer(scan, node, node.key.end, () => walk(scan, node.value, node));
}

/** @param {Scan} scan @param {Node} node @param {number} definition @param {() => void} walkInside */
function initializer(scan, node, definition, walkInside) {
  const name = { text: '', runtime: false, at: node.start };
  scan.inside({ kind: 'initializer', node, name, definition, end: node.end }, walkInside);
}

/** @param {Scan} scan @param {Node} node */
function visitTry(scan, node) {
  scan.recoveries(node);
  scan.tries.open(node, scan.nextOrder());
  walk(scan, node.block, node);
  if (node.handler) walk(scan, node.handler, node);
  if (node.finalizer) walk(scan, node.finalizer, node);
  scan.tries.close();
}

/** @param {Scan} scan @param {Node} node */
function visitLabeled(scan, node) {
  scan.jumps.label(node);
  const { body } = node;
  if (LABELS_OF_THEIR_OWN.test(body.type)) walk(scan, body, node);
  else visitJumpTarget(scan, body, () => walk(scan, body, node));
}
const LABELS_OF_THEIR_OWN = /^(For|While|DoWhile|Switch|Labeled)/;

/** @param {Scan} scan @param {Node} node a loop or switch */
function visitLoop(scan, node) {
  visitJumpTarget(scan, node, () => {
    for (const part of [
      node.init,
      node.left,
      node.right,
      node.discriminant,
      node.test,
      node.update,
      node.body,
    ]) {
      if (part) walk(scan, part, node);
    }
    walkAll(scan, node.cases, node);
  });
}

/** @param {Scan} scan @param {Node} node @param {() => void} walkInside */
function visitJumpTarget(scan, node, walkInside) {
  const target = scan.jumps.open(node);
  const order = scan.nextOrder();
  walkInside();
  scan.jumps.close();
  if (target.isForAwait) {
    const waits = scan.mayLand(node.start) || target.forgetsSuspension;
    scan.here.points.push({ ...target, kind: 'for await', order, waits });
  } else if (target.isLanding) {
    scan.here.points.push({ ...target, kind: 'landing', order, waits: true });
  }
}

const walk = walker(NOTES, {
  FunctionDeclaration: visitFunction,
  FunctionExpression: visitFunction,
  ArrowFunctionExpression: visitFunction,
  ObjectMethod: visitFunction,
  ClassMethod: visitFunction,
  ClassPrivateMethod: visitFunction,
  ClassDeclaration: visitClass,
  ClassExpression: visitClass,
  ClassProperty: visitField,
  ClassPrivateProperty: visitField,
  ClassAccessorProperty: visitField,
  StaticBlock: (scan, node) => initializer(scan, node, node.start, () => walkAll(scan, node.body, node)),
  TryStatement: visitTry,
  LabeledStatement: visitLabeled,
  ForStatement: visitLoop,
  ForInStatement: visitLoop,
  ForOfStatement: visitLoop,
  WhileStatement: visitLoop,
  DoWhileStatement: visitLoop,
  SwitchStatement: visitLoop,
  WithStatement(scan, node) {
    walk(scan, node.object, node);
    scan.insideWith(() => walk(scan, node.body, node));
  },
});
