import { keptValue } from './syntax.js';

/**
 * Function names as ECMA-262 gives them: what `fn.name` says at run time, found from the text.
 *
 * @typedef {import('./parse.js').Node} Node
 * @typedef {{text: string, runtime: boolean, at: number, hint?: string | null}} FunctionName `runtime`: a computed key, known
 *   only when it runs (`text` is then empty); `at`: offset of the identifier or key it comes from, which source maps know by its
 *   original name; `hint`: what people call a function that ECMA-262 gives no name, `set` of `A.prototype.set = function () {}`.
 *   null: there is nothing that it could be called by
 */

const WELL_KNOWN_SYMBOLS = new Set(
  (
    'asyncDispose asyncIterator dispose hasInstance isConcatSpreadable iterator match matchAll replace search species ' +
    'split toPrimitive toStringTag unscopables'
  ).split(' '),
);

/** @param {Node} node @returns {boolean} ECMA-262 IsAnonymousFunctionDefinition; parentheses don't matter */
export function isAnonymousDefinition(node) {
  if (node.type === 'ArrowFunctionExpression') return true;
  return (node.type === 'FunctionExpression' || node.type === 'ClassExpression') && !node.id;
}

/** The names that functions and classes get from where they stand. */
export class InferredNames {
  /** @type {Map<Node, FunctionName>} */
  #names = new Map();

  /** @param {Node} node function or class @returns {FunctionName} */
  of(node) {
    if (node.id) return identifierName(node.id);
    return this.#names.get(node) ?? { text: '', runtime: false, at: node.start, hint: null };
  }

  /** `target = value` in any of its forms. @param {Node} target @param {Node | null | undefined} value */
  assigned(target, value) {
    if (!value || !isAnonymousDefinition(value)) return;
    const name = target.type === 'MemberExpression' ? memberHint(target) : variableName(target);
    if (name) this.#names.set(value, name);
  }

  /** Property or class field. @param {Node} member @param {Node | null | undefined} value */
  keyed(member, value) {
    if (!value) return;
    const kept = keptValue(value);
    if (!isAnonymousDefinition(kept)) return;
    // `__proto__: f` sets the prototype and names nothing.
    const setsPrototype = member.type === 'ObjectProperty' && !member.computed && !member.shorthand;
    const name = keyName(member);
    if (setsPrototype && name.text === '__proto__') return;
    this.#names.set(
      kept,
      kept === value ? name : { ...name, text: '', runtime: false, hint: name.text || null },
    );
  }

  /** @param {Node} declaration of `export default` */
  exportedAsDefault(declaration) {
    const nameless = /^(Function|Class)Declaration$/.test(declaration.type) && !declaration.id;
    if (nameless || isAnonymousDefinition(declaration))
      this.#names.set(declaration, { text: 'default', runtime: false, at: declaration.start });
  }
}

/** @param {Node} method of an object or class, with `get `, `set ` and `#` @returns {FunctionName} */
export function methodName(method) {
  const name = keyName(method);
  const prefixed = (method.kind === 'get' || method.kind === 'set') && !name.runtime;
  return prefixed ? { ...name, text: `${method.kind} ${name.text}` } : name;
}

/** @param {Node} target of an assignment @returns {FunctionName | null} */
function variableName(target) {
  return target.type === 'Identifier' && !target.extra?.parenthesized ? identifierName(target) : null;
}

/** @param {Node} target member expression that a function is assigned to @returns {FunctionName | null} */
function memberHint({ property, computed }) {
  const isIndex = property.type === 'NumericLiteral';
  const hint = isIndex ? null : computed ? staticKey(property) : plainKey(property);
  return hint ? { text: '', runtime: false, at: property.start, hint } : null;
}

/** @param {Node} identifier @returns {FunctionName} */
function identifierName(identifier) {
  return { text: identifier.name, runtime: false, at: identifier.start };
}

/** @param {{key: Node, computed?: boolean}} member @returns {FunctionName} */
function keyName({ key, computed }) {
  const text = computed ? staticKey(key) : plainKey(key);
  return { text: text ?? '', runtime: text === null, at: key.start };
}

/** @param {Node} key @returns {string | null} */
function plainKey(key) {
  if (key.type === 'Identifier') return key.name;
  if (key.type === 'PrivateName') return `#${key.id.name}`;
  return staticKey(key);
}

/** @param {Node} key expression @returns {string | null} null: known only at run time */
export function staticKey(key) {
  switch (key.type) {
    case 'StringLiteral':
      return key.value;
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return String(key.value);
    case 'BigIntLiteral':
      return String(BigInt(key.value));
    case 'NullLiteral':
      return 'null';
    case 'TemplateLiteral':
      return key.expressions.length === 0 ? key.quasis[0].value.cooked : null;
    case 'MemberExpression':
      return wellKnownSymbol(key);
    default:
      return null;
  }
}

/** @param {Node} member @returns {string | null} `[Symbol.iterator]` and its like */
function wellKnownSymbol({ object, property, computed }) {
  if (computed || object.type !== 'Identifier' || object.name !== 'Symbol') return null;
  return WELL_KNOWN_SYMBOLS.has(property.name) ? `[Symbol.${property.name}]` : null;
}
