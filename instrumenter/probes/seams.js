import { afterBlanks } from '../text/blanks.js';
import { isAnonymousDefinition } from '../syntax/names.js';

/**
 * What has to stand between inserted text and the code around it.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 */

/**
 * @param {Node} value about to be assigned to a variable
 * @returns {boolean} does it have to be hidden in parentheses, because of a comma in it or because it would be given a name?
 */
export function needsHiding(value) {
  return value.type === 'SequenceExpression' || isAnonymousDefinition(value);
}

/** `return"a"`, as minifiers write it: a name must not grow together with the keyword. @param {Node} value @param {{code: string}} script */
export function gapBefore(value, { code }) {
  return /\w/.test(code[value.start - 1]) ? ' ' : '';
}

/**
 * @param {Node[]} before the statements or directives that something is put after
 * @param {{code: string}} script
 * @returns {string} what ends the last of them, if it has no end of its own
 */
export function terminator(before, { code }) {
  const last = before.at(-1);
  if (!last || code[last.end - 1] === ';' || ENDS_WITH_BRACE.test(last.type)) return '';
  return ';';
}

const ENDS_WITH_BRACE =
  /^(FunctionDeclaration|ClassDeclaration|BlockStatement|TryStatement|SwitchStatement)$/;

/** What begins a statement, and would go on with a parenthesis on the line before. What has no operand or is a whole assignment has no operator behind it either. */
const GOES_ON = { AwaitExpression: /[([`]/, YieldExpression: /[([`/+-]/ };

/**
 * @param {Node} suspension `await` or `yield`
 * @param {{code: string}} script
 * @returns {boolean} it is the end of its statement for nothing but the next line's sake, which would go on with what stands in its place
 */
export function endsByLineBreak({ type, end }, { code }) {
  const next = afterBlanks(code, end);
  return (
    LINE_BREAK.test(code.slice(end, next)) &&
    GOES_ON[/** @type {keyof typeof GOES_ON} */ (type)].test(code[next])
  );
}

const LINE_BREAK = /[\n\r\u2028\u2029]/;
