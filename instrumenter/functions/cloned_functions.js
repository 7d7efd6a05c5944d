import { parameterAt } from '../syntax/declarations.js';
import { hasInside, isInside } from '../syntax/syntax.js';

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
  const isCall = (/** @type {Node} */ { type, callee, arguments: args }) =>
    type === 'CallExpression' && callee.name === name && args.length === 0;
  return reader && hasInside(reader, isCall) ? reader : null;
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
