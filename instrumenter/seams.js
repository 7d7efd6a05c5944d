import { isAnonymousDefinition } from './names.js';

/**
 * What has to stand between inserted text and the code around it.
 *
 * @typedef {import('./parse.js').Node} Node
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
