import { declarationAt } from './declarations.js';

/**
 * Functions whose text is taken, to run it in a worker or elsewhere: there the probes would find nothing that they need.
 *
 * @typedef {import('./parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 * @typedef {{name: string, offset: number}} TextWarning `offset`: of the place where the text is taken
 */

const OBSTACLE = 'turned into text';

/** How often a name is looked up in what another one stands for. */
const MAX_DEPTH = 4;

/** @param {Node} call `f.toString()`, `String(f)`, `Function.prototype.toString.call(f)` @returns {Node | null} what its text is taken of */
export function textTakenBy(call) {
  const { callee, arguments: args } = call;
  if (callee.type === 'Identifier') return callee.name === 'String' && args.length === 1 ? args[0] : null;
  if (callee.type !== 'MemberExpression' || callee.computed) return null;
  if (callee.property.name === 'toString') return args.length === 0 ? callee.object : null;
  const isOfAll = callee.property.name === 'call' && callee.object.property?.name === 'toString';
  return isOfAll && args.length === 1 ? args[0] : null;
}

/** @param {Node} node `new Blob([...])` @returns {Node[]} what its text is made of; else nothing */
export function blobParts({ callee, arguments: args }) {
  const isBlob = callee.type === 'Identifier' && callee.name === 'Blob';
  return isBlob && args[0]?.type === 'ArrayExpression' ? args[0].elements.filter(Boolean) : [];
}

/**
 * Gives the functions an obstacle.
 * @param {Node[]} expressions that are turned into text
 * @param {Node} program
 * @param {FunctionRecord[]} records
 * @returns {TextWarning[]} one for each function that was written as such
 */
export function markTurnedIntoText(expressions, program, records) {
  /** @type {Map<Node, TextWarning>} */
  const warnings = new Map();
  for (const expression of expressions) {
    for (const taken of functionsIn(expression, program, MAX_DEPTH)) {
      if (warnings.has(taken)) continue;
      const inside = records.filter(
        ({ kind, node }) => kind !== 'top' && taken.start <= node.start && node.end <= taken.end,
      );
      for (const record of inside) record.obstacle ??= OBSTACLE;
      const name = taken.id?.name ?? inside[0]?.name.text ?? '';
      if (inside.length > 0) warnings.set(taken, { name, offset: expression.start });
    }
  }
  return [...warnings.values()];
}

/**
 * @param {Node} expression
 * @param {Node} program
 * @param {number} depth names to look up
 * @returns {Node[]} functions and classes whose text is in that of the expression
 */
function functionsIn(expression, program, depth) {
  const found = [];
  const waiting = [expression];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (/^(Function|ArrowFunction|Class)(Expression|Declaration)$/.test(node.type)) found.push(node);
    else if (node.type === 'TemplateLiteral') waiting.push(...node.expressions);
    else if (node.type === 'BinaryExpression' && node.operator === '+') waiting.push(node.left, node.right);
    else if (node.type === 'Identifier' && depth > 0) {
      const declared = declarationAt(program, node.name, node.start);
      if (declared) found.push(...functionsIn(declared, program, depth - 1));
    }
  }
  return found;
}
