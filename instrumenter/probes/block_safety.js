import { addDeclaredNames } from '../syntax/syntax.js';
import { walker } from '../syntax/walk.js';

/** @typedef {import('../syntax/parse.js').Node} Node */

/**
 * Does a function's body mean the same inside a block? Its function declarations become the block's: that is no difference, unless
 * one has the name of another one, of a `var` (both would be errors), of a parameter (they would no longer be one variable), or of one in a block
 * (which sloppy code has as a variable of the function, too).
 * @param {Node} fn
 * @returns {boolean}
 */
export function isBlockSafe({ body, params }) {
  if (body.type !== 'BlockStatement') return true;
  const functions = body.body
    .map(declaredFunction)
    .filter((/** @type {string | null} */ name) => name !== null);
  if (functions.length === 0) return true;
  const others = new Set(['arguments']);
  const statements = body.body.filter((/** @type {Node} */ statement) => !declaredFunction(statement));
  for (const node of [...params, ...statements]) addVariables(others, node, body);
  addDeclaredNames(others, params);
  return (
    new Set(functions).size === functions.length &&
    !functions.some((/** @type {string} */ name) => others.has(name))
  );
}

/** @param {Node} statement @returns {string | null} */
function declaredFunction(statement) {
  while (statement.type === 'LabeledStatement') statement = statement.body;
  return statement.type === 'FunctionDeclaration' ? statement.id.name : null;
}

const isElsewhere = () => {};

const addVariables = walker(
  {
    VariableDeclaration(/** @type {Set<string>} */ names, node) {
      if (node.kind === 'var') addDeclaredNames(names, node);
    },
  },
  {
    FunctionDeclaration: (names, { id }) => void names.add(id.name),
    FunctionExpression: isElsewhere,
    ArrowFunctionExpression: isElsewhere,
    ObjectMethod: isElsewhere,
    ClassMethod: isElsewhere,
    ClassPrivateMethod: isElsewhere,
    StaticBlock: isElsewhere,
  },
);
