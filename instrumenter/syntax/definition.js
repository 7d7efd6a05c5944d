import { afterBlanks } from '../text/blanks.js';

/**
 * @param {import('./parse.js').Node} node a function
 * @param {string} code
 * @returns {number} offset of its definition, where V8 puts it: the `(` of the parameters, the first character of an arrow
 *   function (its `async`, if it has one)
 */
export function definitionOffset(node, code) {
  if (node.type === 'ArrowFunctionExpression') return node.start;
  const name = node.key ?? node.id;
  return parenthesisFrom(code, name ? name.end : node.start);
}

/** @param {string} code @param {number} at @returns {number} the first `(` that is not in a comment */
function parenthesisFrom(code, at) {
  for (;;) {
    at = afterBlanks(code, at);
    if (code[at] === '(') return at;
    at++;
  }
}
