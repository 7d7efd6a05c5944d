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
    const c = code[at];
    if (c === '(') return at;
    if (c === '/' && code[at + 1] === '*') at = code.indexOf('*/', at) + 2;
    else if (c === '/' && code[at + 1] === '/') at += code.slice(at).search(/[\n\r\u2028\u2029]/);
    else at++;
  }
}
