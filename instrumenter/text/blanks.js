const WHITE_SPACE = /\s*/y;
const LINE_END = /[\n\r\u2028\u2029]|$/g;

/**
 * @param {string} code
 * @param {number} at between two of its tokens
 * @returns {number} where the next token starts, or what HTML has for comments: behind white space and comments
 */
export function afterBlanks(code, at) {
  for (;;) {
    WHITE_SPACE.lastIndex = at;
    WHITE_SPACE.test(code);
    at = WHITE_SPACE.lastIndex;
    if (code.startsWith('/*', at)) {
      const end = code.indexOf('*/', at + 2);
      if (end < 0) return at;
      at = end + 2;
    } else if (code.startsWith('//', at)) {
      LINE_END.lastIndex = at;
      at = /** @type {RegExpExecArray} */ (LINE_END.exec(code)).index;
    } else {
      return at;
    }
  }
}
