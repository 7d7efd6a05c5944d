import { childrenOf } from '../syntax/syntax.js';

/** @typedef {import('../syntax/parse.js').Node} Node */

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|\w*Method)$/;
const LOOP = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;
const CALL = /^(OptionalCall|Call|New)Expression$/;

/** How often a loop goes round, for want of anything better; branch predictors of compilers guess about the same. */
const ROUNDS = 8;
const DEEPEST = 4;

/** What a node of the syntax tree takes, ns: a guess between compiled arithmetic and a property that has to be looked up. */
const NS_PER_NODE = 0.5;

/**
 * What one call of a function does itself, by its text.
 * @typedef {object} OwnWork
 * @property {number} ns
 * @property {{name: string, times: number}[]} calls by the name that stands there; empty: not by a name
 * @property {{node: Node, times: number}[]} callbacks functions that are given to a call
 *
 * @param {Node} node a function, or a program
 * @returns {OwnWork}
 */
export function ownWork(node) {
  /** @type {OwnWork} */
  const work = { ns: 0, calls: [], callbacks: [] };
  const waiting = [{ node, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { type } = next.node;
    const times = ROUNDS ** Math.min(next.depth, DEEPEST);
    work.ns += NS_PER_NODE * times;
    if (CALL.test(type)) {
      work.calls.push({ name: nameOf(next.node.callee), times });
      for (const argument of next.node.arguments) {
        if (FUNCTION.test(argument.type)) work.callbacks.push({ node: argument, times: times * ROUNDS });
      }
    }
    if (next.node !== node && FUNCTION.test(type)) continue;
    const depth = next.depth + (LOOP.test(type) ? 1 : 0);
    for (const child of childrenOf(next.node)) waiting.push({ node: child, depth });
  }
  return work;
}

/** @param {Node} callee @returns {string} */
function nameOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  return callee.property?.name ?? '';
}
