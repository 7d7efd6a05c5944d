import { parameterAt } from '../syntax/declarations.js';
import { isInside, nodesInside } from '../syntax/syntax.js';

/**
 * Functions that a library such as fflate hands to workers by their names: `collect(() => [a, b])` calls what it got for the functions, and reads their
 * names in its text. In the worker each has that name again.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 */

/** @param {Node} node @param {Node} fn @returns {boolean} */
export function isParameter(node, fn) {
  return (
    node.type === 'Identifier' &&
    Boolean(fn.params?.some((/** @type {Node} */ { name }) => name === node.name))
  );
}

/** @param {Node} parameter whose text is taken @param {Node} program @returns {Node | null} its function, if that also calls it: maybe for the list that its text has */
export function listReader({ name, start }, program) {
  const reader = parameterAt(program, name, start)?.of;
  return reader && namesCalledIn(reader).has(name) ? reader : null;
}

/** A function may take the text of its parameters often. @type {WeakMap<Node, Set<string>>} by function */
const namesCalled = new WeakMap();

/** @param {Node} fn @returns {Set<string>} what it calls without arguments */
function namesCalledIn(fn) {
  const known = namesCalled.get(fn);
  if (known) return known;
  /** @type {Set<string>} */
  const names = new Set();
  for (const { type, callee, arguments: args } of nodesInside(fn)) {
    if (type === 'CallExpression' && callee.type === 'Identifier' && args.length === 0)
      names.add(callee.name);
  }
  namesCalled.set(fn, names);
  return names;
}

/**
 * @param {Node} scope
 * @param {FunctionRecord[]} records
 * @returns {{fn: Node, names: Node[]}[]} functions such as `() => [a, b]` in it, and what they name
 */
export function listsIn(scope, records) {
  return records.flatMap(({ kind, node }) => {
    const names = kind === 'function' && isInside(node, scope) ? namesOf(node) : [];
    return names.length > 0 ? [{ fn: node, names }] : [];
  });
}

/** @param {Node} fn @returns {Node[]} names of which it makes a list, if it does nothing else */
function namesOf({ params, body }) {
  if (params.length > 0) return [];
  const [statement, ...others] = body.type === 'BlockStatement' ? body.body : [];
  const isReturn = statement?.type === 'ReturnStatement' && others.length === 0;
  const value = isReturn ? statement.argument : body;
  const isList =
    value?.type === 'ArrayExpression' &&
    value.elements.every((/** @type {Node | null} */ element) => element?.type === 'Identifier');
  return isList ? value.elements : [];
}

/** @param {Set<string>} names @param {Node[]} assigned members of whatever @returns {Node[]} those of these names' prototypes */
export function prototypesOf(names, assigned) {
  return assigned
    .filter(({ left: { object } }) => object.property?.name === 'prototype' && names.has(object.object.name))
    .map(({ right }) => right);
}
