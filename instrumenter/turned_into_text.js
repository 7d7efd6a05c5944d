import { isInside, listReader, listsIn, prototypesOf } from './cloned_functions.js';
import { callsOf, declarationAt, parameterAt } from './declarations.js';

/**
 * Functions whose text is taken, to run it in a worker or elsewhere: there the probes would find nothing that they need.
 *
 * @typedef {import('./parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 * @typedef {{name: string, offset: number}} TextWarning `offset`: of the place where the text is taken
 */

const OBSTACLE = 'turned into text';

/** How often a name is looked up in what another one stands for. */
const MAX_DEPTH = 4;

/** So many calls are looked at for what they give to one function. */
const MOST_CALLS = 100;

/** @param {Node} call `f.toString()`, `String(f)`, `Function.prototype.toString.call(f)` @returns {Node | null} what its text is taken of */
export function textTakenBy(call) {
  const { callee, arguments: args } = call;
  if (callee.type === 'Identifier') return callee.name === 'String' && args.length === 1 ? args[0] : null;
  if (callee.type !== 'MemberExpression' || callee.computed) return null;
  if (callee.property.name === 'toString') return args.length === 0 ? callee.object : null;
  const isOfAll = callee.property.name === 'call' && callee.object.property?.name === 'toString';
  return isOfAll && args.length === 1 ? args[0] : null;
}

/** @param {Node} node `new Blob([...])` @returns {Node[]} what its text is made of; else nothing */
export function blobParts({ callee, arguments: args }) {
  const isBlob = callee.type === 'Identifier' && callee.name === 'Blob';
  return isBlob && args.length > 0 ? [args[0]] : [];
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

/** @param {Node} node a sum @returns {Node | null} what `f + ''` is the text of, if it may be a function */
export function operandWithEmptyText({ operator, left, right }) {
  if (operator !== '+') return null;
  if (isEmptyText(right) && MAY_BE_FUNCTION.test(left.type)) return left;
  return isEmptyText(left) && MAY_BE_FUNCTION.test(right.type) ? right : null;
}

/** @param {Node} template @returns {Node[]} likewise */
export function textsInTemplate({ quasis, expressions }) {
  return expressions.filter(
    (/** @type {Node} */ each, /** @type {number} */ i) =>
      MAY_BE_FUNCTION.test(each.type) &&
      (BEFORE_FUNCTION.test(quasis[i].value.cooked) || AFTER_FUNCTION.test(quasis[i + 1].value.cooked)),
  );
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

/**
 * Gives the functions an obstacle.
 * @param {Node[]} expressions that are turned into text
 * @param {Node[]} parameters of these, of the function that does so
 * @param {Node} program
 * @param {FunctionRecord[]} records
 * @returns {TextWarning[]} one for each function that was written as such
 */
export function markTurnedIntoText(expressions, parameters, program, records) {
  /** @type {Map<Node, TextWarning>} */
  const warnings = new Map();
  const mark = (/** @type {Node} */ taken) => {
    const inside = records.filter(({ kind, node }) => kind !== 'top' && isInside(node, taken));
    for (const record of inside) record.obstacle ??= OBSTACLE;
    return inside;
  };
  for (const expression of expressions) {
    // A Blob's parts. Elsewhere it may be any text.
    const isCode = expression.type === 'ArrayExpression';
    for (const taken of functionsIn(expression, program, MAX_DEPTH, isCode)) {
      if (warnings.has(taken)) continue;
      const inside = mark(taken);
      const name = taken.id?.name ?? inside[0]?.name.text ?? '';
      if (inside.length > 0) warnings.set(taken, { name, offset: expression.start });
    }
  }
  for (const parameter of parameters) {
    const reader = listReader(parameter, program);
    const scope = records.find(({ node }) => node === reader)?.parent?.node;
    const listed = scope ? functionsListed(scope, program, records) : [];
    if (!scope || listed.length === 0) continue;
    listed.forEach(mark);
    // What such a worker is to do comes by parameters, too.
    const elements = expressions.filter((expression) => isInside(expression, scope));
    functionsIn({ type: 'ArrayExpression', elements }, program, MAX_DEPTH, true).forEach(mark);
    warnings.set(parameter, { name: '', offset: parameter.start });
  }
  return [...warnings.values()];
}

/** @param {Node} scope @param {Node} program @param {FunctionRecord[]} records @returns {Node[]} with the lists themselves, whose text has to stay what it is */
function functionsListed(scope, program, records) {
  const lists = listsIn(scope, records);
  const names = lists.flatMap(({ names }) => names);
  if (names.length === 0) return [];
  const found = [
    ...lists.map(({ fn }) => fn),
    ...prototypesOf(scope, new Set(names.map(({ name }) => name))),
  ];
  for (const name of names) {
    found.push(...functionsIn(name, program, MAX_DEPTH));
    const declared = declarationAt(program, name.name, name.start);
    // A class, as older compilers write it.
    if (declared?.type === 'CallExpression' && IS_FUNCTION.test(declared.callee.type))
      found.push(declared.callee);
  }
  return found;
}

/**
 * @param {Node} expression
 * @param {Node} program
 * @param {number} depth names to look up
 * @param {boolean} [isCode] whoever gives functions to the one around gives text, too
 * @returns {Node[]} functions and classes whose text is in that of the expression
 */
function functionsIn(expression, program, depth, isCode = false) {
  const found = [];
  const waiting = [expression];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (IS_FUNCTION.test(node.type)) found.push(node);
    else if (node.type === 'TemplateLiteral') waiting.push(...node.expressions);
    else if (node.type === 'BinaryExpression' && node.operator === '+') waiting.push(node.left, node.right);
    else if (node.type === 'ArrayExpression') waiting.push(...node.elements.filter(Boolean));
    else if (isJoined(node)) waiting.push(node.callee.object, ...node.arguments);
    else if (depth > 0) found.push(...functionsBy(node, program, depth, isCode));
  }
  return found;
}

const IS_FUNCTION = /^(Function|ArrowFunction|Class)(Expression|Declaration)$|^ObjectMethod$/;

/** @param {Node} node `parts.join('')`, `text.concat(f)` */
function isJoined({ type, callee }) {
  return type === 'CallExpression' && /^(join|concat)$/.test(callee.property?.name ?? '');
}

/** @param {Node} node `f`, `object.f` @param {Node} program @param {number} depth @param {boolean} isCode as above @returns {Node[]} likewise */
function functionsBy(node, program, depth, isCode) {
  if (node.type === 'MemberExpression' && !node.computed && node.object.type === 'Identifier') {
    const object = declarationAt(program, node.object.name, node.start);
    const member = object?.properties?.find(
      (/** @type {Node} */ { key, computed }) => !computed && key?.name === node.property.name,
    );
    return member ? functionsIn(member.value ?? member, program, depth - 1) : [];
  }
  if (node.type !== 'Identifier') return [];
  const declared = declarationAt(program, node.name, node.start);
  if (declared) return functionsIn(declared, program, depth - 1);
  return isCode ? givenAs(node, program, depth - 1) : [];
}

/** @param {Node} name of a parameter @param {Node} program @param {number} depth as above @returns {Node[]} functions that are given for it by calls */
function givenAs(name, program, depth) {
  const parameter = parameterAt(program, name.name, name.start);
  if (!parameter) return [];
  const { of, called, index } = parameter;
  const given = callsOf(program, called).filter((call) => call.arguments[index]);
  // Of a name that short, in minified code, there are many.
  if (given.length > MOST_CALLS) return [];
  return given
    .filter((call) => declarationAt(program, called, call.start) === of)
    .flatMap((call) => functionsIn(call.arguments[index], program, depth, depth > 0));
}
