import fc from 'fast-check';

/**
 * Stack texts as the polyfill reads them in the three engines.
 *
 * @typedef {{name: string, url: string, line: number, column: number}} Call
 */

/** @param {Call} call */
const lineOf = ({ name, url, line, column }) => `${name}@${url}:${line}:${column}`;

/** @param {Call[]} calls leaf first @returns {string} as SpiderMonkey writes it, and as what V8 tells is put into words */
const endedLines = (calls) => calls.map((call) => `${lineOf(call)}\n`).join('');

/** @param {Call[]} calls leaf first @returns {string} as JSC writes it */
const jscText = (calls) => calls.map(lineOf).join('\n');

/** How an engine writes its stacks. */
export const engineText = fc.constantFrom(endedLines, jscText);

/** Names that a text does not tell apart from decoration are left out: what engines add is for the C++ tests. */
export const functionName = fc.constantFrom(
  '',
  'f',
  'g',
  'ünïcode',
  '#private',
  'get size',
  'key (with) @ signs:1:2',
  '𝓤',
);
