import { parameterAt } from './declarations.js';
import { childrenOf } from './syntax.js';

/**
 * Functions that a library such as fflate hands to workers by their names: `collect(() => [a, b])` calls what it got for the functions, and reads their
 * names in its text. In the worker each has that name again.
 *
 * @typedef {import('./parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 */

/** @param {Node} node @param {Node} fn @returns {boolean} */
export function isParameter(node, fn) {
  return (
    node.type === 'Identifier' &&
    Boolean(fn.params?.some((/** @type {Node} */ { name }) => name === node.name))
  );
}

/** @param {Node} parameter whose text is taken @param {Node} program @returns {boolean} it is also called: maybe for the list that its text has */
export function mayBeList({ name, start }, program) {
  const waiting = [parameterAt(program, name, start)?.of];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const isCall = node.type === 'CallExpression' && node.arguments.length === 0;
    if (isCall && node.callee.name === name) return true;
    waiting.push(...childrenOf(node));
  }
  return false;
}

/** @param {FunctionRecord[]} records of a script @returns {{fn: Node, names: Node[]}[]} functions such as `() => [a, b]`, and what they name */
export function listsIn(records) {
  return records.flatMap(({ kind, node }) => {
    const names = kind === 'function' ? namesOf(node) : [];
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

/** @param {Node} program @param {Set<string>} names @returns {Node[]} what is assigned to members of their prototypes */
export function prototypesOf(program, names) {
  const found = [];
  const waiting = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    waiting.push(...childrenOf(node));
    const owner = node.type === 'AssignmentExpression' ? node.left.object : undefined;
    if (owner?.property?.name === 'prototype' && names.has(owner.object.name)) found.push(node.right);
  }
  return found;
}
