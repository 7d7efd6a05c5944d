import { addDeclaredNames, CHILD_KEYS, childrenOf, nodesInside } from './syntax.js';

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

/**
 * @param {Node} program
 * @param {string} name
 * @param {number} offset of a place where `declarationAt` knows no declaration
 * @returns {{of: Node, called: string, index: number} | null} it is that parameter `of` the innermost function around that has it, or of the class
 *   that it makes, which is called by that name
 */
export function parameterAt(program, name, offset) {
  let found = null;
  let outer = program;
  let aroundClass = program;
  let ofClass = program;
  for (let node = program; node; node = childAt(node, offset)) {
    const index = FUNCTION.test(node.type)
      ? node.params.findIndex(
          (/** @type {Node} */ param) => param.type === 'Identifier' && param.name === name,
        )
      : -1;
    if (/^Class(Declaration|Expression)$/.test(node.type)) [aroundClass, ofClass] = [outer, node];
    if (index >= 0) {
      const [of, around] = node.kind === 'constructor' ? [ofClass, aroundClass] : [node, outer];
      const called = of.id?.name ?? (around.type === 'VariableDeclarator' ? around.id.name : undefined);
      found = called === undefined ? null : { of, called, index };
    }
    outer = node;
  }
  return found;
}

/** @type {WeakMap<Node, Map<string, Node[]>>} of programs */
const callsIn = new WeakMap();

/** @param {Node} program @param {string} name @returns {Node[]} calls of what has that name somewhere */
export function callsOf(program, name) {
  const known = callsIn.get(program) ?? callsByName(program);
  callsIn.set(program, known);
  return known.get(name) ?? [];
}

/** @param {Node} program @returns {Map<string, Node[]>} */
function callsByName(program) {
  /** @type {Map<string, Node[]>} */
  const found = new Map();
  for (const node of nodesInside(program)) {
    if (!/^(Call|New)Expression$/.test(node.type) || node.callee.type !== 'Identifier') continue;
    const { name } = node.callee;
    const calls = found.get(name) ?? [];
    calls.push(node);
    found.set(name, calls);
  }
  return found;
}

/** @param {Node} node @param {number} offset @returns {Node | undefined} */
export function childAt(node, offset) {
  for (const key of CHILD_KEYS[node.type]) {
    const part = node[key];
    const child = Array.isArray(part) ? itemAt(part, offset) : part;
    if (child && child.start <= offset && offset < child.end) return child;
  }
  return undefined;
}

/**
 * Lists of statements, and of a bundle's modules, are long and asked for often.
 * @param {(Node | null)[]} list in order; null: a hole
 * @param {number} offset
 * @returns {Node | null | undefined} the first one that ends behind it
 */
function itemAt(list, offset) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    let item = middle;
    while (item < high && !list[item]) item++;
    if (item < high && list[item].end <= offset) low = item + 1;
    else high = middle;
  }
  while (low < list.length && !list[low]) low++;
  return list[low];
}

const FUNCTION =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|Class(Private)?Method)$/;

/** @param {Node} node @param {string} name @returns {Node | null | undefined} undefined: this is no scope of that name */
function declaredIn(node, name) {
  if (node.type === 'Program') return inBody(node.body, name);
  if (FUNCTION.test(node.type)) {
    const { params, body } = node;
    const own = body.type === 'BlockStatement' ? inBody(body.body, name) : undefined;
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

/** @typedef {Map<string, Node | null>} Declared by name, as of `declarationAt` */

/** A script's outermost list is long, and asked for often. @param {(statements: Node[]) => Declared} read @returns {(statements: Node[]) => Declared} */
function remembered(read) {
  /** @type {WeakMap<Node[], Declared>} */
  const known = new WeakMap();
  return (statements) => {
    const declared = known.get(statements) ?? read(statements);
    known.set(statements, declared);
    return declared;
  };
}

/** Declarations that stand in a list of statements themselves; the first one of each name that has a value. */
const namesInList = remembered((statements) => {
  /** @type {Declared} */
  const names = new Map();
  for (const statement of statements) addDeclarations(names, statement.declaration ?? statement);
  return names;
});

/** `var` anywhere in a function, but not in functions inside it. */
const hoistedNames = remembered((statements) => {
  /** @type {Declared} */
  const names = new Map();
  const waiting = [...statements];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (FUNCTION.test(node.type) || /^Class/.test(node.type) || /(Expression|Literal)$/.test(node.type))
      continue;
    if (node.type === 'VariableDeclaration') {
      if (node.kind === 'var') addDeclarations(names, node);
    } else for (const child of childrenOf(node)) waiting.push(child);
  }
  return names;
});

/** @param {Declared} names @param {Node} declaration */
function addDeclarations(names, declaration) {
  const add = (/** @type {string} */ name, /** @type {Node | null} */ node) => {
    if (!names.get(name)) names.set(name, node);
  };
  if (/^(Function|Class)Declaration$/.test(declaration.type)) {
    if (declaration.id) add(declaration.id.name, declaration);
  } else if (declaration.type === 'VariableDeclaration') {
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier') add(id.name, init ?? null);
      else for (const name of boundNames(id)) add(name, null);
    }
  }
}

/** @param {Node[]} statements @param {string} name */
const inList = (statements, name) => namesInList(statements).get(name);

/** @param {Node[]} statements of a function or a script @param {string} name @returns {Node | null | undefined} as of `declaredIn` */
function inBody(statements, name) {
  const hoisted = hoistedNames(statements);
  return (
    hoisted.get(name) ??
    inList(statements, name) ??
    (hoisted.has(name) || namesInList(statements).has(name) ? null : undefined)
  );
}

/** @param {Node} pattern @param {string} name @returns {boolean} */
export function binds(pattern, name) {
  return boundNames(pattern).has(name);
}

/** @param {Node} pattern @returns {Set<string>} */
function boundNames(pattern) {
  /** @type {Set<string>} */
  const names = new Set();
  addDeclaredNames(names, pattern);
  return names;
}
