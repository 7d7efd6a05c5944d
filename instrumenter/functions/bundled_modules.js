import { childAt } from '../syntax/declarations.js';
import { hasInside, isInside } from '../syntax/syntax.js';

/**
 * Modules that a bundle hands to a worker, as webworkify-webpack does in flv.js and mpegts.js: `JSON.stringify(id) + ': ' + modules[id].toString()` in a module
 * that makes a worker of it.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 */

const BEFORE_MODULE = /:\s*$/;

/** @param {Node | null} taken what is turned into text @param {string} before text in front of it @returns {boolean} one of many, and its name */
export function isOfTable(taken, before) {
  return taken?.type === 'MemberExpression' && taken.computed && BEFORE_MODULE.test(before);
}

/** @param {Node} program @param {Node} taken as above @returns {Node[]} functions of the table that the module is in, if it makes a worker */
export function modulesAround(program, taken) {
  /** @type {Node[]} */
  let modules = [];
  for (let node = program; node; node = childAt(node, taken.start)) {
    const functions = functionsOf(node);
    const around = functions.find((fn) => isInside(taken, fn));
    if (around && makes(around, 'Worker') && makes(around, 'Blob')) modules = functions;
  }
  return modules;
}

const IS_MODULE = /^((Arrow)?FunctionExpression|ObjectMethod)$/;

/** @param {Node} table @returns {Node[]} what it has, if that is functions and nothing else */
function functionsOf({ type, elements, properties }) {
  if (!/^(Array|Object)Expression$/.test(type)) return [];
  const entries = (elements ?? properties).filter(Boolean);
  const values = entries.map((/** @type {Node} */ entry) => entry.value ?? entry);
  return values.every((/** @type {Node} */ value) => IS_MODULE.test(value.type)) ? values : [];
}

/** @param {Node} fn @param {string} name of a class @returns {boolean} */
function makes(fn, name) {
  return hasInside(
    fn,
    ({ type, callee }) =>
      type === 'NewExpression' && (callee.name === name || callee.property?.name === name),
  );
}
