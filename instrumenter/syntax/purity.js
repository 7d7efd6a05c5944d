/** @typedef {import('./parse.js').Node} Node */

const VALUES = new Set([
  'Identifier',
  'ThisExpression',
  'StringLiteral',
  'NumericLiteral',
  'BigIntLiteral',
  'BooleanLiteral',
  'NullLiteral',
  'RegExpLiteral',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/** @param {Node | null | undefined} node @returns {boolean} does nothing worth measuring run to get its value? */
export function isPure(node) {
  if (!node || VALUES.has(node.type)) return true;
  // `!0`, `void 0`, `-1`: what minifiers write for constants.
  return (
    node.type === 'UnaryExpression' &&
    node.operator !== 'delete' &&
    /Literal$/.test(node.argument.type) &&
    node.argument.type !== 'TemplateLiteral'
  );
}

/** @param {Node} statement @returns {boolean} can what follows it be reached? In doubt, yes. */
export function completes(statement) {
  switch (statement?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return false;
    case 'BlockStatement':
      return completes(statement.body.at(-1));
    case 'IfStatement':
      return !statement.alternate || completes(statement.consequent) || completes(statement.alternate);
    default:
      return true;
  }
}
