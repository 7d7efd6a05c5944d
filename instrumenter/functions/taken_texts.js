import { isOfTable } from './bundled_modules.js';

/**
 * Where a script takes the text of something, as far as a single expression tells: by `toString` and `String`, in sums and templates, and by what runs texts.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 */

/** @param {Node} call `f.toString()`, `f?.toString()`, `String(f)`, `Function.prototype.toString.call(f)` @returns {Node | null} what its text is taken of */
export function textTakenBy({ callee, arguments: args }) {
  const isMember = IS_MEMBER.test(callee.type) && !callee.computed;
  if (isMember && callee.property.name === 'toString') return args.length === 0 ? callee.object : null;
  const isOfAll = isMember && callee.property.name === 'call' && callee.object.property?.name === 'toString';
  return args.length === 1 && (isOfAll || isCalled('String', callee)) ? args[0] : null;
}

/** @param {Node} node `new Blob([...])`, `new Function(...)` @returns {Node[]} lists of what a text is made of */
export function textsMadeBy({ callee, arguments: args }) {
  if (isCalled('Function', callee)) return [{ type: 'ArrayExpression', elements: args, start: callee.start }];
  return isCalled('Blob', callee) && args.length > 0 ? [args[0]] : [];
}

export const IS_MEMBER = /^(Optional)?MemberExpression$/;

/** Names of global objects, and of others' in frames. */
const REALM = /^(globalThis|window|self|top|parent|contentWindow|defaultView)$/;

/** @param {string} name of a global function @param {Node} callee */
function isCalled(name, { type, name: called, object, property, computed }) {
  if (type === 'Identifier') return called === name;
  return !computed && property?.name === name && REALM.test(object.name ?? object.property?.name);
}

/** What stands before a function in a text that calls it, or gives it to somebody: `(${f})()`, `onmessage = ${f}`. */
const BEFORE_FUNCTION = /[(=]\s*$/;
const AFTER_FUNCTION = /^\s*[);]/;

/** Operands of `+` whose text a function could be. */
const MAY_BE_FUNCTION = /^(Identifier|MemberExpression|(Function|ArrowFunction)Expression)$/;

/** @param {Node} node a sum @returns {Node[]} operands that may be functions, as what stands beside them tells; names are looked up later */
export function textsInSum({ operator, left, right }) {
  if (operator !== '+') return [];
  const found = [];
  if (MAY_BE_FUNCTION.test(right.type) && BEFORE_FUNCTION.test(endOf(left))) found.push(right);
  if (MAY_BE_FUNCTION.test(left.type) && AFTER_FUNCTION.test(startOf(right))) found.push(left);
  return found;
}

/** @param {Node} node a sum @returns {Node[]} as of `Texts.ofTables` */
export function textsOfTables({ operator, left, right }) {
  const taken = operator === '+' && right.type === 'CallExpression' ? textTakenBy(right) : null;
  return taken && isOfTable(taken, endOf(left)) ? [taken] : [];
}

/** @param {Node} node a sum @returns {Node | null} what `f + ''` is the text of, if it may be a function */
export function operandWithEmptyText({ operator, left, right }) {
  if (operator !== '+') return null;
  if (isEmptyText(right) && MAY_BE_FUNCTION.test(left.type)) return left;
  return isEmptyText(left) && MAY_BE_FUNCTION.test(right.type) ? right : null;
}

/** @param {Node} template @returns {Node | null} what `${f}` is the text of, if it may be a function */
export function expressionAlone({ quasis, expressions }) {
  const isAlone =
    expressions.length === 1 && quasis.every((/** @type {Node} */ { value }) => value.raw === '');
  return isAlone && MAY_BE_FUNCTION.test(expressions[0].type) ? expressions[0] : null;
}

/** @param {Node} template @returns {Node[]} expressions that may be functions, as what stands beside them tells; names are looked up later */
export function textsInTemplate({ quasis, expressions }) {
  return expressions.filter(
    (/** @type {Node} */ each, /** @type {number} */ i) =>
      MAY_BE_FUNCTION.test(each.type) &&
      (BEFORE_FUNCTION.test(quasis[i].value.cooked) || AFTER_FUNCTION.test(quasis[i + 1].value.cooked)),
  );
}

export const IS_FUNCTION = /^(Function|ArrowFunction|Class)(Expression|Declaration)$|^ObjectMethod$/;

/** @param {Node} assignment @returns {boolean} as of `Texts.assigned` */
export function isMemberMade({ left, right }) {
  const mayBe = right.type === 'Identifier' || IS_FUNCTION.test(right.type);
  return mayBe && left.type === 'MemberExpression' && !left.computed;
}

/** @param {Node} node @returns {string} how its text ends, as far as it is written; else empty */
function endOf(node) {
  if (node.type === 'BinaryExpression' && node.operator === '+') return endOf(node.right);
  return node.type === 'TemplateLiteral' ? node.quasis.at(-1).value.cooked : textOf(node);
}

/** @param {Node} node @returns {string} how its text begins, likewise */
function startOf(node) {
  if (node.type === 'BinaryExpression' && node.operator === '+') return startOf(node.left);
  return node.type === 'TemplateLiteral' ? node.quasis[0].value.cooked : textOf(node);
}

/** @param {Node} node */
const textOf = (node) => (node.type === 'StringLiteral' ? node.value : '');

/** @param {Node} node */
const isEmptyText = (node) => node.type === 'StringLiteral' && node.value === '';
