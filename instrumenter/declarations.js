import { addDeclaredNames, childrenOf } from './syntax.js';

/** @typedef {import('./parse.js').Node} Node */

/**
 * What a name stands for at a place, as far as it can be read off the text: for the few places where it matters, found from the
 * outside in, without scopes for the whole script.
 * @param {Node} program
 * @param {string} name
 * @param {number} offset
 * @returns {Node | null} the function or class that is declared, or the value that a variable is made with; null: anything else
 */
export function declarationAt(program, name, offset) {
  let found = null;
  for (let node = program; node; node = childAt(node, offset)) {
    const declared = declaredIn(node, name);
    if (declared !== undefined) found = declared;
  }
  return found;
}

/** @param {Node} node @param {number} offset @returns {Node | undefined} */
function childAt(node, offset) {
  return childrenOf(node).find((child) => child.start <= offset && offset < child.end);
}

const FUNCTION =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|Class(Private)?Method)$/;

/** @param {Node} node @param {string} name @returns {Node | null | undefined} undefined: this is no scope of that name */
function declaredIn(node, name) {
  if (node.type === 'Program') return hoisted(node.body, name) ?? inList(node.body, name);
  if (FUNCTION.test(node.type)) {
    const { params, body } = node;
    const own =
      body.type === 'BlockStatement' ? (hoisted(body.body, name) ?? inList(body.body, name)) : undefined;
    if (own !== undefined) return own;
    if (params.some((/** @type {Node} */ param) => binds(param, name))) return null;
    return node.type === 'FunctionExpression' && node.id?.name === name ? node : undefined;
  }
  if (node.type === 'ClassExpression') return node.id?.name === name ? node : undefined;
  if (node.type === 'CatchClause') return node.param && binds(node.param, name) ? null : undefined;
  if (node.type === 'BlockStatement' || node.type === 'StaticBlock') return inList(node.body, name);
  if (node.type === 'SwitchStatement') {
    return inList(
      node.cases.flatMap((/** @type {Node} */ each) => each.consequent),
      name,
    );
  }
  const head =
    node.type === 'ForStatement' ? node.init : /^For(In|Of)Statement$/.test(node.type) ? node.left : null;
  return head ? inList([head], name) : undefined;
}

/** Declarations that stand in a list of statements themselves. @param {Node[]} statements @param {string} name */
function inList(statements, name) {
  for (const statement of statements) {
    const declaration = statement.declaration ?? statement;
    if (/^(Function|Class)Declaration$/.test(declaration.type) && declaration.id?.name === name)
      return declaration;
    if (declaration.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' ? id.name === name : binds(id, name))
        return id.type === 'Identifier' ? (init ?? null) : null;
    }
  }
  return undefined;
}

/** `var` anywhere in a function, but not in functions inside it. @param {Node[]} statements @param {string} name @returns {Node | null | undefined} */
function hoisted(statements, name) {
  const waiting = [...statements];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (FUNCTION.test(node.type) || /^Class/.test(node.type) || /(Expression|Literal)$/.test(node.type))
      continue;
    if (node.type === 'VariableDeclaration') {
      const declared = node.kind === 'var' ? inList([node], name) : undefined;
      if (declared !== undefined) return declared;
      continue;
    }
    waiting.push(...childrenOf(node));
  }
  return undefined;
}

/** @param {Node} pattern @param {string} name @returns {boolean} */
export function binds(pattern, name) {
  /** @type {Set<string>} */
  const names = new Set();
  addDeclaredNames(names, pattern);
  return names.has(name);
}
