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
  return tokenFrom('(', code, name ? name.end : node.start);
}

/** @param {import('./parse.js').Node} node a class @param {string} code @returns {number} offset of its keyword */
export function classOffset({ decorators, start }, code) {
  return tokenFrom('class', code, decorators?.at(-1)?.end ?? start);
}

/** @param {string} token @param {string} code @param {number} at @returns {number} the first one that is not in a comment */
function tokenFrom(token, code, at) {
  for (;;) {
    at = afterBlanks(code, at);
    if (code.startsWith(token, at)) return at;
    at++;
  }
}
