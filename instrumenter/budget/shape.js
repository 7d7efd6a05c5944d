import { fnv1a } from '../text/fnv1a.js';
import { childrenOf } from '../syntax/syntax.js';

/** @typedef {import('../syntax/parse.js').Node} Node */

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|\w*Method)$/;

/**
 * What a function does, whatever its variables are called: kinds of nodes, names of properties, literals. Minifiers rename variables
 * and not properties, so the shape stays when another part of the script changes. Functions inside are not part of it.
 * @param {Node} node a function, or a program
 * @returns {string} a hash
 */
export function shapeOf(node) {
  /** @type {string[]} */
  const parts = [];
  // A stack of its own: chains such as a + b + c are as deep as they are long.
  const waiting = [...childrenOf(node)].reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    parts.push(next.type, detailOf(next));
    if (FUNCTION.test(next.type)) continue;
    // Not as arguments: a list may be longer than a call takes.
    for (const child of childrenOf(next).reverse()) waiting.push(child);
  }
  return fnv1a(new TextEncoder().encode(parts.join(' '))).toString(36);
}

/** @param {Node} node @returns {string} */
function detailOf(node) {
  if (node.operator) return node.operator;
  if (/^(Member|OptionalMember)Expression$/.test(node.type) && !node.computed)
    return node.property.name ?? '';
  if (/Literal$/.test(node.type)) return String(node.value ?? node.pattern ?? '');
  return '';
}
